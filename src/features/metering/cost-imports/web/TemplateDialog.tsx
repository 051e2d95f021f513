// Creates the meter and a service for reselling with one click.
import Typography from '@mui/material/Typography';
import * as z from 'zod/mini';
import { currencyCodes } from '#kernel/money.ts';
import { currency, text } from '#kernel/shape.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { FormDialog } from '#platform/web/form/FormDialog.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { costsApi, costsKey } from './api.ts';

const shape = z.strictObject({ name: text(120), currency });

export function TemplateDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('costs');
  const form = useZodForm(shape, { name: t('costs.template_default'), currency: 'TWD' as const });
  const make = useCall(costsApi.createResoldCloud, { invalidates: [costsKey()] });
  return (
    <FormDialog
      form={form}
      title={t('costs.template')}
      confirm={t('costs.template')}
      lead={
        <Typography variant="body2" color="textSecondary">
          {t('costs.template_lead')}
        </Typography>
      }
      onSubmit={async (fields) => {
        const { name } = await make.mutateAsync(fields);
        toast.success(t('costs.template_made', { name }));
      }}
      onClose={onClose}
    >
      <TextField
        form={form}
        name="name"
        label={t('costs.template_name')}
        autoComplete="off"
        required
        autoFocus
      />
      <SelectField
        form={form}
        name="currency"
        label={t('costs.template_currency')}
        options={currencyCodes.map((value) => ({ value, label: value }))}
      />
    </FormDialog>
  );
}
