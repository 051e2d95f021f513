// How much of a service can be used in a month. A rate card's limit applies to one meter, over all values of
// its dimensions.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useEffect } from 'react';
import { useWatch } from 'react-hook-form';
import { pairs, whole } from '#platform/web/form/FieldGroup.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { isLimitable, isPlain, useKnownMeters, type KnownMeter } from './known-meters.ts';
import { MeterField } from './MeterField.tsx';
import { choosesLimited, mayHaveLimit, quotaTypes, type ServiceFields } from './service-fields.ts';
import type { ServiceForm } from './service-form.ts';

export function QuotaFields({ form }: { form: ServiceForm }) {
  const { t } = useTranslation('catalogue');
  const fields = useWatch({ control: form.control }) as ServiceFields;
  const { priceForm, quotaType, eventType } = fields;
  if (!mayHaveLimit(fields))
    return (
      <Typography variant="body2" color="textSecondary">
        {t('catalogue.quota_fees_only')}
      </Typography>
    );
  return (
    <Box sx={pairs}>
      {/* used as: 'catalogue.quota_type_*' */}
      <SelectField
        form={form}
        name="quotaType"
        label={t('catalogue.quota')}
        help={t(`catalogue.quota_help_${quotaType}`)}
        options={quotaTypes.map((one) => ({ value: one, label: t(`catalogue.quota_type_${one}`) }))}
      />
      {quotaType !== 'unlimited' &&
        (choosesLimited(fields) ? (
          <OfMeter form={form} fields={fields} />
        ) : (
          <TextField
            form={form}
            name="quotaLimit"
            label={t('catalogue.quota_limit')}
            inputMode="decimal"
            end={fields.unit}
            required
            {...(priceForm === 'card' && { help: t('catalogue.quota_of', { eventType }) })}
          />
        ))}
    </Box>
  );
}

/**
 * The meter of a rate card's limit: if none is chosen, the first plain one of the card, or else the first
 * that can be limited.
 */
function OfMeter({ form, fields }: { form: ServiceForm; fields: ServiceFields }) {
  const { t } = useTranslation('catalogue');
  const named = fields.charges.flatMap(({ kind, meter }) => (kind === 'usage' ? meter : []));
  const { meters } = useKnownMeters(form, [...named, fields.quotaMeter]);
  const firstThat = (isRight: (meter: KnownMeter) => boolean): string | undefined =>
    named.find((key) => {
      const meter = meters.get(key);
      return meter !== undefined && isRight(meter);
    });
  // As on the server, a plain meter comes first, because it can be the service's own.
  const first = firstThat(isPlain) ?? firstThat((meter) => isLimitable(meter, named));
  useEffect(() => {
    if (form.getValues('quotaMeter') === '' && first !== undefined) form.setValue('quotaMeter', first);
  }, [form, first]);
  return (
    <>
      <TextField
        form={form}
        name="quotaLimit"
        label={t('catalogue.quota_limit')}
        inputMode="decimal"
        end={meters.get(fields.quotaMeter)?.unit}
        required
      />
      <Box sx={whole}>
        <MeterField
          form={form}
          name="quotaMeter"
          label={t('catalogue.quota_meter')}
          isFor={(meter) => isLimitable(meter, named)}
        />
        <Typography variant="caption" component="p" color="textSecondary">
          {t('catalogue.quota_meter_help')}
        </Typography>
      </Box>
    </>
  );
}
