// An organization's settings as form fields: for its own members, and with tax fields for an Admin.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import { languages } from '#kernel/language.ts';
import { email, optionalText, text, timeZone } from '#kernel/shape.ts';
import { taxStatuses, type Organization } from '../contract.ts';
import { isTaxId } from '../rules.ts';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { SuggestField } from '#platform/web/form/SuggestField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { suggestedZones } from '#platform/web/form/time-zones.ts';
import type { FormOf } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';

export const organizationSchema = z.strictObject({
  name: text(160),
  taxId: z.string().check(
    z.trim(),
    z.refine((typed) => typed === '' || isTaxId(typed), 'identity.tax_id_invalid'),
  ),
  billingEmail: z.union([z.literal(''), email]),
  billingAddress: optionalText(400),
  purchaseOrder: optionalText(60),
  billingReference: optionalText(200),
  timeZone,
  language: z.enum(languages),
  taxStatus: z.enum(taxStatuses),
});
type Typed = z.input<typeof organizationSchema>;
export type OrganizationValues = z.output<typeof organizationSchema>;

/** The fields that an organization's own members may change. */
export const ownValuesOf = ({
  name,
  taxId,
  billingEmail,
  billingAddress,
  purchaseOrder,
  billingReference,
  timeZone: zone,
  language,
}: Organization | OrganizationValues): Omit<OrganizationValues, 'taxStatus'> => ({
  name,
  taxId,
  billingEmail,
  billingAddress,
  purchaseOrder,
  billingReference,
  timeZone: zone,
  language,
});
export const valuesOf = (organization: Organization): Typed => ({
  ...ownValuesOf(organization),
  taxStatus: organization.taxStatus,
});

const wide = { gridColumn: { sm: '1 / -1' } } as const;

export function OrganizationFields({ form }: { form: FormOf<Typed, OrganizationValues> }) {
  const { t } = useTranslation('identity');
  return (
    <Box
      sx={{
        display: 'grid',
        columnGap: 2,
        rowGap: 1,
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
      }}
    >
      <TextField
        form={form}
        name="name"
        label={t('identity.organization')}
        autoComplete="organization"
        required
      />
      <TextField
        form={form}
        name="taxId"
        label={t('identity.tax_id')}
        help={t('identity.tax_id_help')}
        inputMode="numeric"
        autoComplete="off"
      />
      <Box sx={wide}>
        <TextField
          form={form}
          name="billingEmail"
          label={t('identity.billing_email')}
          help={t('identity.billing_email_help')}
          type="email"
          inputMode="email"
          autoComplete="billing email"
        />
      </Box>
      <Box sx={wide}>
        <TextField
          form={form}
          name="billingAddress"
          label={t('identity.billing_address')}
          autoComplete="billing street-address"
          rows={2}
        />
      </Box>
      <TextField
        form={form}
        name="purchaseOrder"
        label={t('identity.purchase_order')}
        help={t('identity.purchase_order_help')}
        autoComplete="off"
      />
      <TextField
        form={form}
        name="billingReference"
        label={t('identity.billing_reference')}
        help={t('identity.billing_reference_help')}
        autoComplete="off"
      />
      <SuggestField
        form={form}
        name="timeZone"
        label={t('identity.time_zone')}
        help={t('identity.time_zone_help')}
        suggestions={suggestedZones}
        required
      />
      {/* used as: 'identity.language_*' */}
      <SelectField
        form={form}
        name="language"
        label={t('identity.language')}
        help={t('identity.organization_language_help')}
        options={languages.map((one) => ({ value: one, label: t(`identity.language_${one}`) }))}
      />
    </Box>
  );
}

/** The tax treatment, for an Admin. `stored` is the saved one. */
// used as: 'identity.tax_status_*', 'identity.tax_status_help_*'
export function TaxField({
  form,
  stored,
}: {
  form: FormOf<Typed, OrganizationValues>;
  stored: Organization['taxStatus'];
}) {
  const { t } = useTranslation('identity');
  const chosen = useWatch({ control: form.control, name: 'taxStatus' });
  return (
    <>
      <SelectField
        form={form}
        name="taxStatus"
        label={t('identity.tax_status')}
        help={t(`identity.tax_status_help_${chosen}`)}
        options={taxStatuses.map((one) => ({ value: one, label: t(`identity.tax_status_${one}`) }))}
      />
      {chosen !== stored && <Alert severity="info">{t('identity.tax_status_from')}</Alert>}
    </>
  );
}
