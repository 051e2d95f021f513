// The Admin's list of consolidated bills of all organizations; one can be opened with its bills beside the
// list.
import { useQuery } from '@tanstack/react-query';
import Stack from '@mui/material/Stack';
import { isId, type Id } from '#kernel/ids.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Facts } from '#platform/web/ui/Facts.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Moment, Money } from '#platform/web/ui/Money.tsx';
import { QueryState } from '#platform/web/ui/QueryState.tsx';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import type { ConsolidatedBill } from '../contract-consolidated.ts';
import { billingQueries } from './api.ts';
import { BillStatus } from './BillStatus.tsx';
import { ConsolidatedSections, useConsolidatedName } from './ConsolidatedSections.tsx';

export function AdminConsolidated({ onOpen }: { onOpen: (billId: string) => void }) {
  const { t } = useTranslation('billing');
  const nameOf = useConsolidatedName();
  const [chosen, setChosen] = useParam('consolidated');
  const state = useTableState({ sort: '-issuedAt', prefix: 'consolidated-' });
  const query = usePagedQuery(billingQueries.adminListConsolidatedBills(state.query));
  const columns: readonly Column<ConsolidatedBill>[] = [
    {
      key: 'number',
      label: t('billing.number'),
      sortable: true,
      card: 'title',
      render: ({ number }) => number,
    },
    { key: 'organization', label: t('billing.payer'), render: ({ organization }) => organization },
    { key: 'month', label: t('billing.month'), sortable: true, render: nameOf },
    {
      key: 'status',
      label: t('billing.status'),
      render: ({ paymentStatus }) => <BillStatus status={paymentStatus} />,
    },
    {
      key: 'dueAt',
      label: t('billing.due_at'),
      show: 'wide',
      render: ({ dueAt }) => <Moment at={dueAt} />,
    },
    {
      key: 'sections',
      label: t('billing.consolidated_sections'),
      align: 'right',
      show: 'wide',
      render: ({ sections }) => sections,
    },
    {
      key: 'total',
      label: t('billing.total'),
      align: 'right',
      sortable: true,
      render: ({ total }) => <Money amount={total} />,
    },
    {
      key: 'due',
      label: t('billing.due'),
      align: 'right',
      render: ({ due }) => <Money amount={due} strong={due.minor > 0n} />,
    },
  ];
  const known = isId('cbl', chosen) ? chosen : undefined;
  return (
    <>
      <DataTable
        list="consolidated-bills"
        label={t('billing.consolidated_tab')}
        title={t('billing.consolidated_tab')}
        lead={t('billing.consolidated_admin_lead')}
        columns={columns}
        query={query}
        state={state}
        rowKey={(bill) => bill.id}
        rowName={(bill) => bill.number}
        searchLabel={t('billing.consolidated_search')}
        empty={
          <EmptyState
            compact
            title={t('billing.consolidated_empty')}
            hint={t('billing.consolidated_empty_hint')}
          />
        }
        onRowClick={(bill) => setChosen(bill.id)}
      />
      <SidePanel
        open={known !== undefined}
        title={t('billing.consolidated')}
        onClose={() => setChosen(undefined)}
        width={920}
      >
        {known !== undefined && <OneConsolidated consolidatedId={known} onOpen={onOpen} />}
      </SidePanel>
    </>
  );
}

function OneConsolidated({
  consolidatedId,
  onOpen,
}: {
  consolidatedId: Id<'cbl'>;
  onOpen: (billId: string) => void;
}) {
  const { t } = useTranslation('billing');
  const format = useFormat();
  return (
    <QueryState query={useQuery(billingQueries.adminGetConsolidatedBill({ consolidatedId }))}>
      {(bill) => (
        <Stack sx={{ gap: 3 }}>
          <Facts
            items={[
              [t('billing.number'), bill.number],
              [t('billing.payer'), bill.organization],
              [t('billing.month'), format.month(bill.month)],
              [t('billing.status'), <BillStatus key="status" status={bill.paymentStatus} />],
              [t('billing.issued_at'), <Moment key="issued" at={bill.issuedAt} />],
              [t('billing.due_at'), <Moment key="due" at={bill.dueAt} />],
              [t('billing.consolidated_total'), <Money key="total" amount={bill.total} />],
              [t('billing.due'), <Money key="open" amount={bill.due} strong />],
            ]}
          />
          <ConsolidatedSections bill={bill} open={undefined} onOpen={onOpen} />
        </Stack>
      )}
    </QueryState>
  );
}
