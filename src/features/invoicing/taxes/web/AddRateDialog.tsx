// Adds a tax rate from a day on.
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import * as z from 'zod/mini';
import { isDay, unsignedDecimal, type LocalDay } from '#kernel/shape.ts';
import { problem } from '#platform/web/form/problems.ts';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { DialogButtons } from '#platform/web/ui/DialogButtons.tsx';
import { Modal } from '#platform/web/ui/Modal.tsx';
import { rateCategories } from '../contract.ts';
import { taxesApi, taxesKey } from './api.ts';
import { useCountryOptions } from './countries.ts';

const shape = z.strictObject({
  country: z.string().check(z.minLength(1, 'taxes.country_unknown')),
  category: z.enum(rateCategories),
  rate: z.union([z.literal(''), unsignedDecimal], 'taxes.rate_out_of_range'),
  validFrom: z.string().check(z.refine(isDay, problem('form.required'))),
});

export function AddRateDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('taxes');
  const form = useZodForm(shape, { country: '', category: 'standard', rate: '', validFrom: '' });
  const add = useCall(taxesApi.addTaxRate, {
    invalidates: [taxesKey()],
    onSuccess: () => toast.success(t('taxes.rate_added')),
  });
  const isBusy = form.formState.isSubmitting;
  return (
    <Modal open width="xs" title={t('taxes.add_rate')} onClose={isBusy ? undefined : onClose}>
      <Stack sx={{ paddingBlock: 1 }}>
        <Form
          form={form}
          label={t('taxes.add_rate')}
          onSubmit={async ({ country, category, rate, validFrom }) => {
            await add.mutateAsync({
              country,
              category,
              rate: rate === '' ? null : rate,
              validFrom: validFrom as LocalDay,
            });
            onClose();
          }}
        >
          <SelectField
            form={form}
            name="country"
            label={t('taxes.country')}
            options={useCountryOptions('–')}
            required
          />
          <SelectField
            form={form}
            name="category"
            label={t('taxes.category')}
            options={rateCategories.map((value) => ({ value, label: t(`taxes.category_${value}`) }))}
          />
          <TextField
            form={form}
            name="rate"
            label={t('taxes.rate_percent')}
            help={t('taxes.rate_help')}
            inputMode="decimal"
            autoComplete="off"
          />
          <TextField
            form={form}
            name="validFrom"
            type="date"
            label={t('taxes.valid_from')}
            help={t('taxes.valid_from_help')}
            required
          />
          <DialogButtons>
            <Button onClick={onClose} disabled={isBusy}>
              {t('ui.cancel')}
            </Button>
            <SubmitButton form={form} size="medium">
              {t('taxes.add_rate')}
            </SubmitButton>
          </DialogButtons>
        </Form>
      </Stack>
    </Modal>
  );
}
