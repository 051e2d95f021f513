// The findings, most expensive first.
import Typography from '@mui/material/Typography';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Money } from '#platform/web/ui/Money.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { findingKinds, type Finding } from '../contract.ts';
import { reconciliationQueries } from './api.ts';
import { kindTones, nameOf } from './finding-words.tsx';

export function Findings({ onOpen }: { onOpen: (finding: string) => void }) {
  const { t } = useTranslation('reconciliation');
  const state = useTableState({ filters: { kind: findingKinds }, sort: '-amount' });
  const query = usePagedQuery(reconciliationQueries.listFindings({ ...state.query, state: 'open' }));
  return (
    <DataTable
      list="findings"
      label={t('reconciliation.findings')}
      title={t('reconciliation.findings')}
      columns={useColumns()}
      query={query}
      state={state}
      rowKey={({ id }) => id}
      rowName={nameOf}
      searchLabel={t('reconciliation.search')}
      // used as: 'reconciliation.kind_*'
      filters={{
        kind: {
          label: t('reconciliation.kind'),
          options: findingKinds.map((value) => ({ value, label: t(`reconciliation.kind_${value}`) })),
        },
      }}
      empty={<EmptyState title={t('reconciliation.empty')} hint={t('reconciliation.empty_hint')} />}
      onRowClick={({ id }) => onOpen(id)}
    />
  );
}

function useColumns(): readonly Column<Finding>[] {
  const { t } = useTranslation('reconciliation');
  const format = useFormat();
  return [
    {
      key: 'name',
      label: t('reconciliation.resource'),
      sortable: true,
      card: 'title',
      render: (finding) => (
        <>
          <Typography component="div" variant="inherit" sx={{ overflowWrap: 'anywhere' }}>
            {nameOf(finding)}
          </Typography>
          {/* used as: 'reconciliation.item_*' */}
          <Typography component="div" variant="caption" color="textSecondary">
            {[t(`reconciliation.item_${finding.itemKind}`), finding.size]
              .filter((each) => each !== '')
              .join(' · ')}
          </Typography>
        </>
      ),
    },
    {
      key: 'kind',
      label: t('reconciliation.kind'),
      // used as: 'reconciliation.kind_*', 'reconciliation.cause_*'
      render: ({ kind, cause }) => (
        <>
          <StatusBadge tone={kindTones[kind]} label={t(`reconciliation.kind_${kind}`)} />
          <Typography component="div" variant="caption" color="textSecondary">
            {t(`reconciliation.cause_${cause}`)}
          </Typography>
        </>
      ),
    },
    {
      key: 'who',
      label: t('reconciliation.who'),
      render: ({ subscription, suggested, project }) => (
        <>
          <Typography component="div" variant="inherit">
            {subscription?.organization ?? suggested?.name ?? '–'}
          </Typography>
          <Typography
            component="div"
            variant="caption"
            color="textSecondary"
            sx={{ overflowWrap: 'anywhere' }}
          >
            {subscription?.name ?? project}
          </Typography>
        </>
      ),
    },
    {
      key: 'firstFoundAt',
      label: t('reconciliation.first_found'),
      sortable: true,
      show: 'wide',
      render: ({ firstFoundAt }) => format.dateTable(firstFoundAt),
    },
    {
      key: 'connector',
      label: t('reconciliation.connector'),
      show: 'wide',
      card: 'hidden',
      render: ({ connector }) => connector.name,
    },
    {
      key: 'amount',
      label: t('reconciliation.amount'),
      sortable: true,
      align: 'right',
      // used as: 'reconciliation.amount_*'
      render: ({ amount, kind }) =>
        amount ? (
          <>
            <Money amount={amount} />
            <Typography component="div" variant="caption" color="textSecondary">
              {t(`reconciliation.amount_${kind}`)}
            </Typography>
          </>
        ) : (
          '–'
        ),
    },
  ];
}
