// An organization's settings as form fields: for its own members, and with tax fields for an Admin.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import { countryChoices } from '#kernel/countries.ts';
import { contentLanguages } from '#kernel/language.ts';
import { email, optionalText, text, timeZone } from '#kernel/shape.ts';
import { taxStatuses, type Organization } from '../contract.ts';
import { isTaxId } from '#kernel/tax-ids.ts';
import { isElectronicAddress, tidyVatId, vatIdExample } from '#kernel/vat-ids.ts';
import { pairs } from '#platform/web/form/FieldGroup.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { SuggestField } from '#platform/web/form/SuggestField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { suggestedZones } from '#platform/web/form/time-zones.ts';
import type { FormOf } from '#platform/web/form/use-zod-form.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
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
  electronicAddress: z.string().check(
    z.trim(),
    z.refine((typed) => typed === '' || isElectronicAddress(typed), 'identity.electronic_address_invalid'),
  ),
  timeZone,
  language: z.enum(contentLanguages),
  taxStatus: z.enum(taxStatuses),
  country: z.string(),
  vatId: z.pipe(z.string(), z.transform(tidyVatId)),
});
type Typed = z.input<typeof organizationSchema>;
export type OrganizationValues = z.output<typeof organizationSchema>;

/** The fields that an organization's own members can change. */
export const ownValuesOf = ({
  name,
  taxId,
  billingEmail,
  billingAddress,
  purchaseOrder,
  billingReference,
  electronicAddress,
  timeZone: zone,
  language,
}: Organization | OrganizationValues): Omit<OrganizationValues, 'taxStatus' | 'country' | 'vatId'> => ({
  name,
  taxId,
  billingEmail,
  billingAddress,
  purchaseOrder,
  billingReference,
  electronicAddress,
  timeZone: zone,
  language,
});
export const valuesOf = (organization: Organization): Typed => ({
  ...ownValuesOf(organization),
  taxStatus: organization.taxStatus,
  country: organization.country,
  vatId: organization.vatId,
});

const wide = { gridColumn: { sm: '1 / -1' } } as const;

export function OrganizationFields({ form }: { form: FormOf<Typed, OrganizationValues> }) {
  const { t } = useTranslation('identity');
  return (
    <Box sx={pairs}>
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
      <Box sx={wide}>
        <TextField
          form={form}
          name="electronicAddress"
          label={t('identity.electronic_address')}
          help={t('identity.electronic_address_help')}
          autoComplete="off"
        />
      </Box>
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
        options={contentLanguages.map((one) => ({ value: one, label: t(`identity.language_${one}`) }))}
      />
    </Box>
  );
}

/**
 * The organization's country and VAT id, for an Admin: with the seller's country, they determine which
 * country's tax applies.
 */
export function PlaceFields({ form }: { form: FormOf<Typed, OrganizationValues> }) {
  const { t } = useTranslation('identity');
  const { language } = useFormat();
  const country = useWatch({ control: form.control, name: 'country' });
  return (
    <>
      <SelectField
        form={form}
        name="country"
        label={t('identity.country')}
        help={t('identity.country_help')}
        options={[{ value: '', label: t('identity.country_none') }, ...countryChoices(language)]}
      />
      {country !== '' && country !== 'TW' && (
        <TextField
          form={form}
          name="vatId"
          label={t('identity.vat_id')}
          help={t('identity.vat_id_help', { example: vatIdExample(country) })}
          autoComplete="off"
        />
      )}
    </>
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
