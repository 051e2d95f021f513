// Paying a bill from the balance: how much, what is left then, and the receipt; a balance too low leads to a top-up.
import CheckCircleOutlined from '@mui/icons-material/CheckCircleOutlined';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { money, subtractMoney, type Money as Amount } from '#kernel/money.ts';
import type { Bill } from '#features/billing/contract.ts';
import { billingKey } from '#features/billing/web/index.ts';
import type { Balance, Payment } from '#features/payments/contract.ts';
import { useCall } from '#platform/web/queries.ts';
import { CopyButton } from '#platform/web/ui/CopyButton.tsx';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Modal } from '#platform/web/ui/Modal.tsx';
import { Moment, Money } from '#platform/web/ui/Money.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { useFormat } from '#platform/web/use-format.ts';
import { paymentsApi, paymentsKey, paymentsQueries } from './api.ts';
import { usePaymentsTexts } from './texts.ts';
import { TopUpDialog } from './TopUpDialog.tsx';

export type PayableBill = Pick<Bill, 'id' | 'number' | 'month' | 'state' | 'due'>;

const balanceIn = ({ balances }: Balance, due: Amount): Amount => balances.find((one) => one.currency === due.currency) ?? money(0n, due.currency);

export function PayDialog({ bill, onClose }: { bill: PayableBill; onClose: () => void }) {
  const t = usePaymentsTexts();
  const query = useQuery({ ...paymentsQueries.balance(), staleTime: 0 });
  const [missing, setMissing] = useState<Amount>();
  const pay = useCall(paymentsApi.payBill, { invalidates: [paymentsKey(), billingKey()] });
  const { data: receipt, isPending } = pay;
  if (missing) return <TopUpDialog suggested={missing} onClose={onClose} />;
  return (
    <Modal open width="xs" title={receipt ? t('payments.paid_title') : t('payments.pay_title', { number: bill.number })} onClose={isPending ? undefined : onClose}>
      {receipt
        ? <Receipt payment={receipt} onClose={onClose} />
        : (
          <QueryState query={query} skeleton={<Lines count={5} />}>
            {(balance) => <Offer bill={bill} balance={balanceIn(balance, bill.due)} problem={pay.error} isPending={isPending} onPay={() => pay.mutate({ billId: bill.id, method: 'balance', amount: bill.due })} onTopUp={setMissing} onClose={onClose} />}
          </QueryState>
        )}
    </Modal>
  );
}

type OfferProps = { readonly bill: PayableBill; readonly balance: Amount; readonly problem: Error | null; readonly isPending: boolean; readonly onPay: () => void; readonly onTopUp: (missing: Amount) => void; readonly onClose: () => void };

function Offer({ bill, balance, problem, isPending, onPay, onTopUp, onClose }: OfferProps) {
  const t = usePaymentsTexts();
  const format = useFormat();
  const left = subtractMoney(balance, bill.due);
  const isEnough = left.minor >= 0n;
  const missing = money(-left.minor, left.currency);
  return (
    <Stack sx={{ gap: 2, paddingBottom: 1 }}>
      {problem && <Alert severity="error">{problem.message}</Alert>}
      <Facts
        items={[
          [t('payments.bill'), bill.number],
          [t('payments.month'), format.month(bill.month)],
          [t('payments.method'), t('payments.method_balance')],
          [t('payments.due'), <Money key="due" amount={bill.due} strong />],
          [t('payments.balance'), <Money key="balance" amount={balance} />],
          ...(isEnough ? [[t('payments.balance_after'), <Money key="left" amount={left} />] as const] : []),
        ]}
      />
      {!isEnough && <Alert severity="warning">{t('payments.balance_missing', { amount: format.money(missing) })}</Alert>}
      <Stack direction="row" sx={{ gap: 1, justifyContent: 'flex-end', flexWrap: 'wrap' }}>
        <Button onClick={onClose} disabled={isPending}>{t('ui.cancel')}</Button>
        {isEnough
          ? <Button variant="contained" autoFocus loading={isPending} onClick={onPay}>{t('payments.pay_amount', { amount: format.money(bill.due) })}</Button>
          : <Button variant="contained" autoFocus onClick={() => onTopUp(missing)}>{t('payments.top_up_balance')}</Button>}
      </Stack>
    </Stack>
  );
}

function Receipt({ payment, onClose }: { payment: Payment; onClose: () => void }) {
  const t = usePaymentsTexts();
  const format = useFormat();
  return (
    <Stack sx={{ gap: 2, paddingBottom: 1 }}>
      <Stack direction="row" role="status" sx={{ gap: 1, alignItems: 'center', color: 'success.main' }}>
        <CheckCircleOutlined aria-hidden />
        <Typography variant="subtitle1" component="p">{t('payments.paid_amount', { amount: format.money(payment.amount) })}</Typography>
      </Stack>
      <Facts
        items={[
          [t('payments.bill'), payment.billNumber ?? ''],
          [t('payments.amount'), <Money key="amount" amount={payment.amount} strong />],
          [t('payments.method'), t('payments.method_balance')],
          [t('payments.paid_at'), <Moment key="at" at={payment.settledAt ?? payment.createdAt} as="dateTime" />],
          [t('payments.payment_id'), <Stack key="id" direction="row" component="span" sx={{ alignItems: 'center', gap: 0.5 }}><Typography component="span" variant="mono" sx={{ overflowWrap: 'anywhere' }}>{payment.id}</Typography><CopyButton text={payment.id} label={t('payments.copy_payment_id')} /></Stack>],
        ]}
      />
      <Stack direction="row" sx={{ justifyContent: 'flex-end' }}><Button variant="contained" autoFocus onClick={onClose}>{t('payments.done')}</Button></Stack>
    </Stack>
  );
}
