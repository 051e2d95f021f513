// The fields of a discount's form that can be changed later: its name, and who may use its code, how often
// and until when.
import Box from '@mui/material/Box';
import { useController } from 'react-hook-form';
import { pairs } from '#platform/web/form/FieldGroup.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { PickerField } from '#platform/web/form/PickerField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import type { FormOf } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { audiences } from '../contract.ts';
import type { LimitsFields } from './discount-fields.ts';
import { OrganizationsField } from './OrganizationsField.tsx';

type LimitsForm<In extends LimitsFields, Sent> = { readonly form: FormOf<In, Sent> };
/**
 * The fields of a larger form that are the fields of the limits; TypeScript cannot infer that from a type
 * parameter.
 */
const limitsForm = <In extends LimitsFields, Sent>(form: FormOf<In, Sent>): FormOf<LimitsFields, Sent> =>
  form as unknown as FormOf<LimitsFields, Sent>;

export function NameFields<In extends LimitsFields, Sent>({ form: given }: LimitsForm<In, Sent>) {
  const { t } = useTranslation('discounts');
  const form = limitsForm(given);
  return (
    <Box sx={pairs}>
      <TextField form={form} name="nameZh" label={t('discounts.name_zhTW')} autoComplete="off" required />
      <TextField form={form} name="nameEn" label={t('discounts.name_enUS')} autoComplete="off" required />
    </Box>
  );
}

/** `hasCode`: whether the discount has a code, without which only the numbers matter. */
export function LimitFields<In extends LimitsFields, Sent>({
  form: given,
  hasCode,
}: LimitsForm<In, Sent> & { readonly hasCode: boolean }) {
  const { t } = useTranslation('discounts');
  const form = limitsForm(given);
  const audience = form.watch('audience');
  return (
    <>
      <Box sx={pairs}>
        <TextField
          form={form}
          name="maxRedemptions"
          label={t('discounts.max_redemptions')}
          help={t('discounts.max_redemptions_help')}
          inputMode="numeric"
          autoComplete="off"
        />
        <TextField
          form={form}
          name="maxPerOrganization"
          label={t('discounts.max_per_organization')}
          inputMode="numeric"
          autoComplete="off"
          required
        />
        {hasCode && (
          <>
            <PickerField
              form={form}
              name="redeemableUntil"
              type="date"
              label={t('discounts.redeemable_until')}
              help={t('discounts.redeemable_until_help')}
            />
            {/* used as: 'discounts.audience_*' */}
            <SelectField
              form={form}
              name="audience"
              label={t('discounts.audience')}
              options={audiences.map((one) => ({ value: one, label: t(`discounts.audience_${one}`) }))}
              {...(audience === 'new' && { help: t('discounts.audience_new_hint') })}
            />
          </>
        )}
      </Box>
      {hasCode && audience === 'named' && <Organizations form={form} />}
    </>
  );
}

function Organizations<Sent>({ form }: { form: FormOf<LimitsFields, Sent> }) {
  const { field, fieldState } = useController({ control: form.control, name: 'organizations' });
  return (
    <OrganizationsField value={field.value} problem={fieldState.error?.message} onChange={field.onChange} />
  );
}
