// Dialogs to confirm or reject a transfer, and to reverse withheld tax; all repeat the organization and the
// amount.
import Alert from '@mui/material/Alert';
import Stack from '@mui/material/Stack';
import { useState } from 'react';
import { withSymbol } from '#kernel/format-money.ts';
import { moneyText } from '#kernel/money.ts';
import type { Payment } from '../contract.ts';
import { billingKey } from '#features/invoicing/billing/web/parts.ts';
import { ReasonDialog } from '#platform/web/form/ReasonDialog.tsx';
import { TextBox } from '#platform/web/form/TextBox.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Moment, Money } from '#platform/web/ui/Money.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { paymentsApi, paymentsKey } from './api.ts';
import { typedAmount } from './payment-amount.ts';

type SettleProps = { readonly payment: Payment; readonly onClose: () => void };
/** All data about payments is reloaded, because the balance changes too. */
const invalidates = [paymentsKey()];

export function ConfirmTopUp({ payment, onClose }: SettleProps) {
  const { t } = useTranslation('payments');
  const format = useFormat();
  const { currency } = payment.amount;
  const [typed, setTyped] = useState(moneyText(payment.amount));
  const amount = typedAmount(typed, currency);
  const problem = !amount
    ? 'payments.amount_wrong'
    : amount.minor <= 0n
      ? 'payments.amount_not_positive'
      : undefined;
  const params = { organization: payment.organization, amount: format.money(amount ?? payment.amount) };
  const confirm = useCall(paymentsApi.confirmPayment, {
    invalidates,
    onSuccess: () => toast.success(t('payments.confirmed', params)),
  });
  return (
    <ConfirmDialog
      open
      title={t('payments.confirm_ask', params)}
      consequences={[
        payment.billNumber === null
          ? t('payments.confirm_grows', params)
          : t('payments.confirm_pays', { number: payment.billNumber }),
        t('payments.confirm_final'),
        t('payments.settle_notifies'),
      ]}
      confirmLabel={t('payments.confirm_amount', params)}
      onConfirm={async () => {
        if (amount && problem === undefined) await confirm.mutateAsync({ paymentId: payment.id, amount });
        else throw new Error(t('payments.amount_wrong'));
      }}
      onClose={onClose}
    >
      <Stack sx={{ gap: 2 }}>
        <PaymentFacts payment={payment} />
        <TextBox
          name="received"
          label={t('payments.confirm_received')}
          value={typed}
          onChange={setTyped}
          inputMode="decimal"
          start={withSymbol('', currency, format.language)}
          help={t('payments.confirm_received_help')}
          problem={problem}
          required
        />
      </Stack>
    </ConfirmDialog>
  );
}

export function RejectTopUp({ payment, onClose }: SettleProps) {
  const { t } = useTranslation('payments');
  const format = useFormat();
  const params = { organization: payment.organization, amount: format.money(payment.amount) };
  const reject = useCall(paymentsApi.rejectPayment, {
    invalidates,
    onSuccess: () => toast.success(t('payments.rejected', params)),
  });
  return (
    <ReasonDialog
      role="alertdialog"
      title={t('payments.reject_ask', params)}
      label={t('payments.reject_amount', params)}
      confirm={t('payments.reject_amount', params)}
      color="error"
      lead={<PaymentFacts payment={payment} />}
      field={{ label: t('payments.reason'), help: t('payments.reason_help'), max: 200 }}
      onReason={(reason) => reject.mutateAsync({ paymentId: payment.id, reason })}
      onClose={onClose}
    />
  );
}

/** Reverses withheld tax that was recorded by mistake. */
export function TakeBackWithholding({ payment, onClose }: SettleProps) {
  const { t } = useTranslation('payments');
  const format = useFormat();
  const params = { organization: payment.organization, amount: format.money(payment.amount) };
  const takeBack = useCall(paymentsApi.takeBackWithholding, {
    invalidates: [...invalidates, billingKey()],
    onSuccess: () => toast.success(t('payments.take_back_done', params)),
  });
  return (
    <ReasonDialog
      role="alertdialog"
      title={t('payments.take_back_title', params)}
      label={t('payments.take_back')}
      confirm={t('payments.take_back')}
      color="error"
      lead={
        <>
          <Alert severity="warning">{t('payments.take_back_text', params)}</Alert>
          <PaymentFacts payment={payment} />
        </>
      }
      field={{ label: t('payments.reason'), help: t('payments.take_back_reason_help'), max: 200 }}
      onReason={(reason) => takeBack.mutateAsync({ paymentId: payment.id, reason })}
      onClose={onClose}
    />
  );
}

function PaymentFacts({ payment }: { payment: Payment }) {
  const { t } = useTranslation('payments');
  return (
    <Facts
      items={[
        [t('payments.organization'), payment.organization],
        [t('payments.amount'), <Money key="amount" amount={payment.amount} strong />],
        ...(payment.billNumber === null ? [] : [[t('payments.bill'), payment.billNumber] as const]),
        [t('payments.transfer_reference'), payment.reference],
        [t('payments.created_at'), <Moment key="at" at={payment.createdAt} as="dateTime" />],
        ...(payment.note === '' ? [] : [[t('payments.note'), payment.note] as const]),
      ]}
    />
  );
}
