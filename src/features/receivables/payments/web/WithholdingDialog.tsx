// Records tax that a customer withheld from a bill: the amount, the day, and the certificate.
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import * as z from 'zod/mini';
import { useState } from 'react';
import { withSymbol } from '#kernel/format-money.ts';
import type { Money } from '#kernel/money.ts';
import { required } from '#kernel/assert.ts';
import { day, optionalText } from '#kernel/shape.ts';
import type { BillDetail } from '#features/invoicing/billing/contract.ts';
import { billingKey } from '#features/invoicing/billing/web/parts.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { FormDialog } from '#platform/web/form/FormDialog.tsx';
import { PickerField } from '#platform/web/form/PickerField.tsx';
import { MoneyField, TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { paymentsApi, paymentsKey } from './api.ts';
import { amountUpTo, typedAmount } from './payment-amount.ts';

/** The button for an open bill, with its dialog. */
export function RecordWithholding({ bill }: { readonly bill: BillDetail }) {
  const { t } = useTranslation('payments');
  const [isOpen, setIsOpen] = useState(false);
  if (bill.state !== 'open' || bill.due.minor <= 0n) return null;
  return (
    <>
      <Button variant="outlined" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        {t('payments.withhold')}
      </Button>
      {isOpen && <WithholdingDialog bill={bill} onClose={() => setIsOpen(false)} />}
    </>
  );
}

const shapeOf = (due: Money) =>
  z.strictObject({
    amount: amountUpTo(due, 'payments.amount_above_due'),
    withheldOn: z.pipe(z.string(), day),
    certificate: optionalText(60),
    note: optionalText(200),
  });

function WithholdingDialog({ bill, onClose }: { readonly bill: BillDetail; readonly onClose: () => void }) {
  const { t } = useTranslation('payments');
  const format = useFormat();
  const form = useZodForm(shapeOf(bill.due), { amount: '', withheldOn: '', certificate: '', note: '' });
  const record = useCall(paymentsApi.recordWithholding, {
    invalidates: [paymentsKey(), billingKey()],
    onSuccess: ({ amount }) => toast.success(t('payments.withheld_done', { amount: format.money(amount) })),
  });
  const submit = async ({ amount, ...rest }: z.output<ReturnType<typeof shapeOf>>) => {
    await record.mutateAsync({
      billId: bill.id,
      amount: required(typedAmount(amount, bill.currency), 'an amount that the form checked'),
      ...rest,
    });
  };
  return (
    <FormDialog
      form={form}
      title={t('payments.withhold_title', { number: bill.number })}
      label={t('payments.withhold')}
      confirm={t('payments.withhold')}
      lead={<Alert severity="info">{t('payments.withhold_text')}</Alert>}
      onSubmit={submit}
      onClose={onClose}
    >
      <MoneyField
        form={form}
        name="amount"
        label={t('payments.withheld_amount')}
        sign={withSymbol('', bill.currency, format.language)}
        help={t('payments.withheld_due', { amount: format.money(bill.due) })}
        required
        autoFocus
      />
      <PickerField form={form} name="withheldOn" type="date" label={t('payments.withheld_on')} required />
      <TextField
        form={form}
        name="certificate"
        label={t('payments.certificate')}
        help={t('payments.certificate_help')}
        autoComplete="off"
      />
      <TextField form={form} name="note" label={t('payments.note')} autoComplete="off" />
    </FormDialog>
  );
}
