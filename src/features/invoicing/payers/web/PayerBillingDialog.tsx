// Sets whether a payer gets one consolidated bill per month, starting with a month.
import Typography from '@mui/material/Typography';
import * as z from 'zod/mini';
import { month } from '#kernel/shape.ts';
import { FormDialog } from '#platform/web/form/FormDialog.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import type { PayerSpan } from '../contract.ts';
import { payersApi, payersKey } from './api.ts';
import { useMonthsToChoose } from './payer-words.ts';

const shape = z.strictObject({ bills: z.enum(['separate', 'consolidated']), from: month });

export function PayerBillingDialog({ span, onClose }: { span: PayerSpan; onClose: () => void }) {
  const { t } = useTranslation('payers');
  const { now, options } = useMonthsToChoose();
  const form = useZodForm(shape, {
    bills: span.consolidatedFrom === null ? 'consolidated' : 'separate',
    from: now,
  });
  const save = useCall(payersApi.setPayerBilling, {
    invalidates: [payersKey()],
    onSuccess: () => toast.success(t('payers.billing_saved')),
  });
  const title = t('payers.billing_change');
  return (
    <FormDialog
      form={form}
      title={title}
      confirm={t('payers.save')}
      onSubmit={async ({ bills, from }) => {
        await save.mutateAsync({
          organizationId: span.payerId,
          isConsolidated: bills === 'consolidated',
          from,
        });
      }}
      onClose={onClose}
    >
      <Typography variant="body2" component="p">
        {t('payers.billing_of', { name: span.payer })}
      </Typography>
      <SelectField
        form={form}
        name="bills"
        label={t('payers.billing')}
        help={t('payers.billing_help')}
        options={[
          { value: 'separate', label: t('payers.separate') },
          { value: 'consolidated', label: t('payers.consolidated') },
        ]}
      />
      <SelectField
        form={form}
        name="from"
        label={t('payers.from')}
        help={t('payers.from_help')}
        options={options}
      />
    </FormDialog>
  );
}
