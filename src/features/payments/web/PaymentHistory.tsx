// The own organization's payments: top-ups and paid bills, filtered.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { paymentStates, type Payment } from '#features/payments/contract.ts';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Moment, Money } from '#platform/web/ui/Money.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { useFormat } from '#platform/web/use-format.ts';
import { paymentsQueries } from './api.ts';
import { PaymentState } from './PaymentState.tsx';
import { usePaymentsTexts } from './texts.ts';

export function PaymentHistory() {
  const t = usePaymentsTexts();
  const format = useFormat();
  const state = useTableState({ filters: { state: paymentStates }, sort: '-createdAt', prefix: 'payments-' });
  const query = useQuery({ ...paymentsQueries.listPayments(state.query), placeholderData: keepPreviousData });
  const kindOf = ({ billNumber }: Payment): string => (billNumber === null ? t('payments.kind_top_up') : `${t('payments.kind_bill')} ${billNumber}`);
  const columns: readonly Column<Payment>[] = [
    { key: 'createdAt', label: t('payments.created_at'), sortable: true, card: 'title', render: (payment) => <Moment at={payment.createdAt} as="dateTime" /> },
    { key: 'kind', label: t('payments.kind'), render: kindOf },
    { key: 'state', label: t('payments.state'), render: (payment) => <PaymentState state={payment.state} /> },
    { key: 'note', label: t('payments.note'), show: 'wide', render: (payment) => payment.note },
    { key: 'amount', label: t('payments.amount'), align: 'right', sortable: true, render: (payment) => <Money amount={payment.amount} /> },
  ];
  return (
    <DataTable
      label={t('payments.history')}
      columns={columns}
      query={query}
      state={state}
      rowKey={(payment) => payment.id}
      rowName={(payment) => format.money(payment.amount)}
      // used as: 'payments.state_*'
      filters={{ state: { label: t('payments.state'), options: paymentStates.map((one) => ({ value: one, label: t(`payments.state_${one}`) })) } }}
      empty={<EmptyState title={t('payments.history_empty')} hint={t('payments.history_empty_hint')} />}
    />
  );
}
