// The fields of a charge: its names and kind, its price, and under "more" its timing, minimum and maximum.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { useEffect, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { pairs } from '#platform/web/form/FieldGroup.tsx';
import { MoreFields } from '#platform/web/form/MoreFields.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import {
  chargeAnchors,
  chargeCycles,
  chargeKinds,
  chargeProrations,
  chargeTimings,
} from '#features/selling/rating/contract.ts';
import { modelsOf } from './charge-fields.ts';
import { ChargePriceFields } from './ChargePriceFields.tsx';
import { MeterFact, MeterField } from './MeterField.tsx';
import type { ServiceForm } from './service-form.ts';

type PartProps = { readonly form: ServiceForm; readonly index: number };

export function ChargeFieldset({ form, index }: PartProps) {
  const { t } = useTranslation('catalogue');
  const at = `charges.${index}` as const;
  const [kind, model, keyState] = useWatch({
    control: form.control,
    name: [`${at}.kind`, `${at}.model`, `${at}.keyState`],
  });
  const isStored = keyState === 'stored';
  const models = modelsOf(kind);
  useEffect(() => {
    if (!models.includes(model)) form.setValue(`${at}.model`, 'flat');
  }, [form, at, models, model]);
  return (
    <Box sx={{ display: 'grid', gap: 1.5 }}>
      {isStored && <Alert severity="info">{t('catalogue.charge_stored')}</Alert>}
      <Box sx={pairs}>
        <TextField
          form={form}
          name={`${at}.name.zhTW`}
          label={t('catalogue.charge_name_zh')}
          autoComplete="off"
          required
        />
        <TextField
          form={form}
          name={`${at}.name.enUS`}
          label={t('catalogue.charge_name_en')}
          autoComplete="off"
          required
        />
        {/* used as: 'catalogue.kind_*', 'catalogue.kind_help_*', 'catalogue.charge_cycle_*' */}
        <SelectField
          form={form}
          name={`${at}.kind`}
          label={t('catalogue.kind')}
          // The help text of a disabled field would be too pale to read.
          {...(!isStored && { help: t(`catalogue.kind_help_${kind}`) })}
          disabled={isStored}
          options={chargeKinds.map((one) => ({ value: one, label: t(`catalogue.kind_${one}`) }))}
        />
        {kind === 'recurring' && (
          <SelectField
            form={form}
            name={`${at}.cycle`}
            label={t('catalogue.charge_cycle')}
            disabled={isStored}
            options={chargeCycles.map((one) => ({ value: one, label: t(`catalogue.charge_cycle_${one}`) }))}
          />
        )}
        {kind === 'usage' &&
          (isStored ? (
            <MeterFact form={form} name={`${at}.meter`} />
          ) : (
            <MeterField form={form} name={`${at}.meter`} label={t('catalogue.charge_meter')} />
          ))}
        {/* used as: 'catalogue.model_*', 'catalogue.charge_help_*' */}
        <SelectField
          form={form}
          name={`${at}.model`}
          label={t('catalogue.model')}
          help={t(`catalogue.charge_help_${model}`)}
          options={models.map((one) => ({ value: one, label: t(`catalogue.model_${one}`) }))}
        />
      </Box>
      <ChargePriceFields form={form} index={index} />
      <More form={form} index={index} isStored={isStored} />
    </Box>
  );
}

/** What a percentage charges for each event besides its share. */
const perEventNames = ['fixedPerEvent', 'freeEvents', 'freeAmount', 'minPerEvent', 'maxPerEvent'] as const;
const moreNames = [
  'key',
  'timing',
  'prorate',
  'anchor',
  'minimum',
  'maximum',
  'taxCategory',
  ...perEventNames,
] as const;

