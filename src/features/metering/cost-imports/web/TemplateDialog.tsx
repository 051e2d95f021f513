// Makes the meter and a service for reselling with one click.
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import Button from '@mui/material/Button';
import * as z from 'zod/mini';
import { currencyCodes } from '#kernel/money.ts';
import { currency, text } from '#kernel/shape.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { DialogButtons } from '#platform/web/ui/DialogButtons.tsx';
import { Modal } from '#platform/web/ui/Modal.tsx';
import { costsApi, costsKey } from './api.ts';

const formId = 'cost-template';
const shape = z.strictObject({ name: text(120), currency });

export function TemplateDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('costs');
  const form = useZodForm(shape, { name: t('costs.template_default'), currency: 'TWD' as const });
  const make = useCall(costsApi.createResoldCloud, { invalidates: [costsKey()] });
  return (
    <Modal open width="sm" title={t('costs.template')} onClose={onClose}>
      <Form
        form={form}
        id={formId}
        label={t('costs.template')}
        onSubmit={async (fields) => {
          const { name } = await make.mutateAsync(fields);
          toast.success(t('costs.template_made', { name }));
          onClose();
        }}
      >
        <Stack sx={{ gap: 2 }}>
          <Typography variant="body2" color="textSecondary">
            {t('costs.template_lead')}
          </Typography>
          <TextField form={form} name="name" label={t('costs.template_name')} autoComplete="off" required />
          <SelectField
            form={form}
            name="currency"
            label={t('costs.template_currency')}
            options={currencyCodes.map((value) => ({ value, label: value }))}
          />
        </Stack>
        <DialogButtons>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <SubmitButton form={form} formId={formId} size="medium">
            {t('costs.template')}
          </SubmitButton>
        </DialogButtons>
      </Form>
    </Modal>
  );
}
