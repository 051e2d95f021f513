// Voids an e-invoice: the reason, whether a new one is issued, and to whom.
import Alert from '@mui/material/Alert';
import * as z from 'zod/mini';
import { text } from '#kernel/shape.ts';
import type { EinvoiceDetail } from '../contract.ts';
import { FormDialog } from '#platform/web/form/FormDialog.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { einvoicesApi, einvoicesKey } from './api.ts';
import { buyerShape, BuyerFields, checkBuyer, choiceOf, typedOf } from './BuyerFields.tsx';

const Draft = z.strictObject({ ...buyerShape, reason: text(20), again: z.enum(['yes', 'no']) }).check(
  z.check((context) => {
    if (context.value.again === 'yes') checkBuyer(context);
  }),
);

/** A document's buyer as the form's choice. */
export function chosenOf(one: EinvoiceDetail) {
  const { buyer, carrier, donationCode } = one;
  const keep = donationCode !== null ? 'donate' : (carrier?.kind ?? 'paper');
  const code = donationCode ?? (carrier && carrier.kind !== 'member' ? carrier.code : '');
  return { taxId: buyer.taxId, name: buyer.name, keep, code } as const;
}

export function VoidDialog({ one, onClose }: { one: EinvoiceDetail; onClose: () => void }) {
  const { t } = useTranslation('einvoices');
  const isVoid = one.may.void;
  const form = useZodForm(Draft, { ...typedOf(chosenOf(one)), reason: '', again: 'yes' });
  const call = useCall(einvoicesApi.voidEinvoice, { invalidates: [einvoicesKey()] });
  const submit = async (typed: z.output<typeof Draft>) => {
    const again = typed.again === 'yes';
    await call.mutateAsync({
      einvoiceId: one.id,
      reason: typed.reason,
      again,
      ...(again && { buyer: choiceOf(typed) }),
    });
    toast.success(t(isVoid ? 'einvoices.void_done' : 'einvoices.undo_done'));
  };
  const title = t(isVoid ? 'einvoices.void_title' : 'einvoices.undo_title');
  return (
    <FormDialog
      form={form}
      title={title}
      confirm={title}
      color="error"
      lead={<Alert severity="info">{t(isVoid ? 'einvoices.void_hint' : 'einvoices.undo_hint')}</Alert>}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        form={form}
        name="reason"
        label={t('einvoices.reason')}
        help={t('einvoices.reason_hint')}
        required
        autoFocus
      />
      <SelectField
        form={form}
        name="again"
        label={t('einvoices.afterwards')}
        help={t(form.watch('again') === 'yes' ? 'einvoices.again_hint' : 'einvoices.none_again_hint')}
        options={[
          { value: 'yes', label: t('einvoices.again') },
          { value: 'no', label: t('einvoices.none_again') },
        ]}
      />
      {form.watch('again') === 'yes' && <BuyerFields form={form} offered={one.keeps} />}
    </FormDialog>
  );
}
