// Payments of all organizations, with search and filters.
import { useState } from 'react';
import { billingPaths } from '#features/invoicing/billing/contract.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { paymentMethods, paymentStates, type Payment } from '../contract.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { paymentsQueries } from './api.ts';
import { usePaymentColumns } from './payment-columns.tsx';
import { PaymentPanel } from './PaymentPanel.tsx';
import { ConfirmTopUp, RejectTopUp } from './SettleDialogs.tsx';

const isTransfer = ({ method }: Payment): boolean => method === 'manual' || method === 'bank_transfer';

export function AdminPayments() {
  const { t } = useTranslation('payments');
  const format = useFormat();
  const [opened, open] = useParam('payment');
  const [toConfirm, setToConfirm] = useState<Payment>();
  const [toReject, setToReject] = useState<Payment>();
  const state = useTableState({
    filters: { state: paymentStates, method: paymentMethods },
    sort: '-createdAt',
  });
  const query = usePagedQuery(paymentsQueries.adminListPayments(state.query));
  const { kind, state: standing, createdAt, note, amount } = usePaymentColumns(billingPaths.admin);
  const columns: readonly Column<Payment>[] = [
    {
      key: 'organization',
      label: t('payments.organization'),
      card: 'title',
      render: ({ organization }) => organization,
    },
    kind,
    standing,
    createdAt,
    note,
    amount,
  ];
  return (
    <>
      <DataTable
        list="admin-payments"
        label={t('payments.all')}
        title={t('payments.all')}
        columns={columns}
        query={query}
        state={state}
        rowKey={(payment) => payment.id}
        rowName={(payment) => `${payment.organization} · ${format.money(payment.amount)}`}
        searchLabel={t('payments.search')}
        // used as: 'payments.method_*'
        filters={{
          state: {
            label: t('payments.state'),
            options: paymentStates.map((one) => ({ value: one, label: t(`payments.state_${one}`) })),
          },
          method: {
            label: t('payments.method_any'),
            options: paymentMethods.map((one) => ({ value: one, label: t(`payments.method_${one}`) })),
          },
        }}
        onRowClick={(payment) => open(payment.id)}
        empty={<EmptyState title={t('payments.empty')} hint={t('payments.empty_hint')} />}
        rowActions={(payment) =>
          payment.state !== 'pending' || !isTransfer(payment)
            ? [{ label: t('payments.open_payment'), onClick: () => open(payment.id) }]
            : [
                { label: t('payments.open_payment'), onClick: () => open(payment.id) },
                { label: t('payments.confirm'), onClick: () => setToConfirm(payment) },
                { label: t('payments.reject'), danger: true, onClick: () => setToReject(payment) },
              ]
        }
      />
      <PaymentPanel paymentId={opened} onClose={() => open(undefined)} />
      {toConfirm && <ConfirmTopUp payment={toConfirm} onClose={() => setToConfirm(undefined)} />}
      {toReject && <RejectTopUp payment={toReject} onClose={() => setToReject(undefined)} />}
    </>
  );
}
