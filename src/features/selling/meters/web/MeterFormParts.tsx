// The sections of a meter's form: its names, what it measures, and the schema of its events' data.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useWatch } from 'react-hook-form';
import { FieldGroup, pairs, whole } from '#platform/web/form/FieldGroup.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import type { FormOf } from '#platform/web/form/use-zod-form.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { brokenAtParts } from '#platform/web/ui/MachineName.tsx';
import { maxDimensions, meterAggregations, type Meter } from '../contract.ts';
import { MeasuredFields } from './MeasuredFields.tsx';
import { useMeasuredFacts } from './measured-facts.ts';
import type { MeterFields } from './meter-fields.ts';
import { SchemaField } from './SchemaField.tsx';

type MeterForm = FormOf<MeterFields, MeterFields>;

/** `meter` is the one to change; undefined to create one. */
export function MeterFormParts({ form, meter }: { form: MeterForm; meter: Meter | undefined }) {
  const { t } = useTranslation('meters');
  return (
    <Box sx={{ display: 'grid', gap: 1 }}>
      <FieldGroup title={t('meters.part_names')}>
        <Names form={form} meter={meter} />
      </FieldGroup>
      <FieldGroup title={t('meters.part_measured')}>
        {meter && meter.usedBy > 0 ? <Measured meter={meter} /> : <DefinitionFields form={form} />}
      </FieldGroup>
      <FieldGroup title={t('meters.part_schema')}>
        <Schema form={form} />
      </FieldGroup>
    </Box>
  );
}

/** The key of an existing meter never changes. */
function Names({ form, meter }: { form: MeterForm; meter: Meter | undefined }) {
  const { t } = useTranslation('meters');
  const name = <TextField form={form} name="name" label={t('meters.name')} autoComplete="off" required />;
  if (meter)
    return (
      <>
        {name}
        <Facts items={[[t('meters.key'), brokenAtParts(meter.key)]]} />
      </>
    );
  return (
    <Box sx={pairs}>
      {name}
      <TextField
        form={form}
        name="key"
        label={t('meters.key')}
        help={t('meters.key_help')}
        autoComplete="off"
        required
      />
    </Box>
  );
}

function DefinitionFields({ form }: { form: MeterForm }) {
  const { t } = useTranslation('meters');
  const aggregation = useWatch({ control: form.control, name: 'aggregation' });
  return (
    <MeasuredFields
      form={form}
      names={{ eventType: 'eventType', unit: 'unit', aggregation: 'aggregation', property: 'property' }}
      aggregation={aggregation}
      aggregations={meterAggregations}
    >
      {aggregation === 'percentile' && (
        <>
          <TextField
            form={form}
            name="p"
            label={t('meters.p')}
            help={t('meters.p_help')}
            inputMode="numeric"
            autoComplete="off"
            required
          />
          <TextField
            form={form}
            name="sampleMinutes"
            label={t('meters.sample_minutes')}
            help={t('meters.sample_minutes_help')}
            inputMode="numeric"
            end={t('meters.minutes')}
            autoComplete="off"
            required
          />
        </>
      )}
      <Box sx={whole}>
        <TextField
          form={form}
          name="dimensions"
          label={t('meters.dimensions')}
          help={t('meters.dimensions_help', { most: maxDimensions })}
          autoComplete="off"
        />
      </Box>
      <Box sx={whole}>
        <TextField
          form={form}
          name="filter"
          rows={2}
          label={t('meters.filter')}
          help={t('meters.filter_help')}
        />
      </Box>
    </MeasuredFields>
  );
}

/** What a used meter measures cannot be changed, because that would change the meaning of past usage. */
function Measured({ meter }: { meter: Meter }) {
  const { t } = useTranslation('meters');
  const format = useFormat();
  const measured = useMeasuredFacts();
  return (
    <>
      <Facts items={measured(meter)} />
      <Typography variant="caption" component="p" color="textSecondary" sx={{ marginTop: 1 }}>
        {t('meters.fixed_note', { count: format.number(meter.usedBy) })}
      </Typography>
    </>
  );
}

function Schema({ form }: { form: MeterForm }) {
  const [written, property, aggregation] = useWatch({
    control: form.control,
    name: ['dataSchema', 'property', 'aggregation'],
  });
  return (
    <SchemaField
      form={form}
      name="dataSchema"
      written={written}
      property={aggregation === 'unique_count' ? property : ''}
      onExample={(example) =>
        form.setValue('dataSchema', example, { shouldDirty: true, shouldValidate: true })
      }
    />
  );
}
