// What is measured, for the form of a meter and for that of a service with its own meter.
import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import type { FieldPath, FieldValues } from 'react-hook-form';
import { pairs, whole } from '#platform/web/form/FieldGroup.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import type { FormOf } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import type { MeterAggregation } from '../contract.ts';
import { useAggregationWords } from './aggregation-words.ts';

/** `names` are the fields of the form; `children` are shown below, two per row. */
export function MeasuredFields<In extends FieldValues, Sent>({
  form,
  names,
  aggregation,
  aggregations,
  children,
}: {
  readonly form: FormOf<In, Sent>;
  readonly names: Readonly<Record<'eventType' | 'unit' | 'aggregation' | 'property', FieldPath<In>>>;
  /** The chosen aggregation. */
  readonly aggregation: MeterAggregation;
  readonly aggregations: readonly MeterAggregation[];
  readonly children?: ReactNode;
}) {
  const { t } = useTranslation('meters');
  const { nameOf, helpOf } = useAggregationWords();
  return (
    <Box sx={pairs}>
      <TextField
        form={form}
        name={names.eventType}
        label={t('meters.event_type')}
        help={t('meters.event_type_help')}
        autoComplete="off"
        required
      />
      <TextField
        form={form}
        name={names.unit}
        label={t('meters.unit')}
        help={t('meters.unit_help')}
        autoComplete="off"
        required
      />
      <Box sx={whole}>
        <SelectField
          form={form}
          name={names.aggregation}
          label={t('meters.aggregation')}
          help={helpOf(aggregation)}
          options={aggregations.map((one) => ({ value: one, label: nameOf(one) }))}
        />
      </Box>
      {aggregation === 'unique_count' && (
        <Box sx={whole}>
          <TextField
            form={form}
            name={names.property}
            label={t('meters.property')}
            help={t('meters.property_help')}
            autoComplete="off"
            required
          />
        </Box>
      )}
      {children}
    </Box>
  );
}
