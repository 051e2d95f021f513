// The term and the amounts of a new commitment: one amount for all periods, or one for each.
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useWatch } from 'react-hook-form';
import { withSymbol } from '#kernel/format-money.ts';
import { currencyCodes } from '#kernel/money.ts';
import { isMonth } from '#kernel/shape.ts';
import { addMonths, monthsFrom } from '#kernel/time.ts';
import { pairs } from '#platform/web/form/FieldGroup.tsx';
import { CheckField, SelectField } from '#platform/web/form/SelectField.tsx';
import { MoneyField, TextField } from '#platform/web/form/TextField.tsx';
import type { FormOf } from '#platform/web/form/use-zod-form.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { monthNow } from '#platform/web/time/months.ts';
import { commitmentPeriods } from '../contract.ts';
import { periodMonths } from '../rules.ts';
import { typedMonths, typedPeriods, type CommitmentFields } from './commitment-fields.ts';
import { useCommitmentWords } from './commitment-words.ts';

export type CommitmentForm = FormOf<CommitmentFields, CommitmentFields>;

/** How many months ahead a commitment can start. */
const monthsAhead = 12;

export function AmountFields({ form }: { form: CommitmentForm }) {
  const { t } = useTranslation('commitments');
  const { language } = useFormat();
  const [period, months, currency, isRamp] = useWatch({
    control: form.control,
    name: ['period', 'months', 'currency', 'isRamp'],
  });
  const count = typedPeriods({ period, months });
  const sign = withSymbol('', currency, language);
  // used as: 'commitments.amount_*', 'commitments.period_*'
  return (
    <Stack sx={{ gap: 1.5 }}>
      <TermFields form={form} />
      <Box sx={pairs}>
        <SelectField
          form={form}
          name="period"
          label={t('commitments.period')}
          options={commitmentPeriods.map((one) => ({ value: one, label: t(`commitments.period_${one}`) }))}
        />
        <SelectField
          form={form}
          name="currency"
          label={t('commitments.column_currency')}
          options={currencyCodes.map((one) => ({ value: one, label: one }))}
        />
      </Box>
      {!isRamp && (
        <MoneyField
          form={form}
          name="amounts.0"
          label={t(`commitments.amount_${period}`)}
          sign={sign}
          required
        />
      )}
      {(isRamp || (count ?? 0) > 1) && <CheckField form={form} name="isRamp" label={t('commitments.ramp')} />}
      {isRamp && <Ramp form={form} sign={sign} count={count ?? 1} />}
    </Stack>
  );
}

/** The start and length of the term, with the months that result. */
function TermFields({ form }: { form: CommitmentForm }) {
  const { t } = useTranslation('commitments');
  const format = useFormat();
  const words = useCommitmentWords();
  const now = monthNow(useBrand((brand) => brand.timeZone));
  const [startsOn, months] = useWatch({ control: form.control, name: ['startsOn', 'months'] });
  const first = isMonth(startsOn) ? startsOn : now;
  const count = typedMonths(months);
  return (
    <Box sx={pairs}>
      <SelectField
        form={form}
        name="startsOn"
        label={t('commitments.starts_on')}
        options={[
          { value: '', label: t('commitments.current_month') },
          ...monthsFrom(addMonths(now, -1), monthsAhead + 2).map((one) => ({
            value: one,
            label: format.month(one),
          })),
        ]}
      />
      <TextField
        form={form}
        name="months"
        label={t('commitments.months')}
        help={
          count === undefined
            ? t('commitments.months_help')
            : words.months(first, addMonths(first, count - 1))
        }
        inputMode="numeric"
        autoComplete="off"
        required
      />
    </Box>
  );
}

/** An amount for each period; a period left empty has the amount of the one before. */
function Ramp({ form, sign, count }: { form: CommitmentForm; sign: string; count: number }) {
  const { t } = useTranslation('commitments');
  const words = useCommitmentWords();
  const now = monthNow(useBrand((brand) => brand.timeZone));
  const [startsOn, months, period] = useWatch({
    control: form.control,
    name: ['startsOn', 'months', 'period'],
  });
  const first = isMonth(startsOn) ? startsOn : now;
  const length = periodMonths({ period, months: typedMonths(months) ?? 1 });
  return (
    <Box role="group" aria-label={t('commitments.ramp_title')} sx={{ display: 'grid', gap: '8px' }}>
      <Typography variant="body2" color="textSecondary">
        {t('commitments.ramp_help')}
      </Typography>
      <Box sx={pairs}>
        {Array.from({ length: count }, (_, index) => (
          <MoneyField
            key={index}
            form={form}
            name={`amounts.${index}`}
            label={t('commitments.period_number', { number: index + 1 })}
            help={words.months(addMonths(first, index * length), addMonths(first, (index + 1) * length - 1))}
            sign={sign}
            required={index === 0}
          />
        ))}
      </Box>
    </Box>
  );
}
