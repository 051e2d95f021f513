// Earlier exports, newest first; each opens with its files.
import { isId } from '#kernel/ids.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Moment } from '#platform/web/ui/Money.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import type { JournalExport } from '../contract.ts';
import { accountingQueries } from './api.ts';
import { ExportPanel } from './ExportPanel.tsx';
import { usePeriodName } from './names.ts';

export function Exports() {
  const { t } = useTranslation('accounting');
  const [open, setOpen] = useParam('export');
  const periodName = usePeriodName();
  const state = useTableState({ sort: '-madeAt' });
  const query = usePagedQuery(accountingQueries.listJournals(state.query));
  return (
    <>
      <DataTable
        list="journal-exports"
        label={t('accounting.exports')}
        title={t('accounting.exports')}
        lead={t('accounting.exports_lead')}
        columns={useColumns()}
        query={query}
        state={state}
        rowKey={(one) => one.id}
        rowName={(one) => periodName(one.period)}
        onRowClick={(one) => setOpen(one.id)}
        searchLabel={t('accounting.exports_search')}
        empty={<EmptyState title={t('accounting.exports_empty')} hint={t('accounting.exports_empty_hint')} />}
      />
      {isId('jex', open) && <ExportPanel exportId={open} onClose={() => setOpen(undefined)} />}
    </>
  );
}

function useColumns(): readonly Column<JournalExport>[] {
  const { t } = useTranslation('accounting');
  const format = useFormat();
  const periodName = usePeriodName();
  return [
    {
      key: 'period',
      label: t('accounting.period'),
      card: 'title',
      sortable: true,
      render: ({ period }) => periodName(period),
    },
    {
      key: 'sequence',
      label: t('accounting.sequence'),
      render: ({ sequence }) =>
        sequence === 1
          ? t('accounting.sequence_first')
          : t('accounting.sequence_more', { number: format.number(sequence - 1) }),
    },
    {
      key: 'vouchers',
      label: t('accounting.vouchers'),
      align: 'right',
      render: ({ vouchers }) => format.number(vouchers),
    },
    {
      key: 'state',
      label: t('accounting.state'),
      render: ({ withdrawn }) => (
        <StatusBadge
          tone={withdrawn === null ? 'success' : 'neutral'}
          label={t(withdrawn === null ? 'accounting.state_stands' : 'accounting.state_withdrawn')}
        />
      ),
    },
    { key: 'madeBy', label: t('accounting.made_by'), show: 'wide', render: ({ made }) => made.name },
    {
      key: 'madeAt',
      label: t('accounting.made_at'),
      sortable: true,
      render: ({ made }) => <Moment at={made.at} as="dateTime" />,
    },
  ];
}
