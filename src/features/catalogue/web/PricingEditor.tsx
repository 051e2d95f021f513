// The price of a service: its model and the figures that model needs, with a live preview.
import Box from '@mui/material/Box';
import { useWatch } from 'react-hook-form';
import { currencyCodes } from '#kernel/money.ts';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { billingCycles, pricingModels } from '#features/catalogue/contract.ts';
import { PricePreview } from './PricePreview.tsx';
import { hasTiers, pricingOf, type ServiceFields } from './service-fields.ts';
import type { ServiceForm } from './service-form.ts';
import { useCatalogueTexts } from './texts.ts';
import { TierEditor } from './TierEditor.tsx';

const pairs = { display: 'grid', gap: '12px 16px', gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' } } as const;

export function PricingEditor({ form }: { form: ServiceForm }) {
  const t = useCatalogueTexts();
  const fields = useWatch({ control: form.control }) as ServiceFields;
  const { model, currency, unit } = fields;
  const amount = (name: 'baseFee' | 'minimum' | 'unitPrice' | 'packagePrice', label: string, isNeeded: boolean, help?: string) =>
    <TextField form={form} name={name} label={label} inputMode="decimal" start={currency} required={isNeeded} {...(help !== undefined && { help })} />;
  return (
    <Box sx={{ display: 'grid', gap: 1.5 }}>
      <Box sx={pairs}>
        {/* used as: 'catalogue.model_*' */}
        <SelectField form={form} name="model" label={t('catalogue.model')} help={t(`catalogue.model_help_${model}`)} options={pricingModels.map((one) => ({ value: one, label: t(`catalogue.model_${one}`) }))} />
        <Box sx={{ display: 'grid', gap: '12px 16px', gridTemplateColumns: 'repeat(2, minmax(0, 1fr))' }}>
          <SelectField form={form} name="currency" label={t('catalogue.currency')} options={currencyCodes.map((one) => ({ value: one, label: one }))} />
          {/* used as: 'catalogue.cycle_*' */}
          <SelectField form={form} name="billingCycle" label={t('catalogue.cycle')} options={billingCycles.map((one) => ({ value: one, label: t(`catalogue.cycle_${one}`) }))} />
        </Box>
        {model === 'per_unit' && amount('unitPrice', t('catalogue.unit_price'), true, t('catalogue.unit_price_help'))}
        {model === 'package' && (
          <>
            <TextField form={form} name="packageSize" label={t('catalogue.package_size')} inputMode="decimal" end={unit} required />
            {amount('packagePrice', t('catalogue.package_price'), true)}
            <TextField form={form} name="freeUnits" label={t('catalogue.free_units')} inputMode="decimal" end={unit} help={t('form.optional')} />
          </>
        )}
        {amount('baseFee', t('catalogue.base_fee'), model === 'flat', model === 'flat' ? undefined : t('catalogue.base_fee_help'))}
        {amount('minimum', t('catalogue.minimum'), false, t('catalogue.minimum_help'))}
      </Box>
      {hasTiers(model) && <TierEditor form={form} />}
      <PricePreview pricing={pricingOf(fields)} unit={unit} />
    </Box>
  );
}