function More({ form, index, isStored }: PartProps & { isStored: boolean }) {
  const { t } = useTranslation('catalogue');
  const at = `charges.${index}` as const;
  const [kind, model, currency] = useWatch({
    control: form.control,
    name: [`${at}.kind`, `${at}.model`, 'currency'],
  });
  // Values of a percentage that are set must not be hidden.
  const [hasPerEvent] = useState(
    () => model === 'percentage' && perEventNames.some((name) => form.getValues(`${at}.${name}`) !== ''),
  );
  const limit = (name: 'minimum' | 'maximum') => (
    <TextField
      form={form}
      name={`${at}.${name}`}
      label={t(`catalogue.charge_${name}`)}
      help={t(name === 'minimum' ? 'catalogue.minimum_help' : 'catalogue.maximum_help')}
      inputMode="decimal"
      autoComplete="off"
      start={currency}
    />
  );
  return (
    <MoreFields
      form={form}
      names={moreNames.map((name) => `${at}.${name}` as const)}
      startsOpen={hasPerEvent}
    >
      <Box sx={pairs}>
        {model === 'percentage' && <PerEvent form={form} index={index} currency={currency} />}
        {/* used as: 'catalogue.charge_minimum', 'catalogue.charge_maximum' */}
        {limit('minimum')}
        {limit('maximum')}
        {kind === 'recurring' && <Periods form={form} index={index} isStored={isStored} />}
        {isStored ? <KeyFact form={form} index={index} /> : <KeyField form={form} index={index} />}
        <TextField
          form={form}
          name={`${at}.taxCategory`}
          label={t('catalogue.charge_tax_category')}
          help={t('catalogue.charge_tax_category_help')}
          autoComplete="off"
        />
      </Box>
    </MoreFields>
  );
}

/** Fees, free parts and limits for single events. */
function PerEvent({ form, index, currency }: PartProps & { currency: string }) {
  const { t } = useTranslation('catalogue');
  return perEventNames.map((name) => (
    <TextField
      key={name}
      form={form}
      name={`charges.${index}.${name}`}
      // used as: 'catalogue.fixedPerEvent', 'catalogue.freeEvents', 'catalogue.freeAmount', 'catalogue.minPerEvent', 'catalogue.maxPerEvent'
      label={t(`catalogue.${name}`)}
      help={name === 'freeAmount' ? t('catalogue.free_amount_help') : t('form.optional')}
      inputMode={name === 'freeEvents' ? 'numeric' : 'decimal'}
      autoComplete="off"
      {...(name !== 'freeEvents' && { start: currency })}
    />
  ));
}

/** When the fee for a period is charged, the price of a part of one, and when periods start. */
function Periods({ form, index, isStored }: PartProps & { isStored: boolean }) {
  const { t } = useTranslation('catalogue');
  const at = `charges.${index}` as const;
  return (
    <>
      {/* used as: 'catalogue.timing_*', 'catalogue.charge_prorate_*', 'catalogue.anchor_*' */}
      <SelectField
        form={form}
        name={`${at}.timing`}
        label={t('catalogue.timing')}
        disabled={isStored}
        options={[
          { value: '', label: t('catalogue.timing_advance') },
          ...chargeTimings
            .filter((one) => one !== 'advance')
            .map((one) => ({ value: one, label: t(`catalogue.timing_${one}`) })),
        ]}
      />
      <SelectField
        form={form}
        name={`${at}.prorate`}
        label={t('catalogue.charge_prorate')}
        {...(!isStored && { help: t('catalogue.charge_prorate_help') })}
        disabled={isStored}
        options={chargeProrations.map((one) => ({ value: one, label: t(`catalogue.charge_prorate_${one}`) }))}
      />
      <SelectField
        form={form}
        name={`${at}.anchor`}
        label={t('catalogue.anchor')}
        disabled={isStored}
        options={chargeAnchors.map((one) => ({ value: one, label: t(`catalogue.anchor_${one}`) }))}
      />
    </>
  );
}

function KeyFact({ form, index }: PartProps) {
  const { t } = useTranslation('catalogue');
  return <Facts items={[[t('catalogue.charge_key'), form.getValues(`charges.${index}.key`)]]} />;
}

/** Once typed, it no longer follows the name. */
function KeyField({ form, index }: PartProps) {
  const { t } = useTranslation('catalogue');
  return (
    <Box onInput={() => form.setValue(`charges.${index}.keyState`, 'own')}>
      <TextField
        form={form}
        name={`charges.${index}.key`}
        label={t('catalogue.charge_key')}
        help={t('catalogue.charge_key_help')}
        autoComplete="off"
        required
      />
    </Box>
  );
}
