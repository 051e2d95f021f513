// The form of a meter in its panel: creates one, or changes one unless another user changed it meanwhile.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useId, useState, type ReactNode } from 'react';
import { useWatch } from 'react-hook-form';
import { ApiError } from '#platform/web/api/api-error.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm, type FormOf } from '#platform/web/form/use-zod-form.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import { maxDimensions, meterAggregations, type Meter } from '../contract.ts';
import { useAggregationWords } from './aggregation-words.ts';
import { metersApi, metersKey } from './api.ts';
import { useMeasuredFacts } from './measured-facts.ts';
import { changesOf, fieldsOf, meterFields, newMeterOf, type MeterFields } from './meter-fields.ts';
import { SchemaField } from './SchemaField.tsx';

type MeterForm = FormOf<MeterFields, MeterFields>;

const formId = 'meter';
const pairs = {
  display: 'grid',
  gap: '12px 16px',
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
} as const;
const whole = { gridColumn: { sm: '1 / -1' } } as const;

export type MeterEditorProps = {
  /** The meter to change; left out for a new one. */
  readonly meter?: Meter;
  readonly onClose: () => void;
  readonly onSaved: () => void;
  /** Loads the meter again after another user changed it. */
  readonly onReload?: () => void;
};

export function MeterEditor({ meter, onClose, onSaved, onReload }: MeterEditorProps) {
  const { t } = useTranslation('meters');
  const initial = fieldsOf(meter);
  const form = useZodForm(meterFields, initial);
  const [isOutdated, setIsOutdated] = useState(false);
  const invalidates = [metersKey()];
  const create = useCall(metersApi.createMeter, { invalidates });
  const update = useCall(metersApi.updateMeter, { invalidates });
  const submit = async (fields: MeterFields) => {
    try {
      if (meter)
        await update.mutateAsync({
          meterId: meter.id,
          version: meter.version,
          ...changesOf(meter, initial, fields),
        });
      else await create.mutateAsync(newMeterOf(fields));
    } catch (error) {
      setIsOutdated(error instanceof ApiError && error.code === 'meters.changed_meanwhile');
      throw error;
    }
    toast.success(t(meter ? 'meters.changed' : 'meters.made', { name: fields.name }));
    onSaved();
  };
  const title = t(meter ? 'meters.edit_title' : 'meters.add');
  return (
    <SidePanel
      open
      title={title}
      width={640}
      onClose={onClose}
      unsaved={form.formState.isDirty && !form.formState.isSubmitSuccessful}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <SubmitButton
            form={form}
            formId={formId}
            size="medium"
            disabled={meter !== undefined && !form.formState.isDirty}
          >
            {t(meter ? 'ui.save' : 'meters.make')}
          </SubmitButton>
        </>
      }
    >
      {isOutdated && onReload && (
        <Alert
          severity="warning"
          sx={{ marginBottom: 2 }}
          action={
            <Button color="inherit" size="small" onClick={onReload}>
              {t('meters.reload')}
            </Button>
          }
        >
          {t('meters.reload_loses')}
        </Alert>
      )}
      <Form form={form} onSubmit={submit} id={formId} label={title}>
        <Box sx={{ display: 'grid', gap: 4 }}>
          <Part title={t('meters.part_names')}>
            <Names form={form} meter={meter} />
          </Part>
          <Part title={t('meters.part_measured')}>
            {meter && meter.usedBy > 0 ? <Measured meter={meter} /> : <DefinitionFields form={form} />}
          </Part>
          <Part title={t('meters.part_schema')}>
            <Schema form={form} />
          </Part>
        </Box>
      </Form>
    </SidePanel>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  const heading = useId();
  return (
    <Box component="section" aria-labelledby={heading}>
      <Typography id={heading} variant="h3" sx={{ marginBottom: 2 }}>
        {title}
      </Typography>
      {children}
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
        <Facts items={[[t('meters.key'), meter.key]]} />
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
  const { nameOf, helpOf } = useAggregationWords();
  const aggregation = useWatch({ control: form.control, name: 'aggregation' });
  return (
    <Box sx={pairs}>
      <TextField
        form={form}
        name="eventType"
        label={t('meters.event_type')}
        help={t('meters.event_type_help')}
        autoComplete="off"
        required
      />
      <TextField
        form={form}
        name="unit"
        label={t('meters.unit')}
        help={t('meters.unit_help')}
        autoComplete="off"
        required
      />
      <Box sx={whole}>
        <SelectField
          form={form}
          name="aggregation"
          label={t('meters.aggregation')}
          help={helpOf(aggregation)}
          options={meterAggregations.map((one) => ({ value: one, label: nameOf(one) }))}
        />
      </Box>
      {aggregation === 'unique_count' && (
        <Box sx={whole}>
          <TextField
            form={form}
            name="property"
            label={t('meters.property')}
            help={t('meters.property_help')}
            autoComplete="off"
            required
          />
        </Box>
      )}
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
    </Box>
  );
}

/** What a used meter measures cannot be changed, because past usage would change its meaning. */
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
