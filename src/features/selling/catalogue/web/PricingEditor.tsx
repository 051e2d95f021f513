// The price of a service: its model and the figures that the model needs, with a live preview.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useState, type ReactNode } from 'react';
import { useWatch } from 'react-hook-form';
import { currencyCodes } from '#kernel/money.ts';
import { pairs } from '#platform/web/form/FieldGroup.tsx';
import { MoreFields } from '#platform/web/form/MoreFields.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { prorations } from '#features/selling/rating/contract.ts';
import { billingCycles, pricingModels, type Pricing } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { PricePreview } from './PricePreview.tsx';
import { hasIncluded, hasTiers, pricingOf, type ServiceFields } from './service-fields.ts';
import type { ServiceForm } from './service-form.ts';
import { TierEditor } from './TierEditor.tsx';

const moreNames = ['minimum', 'maximum', 'proration', 'trialDays'] as const;

export type PricingEditorProps = {
  readonly form: ServiceForm;
  /** Whether the currency is fixed, since later prices of a service keep its currency. */
  readonly fixedCurrency?: boolean;
  /** False if only the price is agreed on and the terms are the service's. */
  readonly withTerms?: boolean;
  /** Rendered below the preview with the typed price, once it is complete. */
  readonly below?: (pricing: Pricing) => ReactNode;
};

export function PricingEditor({ form, fixedCurrency = false, withTerms = true, below }: PricingEditorProps) {
  const { t } = useTranslation('catalogue');
  const fields = useWatch({ control: form.control }) as ServiceFields;
  const { model, currency, unit, billingCycle } = fields;
  const pricing = pricingOf(fields);
  const [isMoreUsed] = useState(() =>
    form.getValues(['minimum', 'maximum', 'trialDays']).some((value) => value !== ''),
  );
  return (
    <Box sx={{ display: 'grid', gap: 1.5 }}>
      <Box sx={pairs}>
        {/* used as: 'catalogue.model_*' */}
        <SelectField
          form={form}
          name="model"
          label={t('catalogue.model')}
          help={t(`catalogue.model_help_${model}`)}
          options={pricingModels.map((one) => ({ value: one, label: t(`catalogue.model_${one}`) }))}
        />
        {fixedCurrency ? (
          <Box sx={{ paddingInline: '2px' }}>
            <Typography variant="caption" component="p" color="textSecondary">
              {t('catalogue.currency')}
            </Typography>
            <Typography>{t('catalogue.currency_fixed', { currency })}</Typography>
          </Box>
        ) : (
          <SelectField
            form={form}
            name="currency"
            label={t('catalogue.currency')}
            options={currencyCodes.map((one) => ({ value: one, label: one }))}
          />
        )}
        <Figures form={form} model={model} currency={currency} unit={unit} />
        {withTerms && <Cycle form={form} />}
      </Box>
      {hasTiers(model) && <TierEditor form={form} name="tiers" />}
      <MoreFields
        form={form}
        names={moreNames}
        inside={t(withTerms ? 'catalogue.more_price' : 'catalogue.more_limits')}
        startsOpen={isMoreUsed}
      >
        <Box sx={pairs}>
          <Limits form={form} currency={currency} />
          {withTerms && <Terms form={form} />}
        </Box>
      </MoreFields>
      <PricePreview pricing={pricing} unit={unit} billingCycle={billingCycle} />
      {pricing && below?.(pricing)}
    </Box>
  );
}

type FiguresProps = { form: ServiceForm } & Pick<ServiceFields, 'model' | 'currency' | 'unit'>;

function Figures({ form, model, currency, unit }: FiguresProps) {
  const { t } = useTranslation('catalogue');
  const amount = (
    name: 'baseFee' | 'unitPrice' | 'packagePrice',
    label: string,
    isNeeded: boolean,
    help?: string,
  ) => (
    <TextField
      form={form}
      name={name}
      label={label}
      inputMode="decimal"
      autoComplete="off"
      start={currency}
      required={isNeeded}
      help={help}
    />
  );
  return (
    <>
      {model === 'per_unit' &&
        amount('unitPrice', t('catalogue.unit_price'), true, t('catalogue.unit_price_help'))}
      {model === 'package' && (
        <>
          <TextField
            form={form}
            name="packageSize"
            label={t('catalogue.package_size')}
            inputMode="decimal"
            autoComplete="off"
            end={unit}
            required
          />
          {amount('packagePrice', t('catalogue.package_price'), true)}
          <TextField
            form={form}
            name="freeUnits"
            label={t('catalogue.free_units')}
            inputMode="decimal"
            autoComplete="off"
            end={unit}
            help={t('form.optional')}
          />
        </>
      )}
      {amount(
        'baseFee',
        t('catalogue.base_fee'),
        model === 'flat',
        model === 'flat' ? undefined : t('catalogue.base_fee_help'),
      )}
      {hasIncluded(model) && (
        <TextField
          form={form}
          name="included"
          label={t('catalogue.included')}
          inputMode="decimal"
          autoComplete="off"
          end={unit}
          help={t('catalogue.included_help')}
        />
      )}
    </>
  );
}

function Limits({ form, currency }: { form: ServiceForm; currency: string }) {
  const { t } = useTranslation('catalogue');
  // used as: 'catalogue.minimum', 'catalogue.maximum', 'catalogue.minimum_help', 'catalogue.maximum_help'
  return (['minimum', 'maximum'] as const).map((name) => (
    <TextField
      key={name}
      form={form}
      name={name}
      label={t(`catalogue.${name}`)}
      help={t(`catalogue.${name}_help`)}
      inputMode="decimal"
      autoComplete="off"
      start={currency}
    />
  ));
}

function Cycle({ form }: { form: ServiceForm }) {
  const { t } = useTranslation('catalogue');
  return (
    // used as: 'catalogue.cycle_*'
    <SelectField
      form={form}
      name="billingCycle"
      label={t('catalogue.cycle')}
      options={billingCycles.map((one) => ({ value: one, label: t(`catalogue.cycle_${one}`) }))}
    />
  );
}

/** The price of a partial period, and an optional trial. */
function Terms({ form }: { form: ServiceForm }) {
  const { t } = useTranslation('catalogue');
  return (
    <>
      {/* used as: 'catalogue.proration_*' */}
      <SelectField
        form={form}
        name="proration"
        label={t('catalogue.proration')}
        help={t('catalogue.proration_help')}
        options={prorations.map((one) => ({ value: one, label: t(`catalogue.proration_${one}`) }))}
      />
      <TextField
        form={form}
        name="trialDays"
        label={t('catalogue.trial_days')}
        inputMode="numeric"
        autoComplete="off"
        end={t('catalogue.days')}
        help={t('catalogue.trial_help')}
      />
    </>
  );
}
