// Sets the rate of a day by hand.
import * as z from 'zod/mini';
import { currencyCodes } from '#kernel/money.ts';
import { currency, isDay, unsignedDecimal, type LocalDay } from '#kernel/shape.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { FormDialog } from '#platform/web/form/FormDialog.tsx';
import { problem } from '#platform/web/form/problems.ts';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { PickerField } from '#platform/web/form/PickerField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { dayNow } from '#platform/web/time/months.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { ratesApi, ratesKey } from './api.ts';

const shape = z.strictObject({
  currency,
  against: currency,
  day: z.string().check(z.refine(isDay, problem('form.required'))),
  rate: unsignedDecimal,
});
const options = currencyCodes.map((one) => ({ value: one, label: one }));

export function RateDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('rates');
  const zone = useBrand((brand) => brand.timeZone);
  const form = useZodForm(shape, { currency: 'USD', against: 'TWD', day: dayNow(zone), rate: '' });
  const set = useCall(ratesApi.setRate, {
    invalidates: [ratesKey('listRates')],
    onSuccess: () => toast.success(t('rates.set_done')),
  });
  return (
    <FormDialog
      form={form}
      title={t('rates.set')}
      confirm={t('rates.save')}
      onSubmit={async ({ day, ...typed }) => {
        await set.mutateAsync({ ...typed, day: day as LocalDay });
      }}
      onClose={onClose}
    >
      <SelectField form={form} name="currency" label={t('rates.currency')} options={options} />
      <SelectField form={form} name="against" label={t('rates.against')} options={options} />
      <PickerField form={form} name="day" type="date" label={t('rates.day')} required />
      <TextField
        form={form}
        name="rate"
        label={t('rates.rate')}
        help={t('rates.rate_help')}
        inputMode="decimal"
        autoComplete="off"
        required
      />
    </FormDialog>
  );
}
