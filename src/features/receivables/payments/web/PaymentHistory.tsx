// The organization's payments: top-ups and paid bills, with filters and receipts, and the payment whose
// provider page the customer returns from.
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { paymentStates, type Payment } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { paymentsQueries } from './api.ts';
import { useReceipt } from './PaidReceipt.tsx';
import { usePaymentColumns } from './payment-columns.tsx';
import { PaymentReturn } from './PaymentReturn.tsx';
import { detailsTitle, hasDetails } from './transfer-details.ts';
import { useMayPay } from './use-may-pay.ts';

export function PaymentHistory() {
  const { t } = useTranslation('payments');
  const format = useFormat();
  const take = useReceipt();
  const mayPay = useMayPay();
  const [, open] = useParam('payment');
  const state = useTableState({ filters: { state: paymentStates }, sort: '-createdAt', prefix: 'payments-' });
  const query = usePagedQuery(paymentsQueries.listPayments(state.query));
  const { kind, state: standing, createdAt, note, amount } = usePaymentColumns();
  const columns: readonly Column<Payment>[] = [{ ...createdAt, card: 'title' }, kind, standing, note, amount];
  return (
    <>
      <DataTable
        list="payments"
        label={t('payments.history')}
        columns={columns}
        query={query}
        state={state}
        rowKey={(payment) => payment.id}
        rowName={(payment) => format.money(payment.amount)}
        // used as: 'payments.state_*'
        filters={{
          state: {
            label: t('payments.state'),
            options: paymentStates.map((one) => ({ value: one, label: t(`payments.state_${one}`) })),
          },
        }}
        rowActions={(payment) => [
          ...(payment.received === null
            ? []
            : [{ label: t('payments.receipt_download'), onClick: () => take(payment) }]),
          ...(mayPay && hasDetails(payment)
            ? [{ label: detailsTitle(t, payment), onClick: () => open(payment.id) }]
            : []),
        ]}
        empty={<EmptyState title={t('payments.history_empty')} hint={t('payments.history_empty_hint')} />}
      />
      {mayPay && <PaymentReturn />}
    </>
  );
}
