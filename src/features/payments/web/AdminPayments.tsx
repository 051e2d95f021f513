// Everybody's payments, searched and filtered.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router';
import Link from '@mui/material/Link';
import { billingPaths } from '#features/billing/contract.ts';
import { paymentStates, type Payment } from '#features/payments/contract.ts';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { DensityToggle } from '#platform/web/ui/DensityToggle.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Moment, Money } from '#platform/web/ui/Money.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { paymentsQueries } from './api.ts';
import { PaymentState } from './PaymentState.tsx';
import { ConfirmTopUp, RejectTopUp } from './SettleDialogs.tsx';
import { usePaymentsTexts } from './texts.ts';

export function AdminPayments() {
  const t = usePaymentsTexts();
  const [toConfirm, setToConfirm] = useState<Payment>();
  const [toReject, setToReject] = useState<Payment>();
  const state = useTableState({ filters: { state: paymentStates }, sort: '-createdAt' });
  const query = useQuery({ ...paymentsQueries.adminListPayments(state.query), placeholderData: keepPreviousData });
  const columns: readonly Column<Payment>[] = [
    { key: 'organization', label: t('payments.organization'), card: 'title', render: (payment) => payment.organization },
    { key: 'kind', label: t('payments.kind'), render: (payment) => <Kind payment={payment} /> },
    { key: 'state', label: t('payments.state'), render: (payment) => <PaymentState state={payment.state} /> },
    { key: 'createdAt', label: t('payments.created_at'), sortable: true, render: (payment) => <Moment at={payment.createdAt} as="dateTime" /> },
    { key: 'note', label: t('payments.note'), show: 'wide', render: (payment) => payment.note },
    { key: 'amount', label: t('payments.amount'), align: 'right', sortable: true, render: (payment) => <Money amount={payment.amount} /> },
  ];
  return (
    <>
      <DataTable
        label={t('payments.all')}
        title={t('payments.all')}
        columns={columns}
        query={query}
        state={state}
        rowKey={(payment) => payment.id}
        rowName={(payment) => payment.organization}
        searchLabel={t('payments.search')}
        filters={{ state: { label: t('payments.state'), options: paymentStates.map((one) => ({ value: one, label: t(`payments.state_${one}`) })) } }}
        toolbar={<DensityToggle />}
        empty={<EmptyState title={t('payments.empty')} hint={t('payments.empty_hint')} />}
        rowActions={(payment) => payment.state !== 'pending' ? [] : [
          { label: t('payments.confirm'), onClick: () => setToConfirm(payment) },
          { label: t('payments.reject'), danger: true, onClick: () => setToReject(payment) },
        ]}
      />
      {toConfirm && <ConfirmTopUp payment={toConfirm} onClose={() => setToConfirm(undefined)} />}
      {toReject && <RejectTopUp payment={toReject} onClose={() => setToReject(undefined)} />}
    </>
  );
}

/** What was paid: a bill from the balance, or into the balance. */
function Kind({ payment }: { payment: Payment }) {
  const t = usePaymentsTexts();
  if (payment.billId === null || payment.billNumber === null) return <>{t('payments.kind_top_up')}</>;
  return <>{t('payments.kind_bill')} <Link component={RouterLink} to={`${billingPaths.admin}?bill=${payment.billId}`}>{payment.billNumber}</Link></>;
}
