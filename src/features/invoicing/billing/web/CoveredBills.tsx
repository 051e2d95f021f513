// A list of bills that other organizations pay, shown to the organization that used the services.
import type { BillingMonth } from '#kernel/shape.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Moment, Money } from '#platform/web/ui/Money.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import type { CoveredBill } from '../contract.ts';
import { billingQueries } from './api.ts';
import { useBillColumns } from './bill-columns.tsx';

export function CoveredBills({ onOpen }: { onOpen: (month: BillingMonth) => void }) {
  const { t } = useTranslation('billing');
  const state = useTableState({ sort: '-month', prefix: 'covered-' });
  const query = usePagedQuery(billingQueries.listCoveredBills(state.query));
  const { month, total } = useBillColumns(onOpen);
  const columns: readonly Column<CoveredBill>[] = [
    month,
    {
      key: 'number',
      label: t('billing.number'),
      render: (bill) => (bill.isVoid ? `${bill.number} · ${t('billing.status_void')}` : bill.number),
    },
    { key: 'payer', label: t('billing.payer'), render: (bill) => bill.payer },
    {
      key: 'issuedAt',
      label: t('billing.issued_at'),
      sortable: true,
      show: 'wide',
      render: (bill) => <Moment at={bill.issuedAt} />,
    },
    {
      key: 'net',
      label: t('billing.net'),
      align: 'right',
      show: 'wide',
      render: (bill) => <Money amount={bill.net} />,
    },
    total,
  ];
  return (
    <DataTable
      list="covered-bills"
      label={t('billing.covered')}
      columns={columns}
      query={query}
      state={state}
      rowKey={(bill) => bill.id}
      rowName={(bill) => bill.number}
      searchLabel={t('billing.search_covered')}
      empty={<EmptyState title={t('billing.covered_empty')} hint={t('billing.covered_empty_hint')} />}
    />
  );
}
