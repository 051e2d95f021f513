// Sets the exchange rate of a billing period, and the day that the rate is from.
import Stack from '@mui/material/Stack';
import * as z from 'zod/mini';
import { currencyCodes } from '#kernel/money.ts';
import { currency, day, unsignedDecimal } from '#kernel/shape.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { FormDialog } from '#platform/web/form/FormDialog.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { PickerField } from '#platform/web/form/PickerField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { dayNow } from '#platform/web/time/months.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import type { CostPeriod, CostSource } from '../contract.ts';
import { costsApi, costsKey } from './api.ts';

const shape = z.strictObject({ from: currency, to: currency, rate: unsignedDecimal, asOf: day });
const options = currencyCodes.map((value) => ({ value, label: value }));

export function RateDialog({
  source,
  period,
  onClose,
}: {
  source: CostSource;
  period: CostPeriod;
  onClose: () => void;
}) {
  const { t } = useTranslation('costs');
  const format = useFormat();
  const today = dayNow(useBrand((brand) => brand.timeZone));
  const costCurrency = currencyCodes.find((code) => code === period.cost[0]?.currency) ?? 'USD';
  const form = useZodForm(shape, { from: costCurrency, to: 'TWD' as const, rate: '', asOf: today });
  const set = useCall(costsApi.setCostRate, { invalidates: [costsKey()] });
  const title = t('costs.rate_title', { period: format.month(period.periodStart.slice(0, 7)) });
  return (
    <FormDialog
      form={form}
      title={title}
      confirm={t('ui.save')}
      onSubmit={async (fields) => {
        await set.mutateAsync({ sourceId: source.id, periodStart: period.periodStart, ...fields });
        toast.success(t('costs.rate_set'));
      }}
      onClose={onClose}
    >
      <Stack direction={{ xs: 'column', sm: 'row' }} sx={{ gap: 2, '& > *': { flex: 1 } }}>
        <SelectField form={form} name="from" label={t('costs.rate_from')} options={options} />
        <SelectField form={form} name="to" label={t('costs.rate_to')} options={options} />
      </Stack>
      <TextField
        form={form}
        name="rate"
        label={t('costs.rate')}
        help={t('costs.rate_help')}
        inputMode="decimal"
        autoComplete="off"
        required
        autoFocus
      />
      <PickerField form={form} name="asOf" type="date" label={t('costs.rate_as_of')} required />
    </FormDialog>
  );
}
