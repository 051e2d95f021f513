// Refunds prepaid money: the amount, the reason, and the consequences.
import Alert from '@mui/material/Alert';
import * as z from 'zod/mini';
import { withSymbol } from '#kernel/format-money.ts';
import { moneyText, type Money } from '#kernel/money.ts';
import { required } from '#kernel/assert.ts';
import { text } from '#kernel/shape.ts';
import { isPaidLater, isProvider } from '#features/receivables/gateways/contract.ts';
import type { PaymentDetail } from '../contract.ts';
import { FormDialog } from '#platform/web/form/FormDialog.tsx';
import { MoneyField, TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { paymentsApi, paymentsKey } from './api.ts';
import { amountUpTo, typedAmount } from './payment-amount.ts';

const shapeOf = (left: Money) =>
  z.strictObject({
    amount: amountUpTo(left, 'payments.refund_above_rest'),
    reason: text(200),
  });

export function RefundDialog({
  payment,
  left,
  onClose,
}: {
  payment: PaymentDetail;
  left: Money;
  onClose: () => void;
}) {
  const { t } = useTranslation('payments');
  const format = useFormat();
  const form = useZodForm(shapeOf(left), { amount: moneyText(left), reason: '' });
  const refund = useCall(paymentsApi.refundPayment, {
    invalidates: [paymentsKey()],
    onSuccess: ({ amount }) => toast.success(t('payments.refund_done', { amount: format.money(amount) })),
  });
  const submit = async ({ amount, reason }: { amount: string; reason: string }) => {
    await refund.mutateAsync({
      paymentId: payment.id,
      amount: required(typedAmount(amount, left.currency), 'an amount that the form checked'),
      reason,
    });
  };
  const typed = typedAmount(form.watch('amount'), left.currency);
  return (
    <FormDialog
      form={form}
      role="alertdialog"
      title={t('payments.refund_title', { organization: payment.organization })}
      label={t('payments.refund')}
      confirm={t('payments.refund_amount', { amount: format.money(typed ?? left) })}
      color="error"
      lead={
        <Alert severity="info">
          {isProvider(payment.method) && !isPaidLater(payment.method)
            ? t('payments.refund_by_provider')
            : t('payments.refund_by_hand')}
        </Alert>
      }
      onSubmit={submit}
      onClose={onClose}
    >
      <MoneyField
        form={form}
        name="amount"
        label={t('payments.amount')}
        sign={withSymbol('', left.currency, format.language)}
        help={t('payments.refund_left', { amount: format.money(left) })}
        required
        autoFocus
      />
      <TextField
        form={form}
        name="reason"
        label={t('payments.reason')}
        help={t('payments.refund_reason_help')}
        rows={2}
        required
      />
    </FormDialog>
  );
}
