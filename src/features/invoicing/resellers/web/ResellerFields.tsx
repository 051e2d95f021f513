// The details of a reseller on its bills, as form fields.
import type { FieldPath, FieldValues } from 'react-hook-form';
import * as z from 'zod/mini';
import { optionalText, text } from '#kernel/shape.ts';
import { PercentField, TextField } from '#platform/web/form/TextField.tsx';
import type { FormOf } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { resellers } from '../contract.ts';

const { numberPrefix, taxRate } = resellers.makeReseller.input.shape;

/** The fields as typed. */
export const resellerShape = {
  name: text(120),
  numberPrefix,
  taxRate,
  dueDays: z.string().check(z.regex(/^(36[0-5]|3[0-5]\d|[12]?\d{1,2})$/)),
  instructions: optionalText(1000),
};
type TypedFields = z.output<z.ZodMiniObject<typeof resellerShape>>;

/** The values of the fields as calls accept them. */
export const resellerInput = ({ dueDays, ...details }: TypedFields) => ({
  ...details,
  dueDays: Number.parseInt(dueDays, 10),
});

/** Where a form stores them: under their own names. */
export const resellerFieldNames = {
  name: 'name',
  numberPrefix: 'numberPrefix',
  taxRate: 'taxRate',
  dueDays: 'dueDays',
  instructions: 'instructions',
} as const;

export function ResellerFields<In extends FieldValues, Sent>({
  form,
  names,
}: {
  readonly form: FormOf<In, Sent>;
  readonly names: Readonly<Record<keyof typeof resellerShape, FieldPath<In>>>;
}) {
  const { t } = useTranslation('resellers');
  return (
    <>
      <TextField
        form={form}
        name={names.name}
        label={t('resellers.name')}
        help={t('resellers.name_help')}
        required
      />
      <TextField
        form={form}
        name={names.numberPrefix}
        label={t('resellers.number_prefix')}
        help={t('resellers.number_prefix_help')}
        required
      />
      <PercentField form={form} name={names.taxRate} label={t('resellers.tax_rate')} required />
      <TextField
        form={form}
        name={names.dueDays}
        label={t('resellers.due_days')}
        inputMode="numeric"
        required
      />
      <TextField
        form={form}
        name={names.instructions}
        label={t('resellers.how_to_pay')}
        help={t('resellers.instructions_help')}
        rows={3}
      />
    </>
  );
}
