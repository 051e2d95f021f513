// What counts as usage and who pays, with a preview based on real responses of the source.
import DeleteOutlined from '~icons/ic/outline-delete';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useController, useFieldArray } from 'react-hook-form';
import { AddEntry } from '#platform/web/form/EntryList.tsx';
import { FieldGroup, pairs, whole } from '#platform/web/form/FieldGroup.tsx';
import { useCall } from '#platform/web/api/queries.ts';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useProblemText } from '#platform/web/form/Field.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { IconAction } from '#platform/web/ui/IconAction.tsx';
import { maxMeasures, maxRules, type DryRun } from '../contract.ts';
import { connectorsApi } from './api.ts';
import { emptyMeasure, emptyRule, triedOf } from './connector-fields.ts';
import { PayerPicker } from './PayerPicker.tsx';
import { Preview } from './Preview.tsx';
import type { Part } from './form-parts.ts';

type Entry = Pick<Part, 'form'> & { readonly index: number };
const frame = { backgroundColor: 'sunken', borderRadius: '5px', padding: '12px', marginBottom: 1.5 } as const;

export function MappingFields({ form, connector }: Part) {
  const { t } = useTranslation('connectors');
  const dryRun = useCall(connectorsApi.tryConnector);
  // The preview uses the current values of the form, saved or not; the name does not matter for it.
  const preview = async () => {
    if (!(await form.trigger(['address', 'settleSeconds', 'credentials', 'options', 'mapping']))) return;
    dryRun.mutate(triedOf(connector, form.getValues()));
  };
  return (
    <>
      <Measures form={form} />
      <Rules form={form} tried={dryRun.data} />
      <FieldGroup
        title={t('connectors.preview')}
        action={
          <Button variant="outlined" size="small" loading={dryRun.isPending} onClick={() => void preview()}>
            {t('connectors.preview_run')}
          </Button>
        }
      >
        <Preview tried={dryRun.data} />
      </FieldGroup>
    </>
  );
}

function Measures({ form }: Pick<Part, 'form'>) {
  const { t } = useTranslation('connectors');
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'mapping.measures' });
  return (
    <FieldGroup
      title={t('connectors.section_measures')}
      action={
        <AddEntry
          label={t('connectors.add_measure')}
          count={fields.length}
          most={maxMeasures}
          onAdd={() => append(emptyMeasure)}
        />
      }
    >
      {fields.map((field, index) => (
        <Box key={field.id} sx={frame}>
          <Box sx={pairs}>
            <TextField
              form={form}
              name={`mapping.measures.${index}.eventType`}
              label={t('connectors.event_type')}
              autoComplete="off"
              required
            />
            <TextField
              form={form}
              name={`mapping.measures.${index}.quantity`}
              label={t('connectors.quantity')}
              help={t('connectors.quantity_help')}
              autoComplete="off"
              required
            />
            <TextField
              form={form}
              name={`mapping.measures.${index}.multiplyBy`}
              label={t('connectors.multiply_by')}
              inputMode="decimal"
              autoComplete="off"
              required
            />
            <TextField
              form={form}
              name={`mapping.measures.${index}.divideBy`}
              label={t('connectors.divide_by')}
              inputMode="decimal"
              autoComplete="off"
              required
            />
            <Box sx={whole}>
              <TextField
                form={form}
                name={`mapping.measures.${index}.dimensions`}
                label={t('connectors.dimensions')}
                help={t('connectors.dimensions_help')}
                rows={2}
              />
            </Box>
          </Box>
          {fields.length > 1 && (
            <Remove
              label={t('connectors.remove_measure', { number: index + 1 })}
              onRemove={() => remove(index)}
            />
          )}
        </Box>
      ))}
    </FieldGroup>
  );
}

function Rules({ form, tried }: Pick<Part, 'form'> & { tried: DryRun | undefined }) {
  const { t } = useTranslation('connectors');
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'mapping.rules' });
  return (
    <FieldGroup
      title={t('connectors.section_rules')}
      action={
        <AddEntry
          label={t('connectors.add_rule')}
          count={fields.length}
          most={maxRules}
          onAdd={() => append(emptyRule)}
        />
      }
    >
      <TextField
        form={form}
        name="mapping.subscriptionField"
        label={t('connectors.subscription_field')}
        help={t('connectors.subscription_field_help')}
        autoComplete="off"
      />
      {fields.length === 0 && (
        <Typography variant="body2" color="textSecondary">
          {t('connectors.no_rules')}
        </Typography>
      )}
      {fields.map((field, index) => (
        <Box key={field.id} sx={frame}>
          <Box sx={pairs}>
            <TextField
              form={form}
              name={`mapping.rules.${index}.field`}
              label={t('connectors.rule_field')}
              autoComplete="off"
              required
            />
            <TextField
              form={form}
              name={`mapping.rules.${index}.value`}
              label={t('connectors.rule_value')}
              help={t('connectors.rule_value_help')}
              autoComplete="off"
              required
            />
            <Box sx={whole}>
              <RulePayer form={form} index={index} />
            </Box>
          </Box>
          <Stack direction="row" sx={{ alignItems: 'center', justifyContent: 'space-between' }}>
            <Typography variant="caption" color="textSecondary">
              {tried?.perRule[index] !== undefined &&
                t('connectors.rule_takes', { count: tried.perRule[index] })}
            </Typography>
            <Remove
              label={t('connectors.remove_rule', { number: index + 1 })}
              onRemove={() => remove(index)}
            />
          </Stack>
        </Box>
      ))}
    </FieldGroup>
  );
}

function Remove({ label, onRemove }: { label: string; onRemove: () => void }) {
  return (
    <Box sx={{ display: 'flex', justifyContent: 'flex-end' }}>
      <IconAction size="small" label={label} onClick={onRemove}>
        <DeleteOutlined fontSize="small" />
      </IconAction>
    </Box>
  );
}

function RulePayer({ form, index }: Entry) {
  const { t } = useTranslation('connectors');
  const { field, fieldState } = useController({
    control: form.control,
    name: `mapping.rules.${index}.subscriptionId`,
  });
  return (
    <PayerPicker
      value={field.value}
      onChange={field.onChange}
      problem={useProblemText(t('connectors.subscription'), fieldState.error?.message)}
    />
  );
}
