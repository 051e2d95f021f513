// Voids an allowance, or records the outcome of one that the provider cannot report.
import Alert from '@mui/material/Alert';
import * as z from 'zod/mini';
import type { Allowance } from '../contract.ts';
import { FormDialog } from '#platform/web/form/FormDialog.tsx';
import { ReasonDialog } from '#platform/web/form/ReasonDialog.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { einvoicesApi, einvoicesKey } from './api.ts';

type Props = { readonly allowance: Allowance; readonly onClose: () => void };
const invalidates = [einvoicesKey()];

export function VoidAllowanceDialog({ allowance, onClose }: Props) {
  const { t } = useTranslation('einvoices');
  const call = useCall(einvoicesApi.voidAllowance, {
    invalidates,
    onSuccess: () => toast.success(t('einvoices.void_allowance_done')),
  });
  const title = t('einvoices.void_allowance');
  return (
    <ReasonDialog
      title={title}
      confirm={title}
      color="error"
      lead={<Alert severity="info">{t('einvoices.void_allowance_ask')}</Alert>}
      field={{ label: t('einvoices.reason'), help: t('einvoices.reason_hint'), max: 20, rows: 1 }}
      onReason={(reason) => call.mutateAsync({ allowanceId: allowance.id, reason })}
      onClose={onClose}
    />
  );
}

const Settled = z.strictObject({ is: z.enum(['there', 'absent']), number: z.string().check(z.trim()) }).check(
  z.check((context) => {
    if (context.value.is === 'there' && !/^[0-9A-Za-z]{1,16}$/.test(context.value.number))
      context.issues.push({
        code: 'custom',
        input: context.value.number,
        path: ['number'],
        message: 'einvoices.allowance_number_wrong',
      });
  }),
);

export function SettleAllowanceDialog({ allowance, onClose }: Props) {
  const { t } = useTranslation('einvoices');
  const form = useZodForm(Settled, { is: 'there', number: '' });
  const call = useCall(einvoicesApi.settleAllowance, { invalidates });
  const submit = async ({ is, number }: z.output<typeof Settled>) => {
    await call.mutateAsync({ allowanceId: allowance.id, number: is === 'there' ? number : '' });
    toast.success(t('einvoices.settle_done'));
  };
  const title = t('einvoices.settle_title');
  return (
    <FormDialog
      form={form}
      title={title}
      confirm={t('einvoices.save')}
      lead={<Alert severity="warning">{t('einvoices.settle_hint')}</Alert>}
      onSubmit={submit}
      onClose={onClose}
    >
      <SelectField
        form={form}
        name="is"
        label={t('einvoices.settle')}
        options={[
          { value: 'there', label: t('einvoices.settle_there') },
          { value: 'absent', label: t('einvoices.settle_absent') },
        ]}
      />
      {form.watch('is') === 'there' && (
        <TextField form={form} name="number" label={t('einvoices.settle_number')} required />
      )}
    </FormDialog>
  );
}
