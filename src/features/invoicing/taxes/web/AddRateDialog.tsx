// Adds a tax rate with its first day.
import * as z from 'zod/mini';
import { isDay, unsignedDecimal, type LocalDay } from '#kernel/shape.ts';
import { problem } from '#platform/web/form/problems.ts';
import { FormDialog } from '#platform/web/form/FormDialog.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { PickerField } from '#platform/web/form/PickerField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
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
  return (
    <FormDialog
      form={form}
      title={t('taxes.add_rate')}
      confirm={t('taxes.add_rate')}
      onSubmit={async ({ country, category, rate, validFrom }) => {
        await add.mutateAsync({
          country,
          category,
          rate: rate === '' ? null : rate,
          validFrom: validFrom as LocalDay,
        });
      }}
      onClose={onClose}
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
      <PickerField
        form={form}
        name="validFrom"
        type="date"
        label={t('taxes.valid_from')}
        help={t('taxes.valid_from_help')}
        required
      />
    </FormDialog>
  );
}
