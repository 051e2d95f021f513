// Bills of all organizations, with search and filters.
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { billStates, type Bill } from '../contract.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { addMonths, monthsFrom } from '#kernel/time.ts';
import { monthNow } from '#platform/web/time/months.ts';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Moment, Money } from '#platform/web/ui/Money.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { billingApi, billingQueries } from './api.ts';
import { BillsExport, filterOf } from './BillsExport.tsx';
import { BillStatus } from './BillStatus.tsx';

const monthsListed = 36;

export function AdminBills({ onOpen }: { onOpen: (billId: string) => void }) {
  const { t } = useTranslation('billing');
  const format = useFormat();
  const latest = monthNow(useBrand((brand) => brand.timeZone));
  const months = monthsFrom(addMonths(latest, 1 - monthsListed), monthsListed).toReversed();
  const state = useTableState({
    filters: { state: billStates, month: months },
    sort: '-issuedAt',
    prefix: 'bills-',
  });
  const query = usePagedQuery(billingQueries.adminListBills(state.query));
  const columns: readonly Column<Bill>[] = [
    {
      key: 'number',
      label: t('billing.number'),
      sortable: true,
      card: 'title',
      render: (bill) => bill.number,
    },
    {
      key: 'organization',
      label: t('billing.organization'),
      render: ({ organization, usedBy }) =>
        usedBy
          ? t('billing.pays_for', { payer: organization, organization: usedBy.organization })
          : organization,
    },
    { key: 'month', label: t('billing.month'), sortable: true, render: (bill) => format.month(bill.month) },
    {
      key: 'status',
      label: t('billing.status'),
      render: (bill) => <BillStatus status={bill.paymentStatus} instalment={bill.instalment} />,
    },
    {
      key: 'issuedAt',
      label: t('billing.issued_at'),
      sortable: true,
      show: 'wide',
      card: 'hidden',
      render: (bill) => <Moment at={bill.issuedAt} />,
    },
    { key: 'dueAt', label: t('billing.due_at'), show: 'wide', render: (bill) => <Moment at={bill.dueAt} /> },
    {
      key: 'total',
      label: t('billing.total'),
      align: 'right',
      sortable: true,
      render: (bill) => <Money amount={bill.total} />,
    },
  ];
  return (
    <DataTable
      list="admin-bills"
      label={t('billing.all_bills')}
      columns={columns}
      query={query}
      state={state}
      rowKey={(bill) => bill.id}
      rowName={(bill) => bill.number}
      searchLabel={t('billing.search_bills')}
      filters={{
        // used as: 'billing.state_*'
        state: {
          label: t('billing.status'),
          options: billStates.map((one) => ({ value: one, label: t(`billing.state_${one}`) })),
        },
        month: {
          label: t('billing.month'),
          options: months.map((one) => ({ value: one, label: format.month(one) })),
        },
      }}
      toolbar={
        <BillsExport
          call={(chosen, options) =>
            billingApi.adminExportBills({ ...filterOf(state.query), ...chosen }, options)
          }
        />
      }
      empty={<EmptyState title={t('billing.bills_empty')} hint={t('billing.bills_empty_hint')} />}
      onRowClick={(bill) => onOpen(bill.id)}
    />
  );
}
