// The own organization's settings: what stands on its bills, its zone and its language.
import Box from '@mui/material/Box';
import * as z from 'zod/mini';
import { languages } from '#kernel/language.ts';
import { email, optionalText, text, timeZone } from '#kernel/shape.ts';
import type { Organization } from '#features/identity/contract.ts';
import { isTaxId } from '#features/identity/rules.ts';
import { Form } from '#platform/web/form/Form.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { SuggestField } from '#platform/web/form/SuggestField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { UnsavedBar } from '#platform/web/form/UnsavedBar.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useCall } from '#platform/web/queries.ts';
import { usualZones } from '#platform/web/form/time-zones.ts';
import { toast } from '#platform/web/toasts.ts';
import { identityApi, identityKey } from './api.ts';
import { useIdentityTexts } from './texts.ts';

const schema = z.strictObject({
  name: text(160),
  taxId: z.string().check(z.trim(), z.refine((typed) => typed === '' || isTaxId(typed), 'identity.tax_id_invalid')),
  billingEmail: z.union([z.literal(''), email]),
  billingAddress: optionalText(400),
  purchaseOrder: optionalText(60),
  billingReference: optionalText(200),
  timeZone,
  language: z.enum(languages),
});

export function OrganizationForm({ organization }: { organization: Organization }) {
  const t = useIdentityTexts();
  const form = useZodForm(schema, valuesOf(organization));
  // The name stands in the profile too.
  const save = useCall(identityApi.updateOrganization, { invalidates: [identityKey('organization'), identityKey('profile')] });
  const submit = async (values: z.output<typeof schema>) => {
    form.reset(valuesOf(await save.mutateAsync(values)));
    toast.success(t('identity.organization_saved'));
  };
  return (
    <Form form={form} onSubmit={submit} label={t('identity.organization_settings')}>
      <Box sx={{ display: 'grid', columnGap: 2, rowGap: 1, gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' } }}>
        <TextField form={form} name="name" label={t('identity.organization')} autoComplete="organization" required />
        <TextField form={form} name="taxId" label={t('identity.tax_id')} help={t('identity.tax_id_help')} inputMode="numeric" autoComplete="off" />
        <Box sx={{ gridColumn: { sm: '1 / -1' } }}><TextField form={form} name="billingEmail" label={t('identity.billing_email')} help={t('identity.billing_email_help')} type="email" inputMode="email" autoComplete="billing email" /></Box>
        <Box sx={{ gridColumn: { sm: '1 / -1' } }}><TextField form={form} name="billingAddress" label={t('identity.billing_address')} autoComplete="billing street-address" rows={2} /></Box>
        <TextField form={form} name="purchaseOrder" label={t('identity.purchase_order')} help={t('identity.purchase_order_help')} autoComplete="off" />
        <TextField form={form} name="billingReference" label={t('identity.billing_reference')} help={t('identity.billing_reference_help')} autoComplete="off" />
        <SuggestField form={form} name="timeZone" label={t('identity.time_zone')} help={t('identity.time_zone_help')} suggestions={usualZones} required />
        {/* used as: 'identity.language_*' */}
        <SelectField form={form} name="language" label={t('identity.language')} help={t('identity.organization_language_help')} options={languages.map((one) => ({ value: one, label: t(`identity.language_${one}`) }))} />
      </Box>
      <UnsavedBar form={form} />
    </Form>
  );
}

const valuesOf = ({ name, taxId, billingEmail, billingAddress, purchaseOrder, billingReference, timeZone: zone, language }: Organization): z.input<typeof schema> =>
  ({ name, taxId, billingEmail, billingAddress, purchaseOrder, billingReference, timeZone: zone, language });
