// Which organizations pay for others, with buttons that set and end this.
import { useState } from 'react';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { AddButton } from '#platform/web/ui/AddButton.tsx';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { useTableState } from '#platform/web/ui/table-state.ts';
import type { PayerSpan } from '../contract.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { payersKey, payersQueries } from './api.ts';
import { PayerBillingDialog } from './PayerBillingDialog.tsx';
import { PayerDialog, type PayerDialogProps } from './PayerDialog.tsx';
import { useTermColumns } from './term-columns.tsx';

export function PayerList() {
  const { t } = useTranslation('payers');
  const [billing, setBilling] = useState<PayerSpan>();
  const [asked, setAsked] = useState<Pick<PayerDialogProps, 'span' | 'isEnding'>>();
  const state = useTableState({ sort: '-from', prefix: 'payers-' });
  useLive('billing', [payersKey('listPayers')]);
  const query = usePagedQuery(payersQueries.listPayers(state.query));
  return (
    <>
      <DataTable
        list="payers"
        label={t('payers.title')}
        title={t('payers.title')}
        lead={t('payers.lead')}
        actions={
          <AddButton variant="outlined" onClick={() => setAsked({ span: undefined, isEnding: false })}>
            {t('payers.set')}
          </AddButton>
        }
        columns={useColumns()}
        query={query}
        state={state}
        rowKey={(span) => span.id}
        rowName={(span) => span.organization}
        searchLabel={t('payers.search')}
        empty={<EmptyState compact title={t('payers.empty')} hint={t('payers.empty_hint')} />}
        rowActions={(span) =>
          span.state === 'ended'
            ? []
            : [
                { label: t('payers.change'), onClick: () => setAsked({ span, isEnding: false }) },
                { label: t('payers.billing_change'), onClick: () => setBilling(span) },
                { label: t('payers.end'), onClick: () => setAsked({ span, isEnding: true }) },
              ]
        }
      />
      {billing && <PayerBillingDialog span={billing} onClose={() => setBilling(undefined)} />}
      {asked && <PayerDialog {...asked} onClose={() => setAsked(undefined)} />}
    </>
  );
}

function useColumns(): readonly Column<PayerSpan>[] {
  const { t } = useTranslation('payers');
  const format = useFormat();
  return [
    {
      key: 'organization',
      label: t('payers.organization'),
      card: 'title',
      sortable: true,
      render: ({ organization }) => organization,
    },
    { key: 'payer', label: t('payers.payer'), sortable: true, render: ({ payer }) => payer },
    {
      key: 'billing',
      label: t('payers.billing'),
      render: ({ consolidatedFrom }) =>
        consolidatedFrom === null
          ? t('payers.separate')
          : t('payers.consolidated_from', { month: format.month(consolidatedFrom) }),
    },
    ...useTermColumns(),
  ];
}
