// Adds a range of numbers as stated in the Ministry's notice.
import Box from '@mui/material/Box';
import * as z from 'zod/mini';
import { required } from '#kernel/assert.ts';
import { isMonth } from '#kernel/shape.ts';
import { nextPeriod, periodOf } from '../rules.ts';
import { pairs } from '#platform/web/form/FieldGroup.tsx';
import { FormDialog } from '#platform/web/form/FormDialog.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useNow } from '#platform/web/time/clock.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { einvoicesApi, einvoicesKey } from './api.ts';
import { usePeriodName } from './period-name.ts';

const digits = z.string().check(z.trim(), z.regex(/^\d{8}$/, 'einvoices.digits_wrong'));
const Draft = z.strictObject({
  period: z.string(),
  letters: z.string().check(z.trim(), z.toUpperCase(), z.regex(/^[A-Z]{2}$/, 'einvoices.letters_wrong')),
  from: digits,
  to: digits,
});

export function AddTrackDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('einvoices');
  const periodName = usePeriodName();
  const now = periodOf(useNow());
  const form = useZodForm(Draft, { period: now, letters: '', from: '', to: '' });
  const add = useCall(einvoicesApi.addTrack, { invalidates: [einvoicesKey()] });
  const submit = async ({ period, ...typed }: z.output<typeof Draft>) => {
    await add.mutateAsync({ ...typed, period: required(isMonth(period) ? period : undefined, 'a period') });
    toast.success(t('einvoices.track_added'));
  };
  const periods = [now, nextPeriod(now), nextPeriod(nextPeriod(now))];
  const title = t('einvoices.track_add');
  return (
    <FormDialog form={form} title={title} confirm={title} onSubmit={submit} onClose={onClose}>
      <SelectField
        form={form}
        name="period"
        label={t('einvoices.period')}
        options={periods.map((value) => ({ value, label: periodName(value) }))}
      />
      <TextField
        form={form}
        name="letters"
        label={t('einvoices.letters')}
        autoComplete="off"
        required
        autoFocus
      />
      <Box sx={pairs}>
        <TextField form={form} name="from" label={t('einvoices.from')} inputMode="numeric" required />
        <TextField form={form} name="to" label={t('einvoices.to_number')} inputMode="numeric" required />
      </Box>
    </FormDialog>
  );
}
