// The rules that assign cost, in their order.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useController, useFieldArray, useWatch } from 'react-hook-form';
import { AddEntry } from '#platform/web/form/EntryList.tsx';
import { FieldGroup, whole } from '#platform/web/form/FieldGroup.tsx';
import { PayerPicker } from '#features/metering/connectors/web/parts.ts';
import { useProblemText } from '#platform/web/form/Field.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { TextField } from '#platform/web/form/TextField.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { maxRules, scopeFields } from '../contract.ts';
import { Entry } from './Entry.tsx';
import { emptyRule, ruleTargets, type SourceForm } from './source-fields.ts';

export function RuleFields({ form }: { form: SourceForm }) {
  const { t } = useTranslation('costs');
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'rules' });
  return (
    <FieldGroup
      title={t('costs.section_rules')}
      lead={t('costs.rules_lead')}
      action={
        <AddEntry
          label={t('costs.add_rule')}
          count={fields.length}
          most={maxRules}
          onAdd={() => append(emptyRule)}
        />
      }
    >
      {fields.length === 0 && (
        <Typography variant="body2" color="textSecondary">
          {t('costs.no_rules')}
        </Typography>
      )}
      {fields.map((field, index) => (
        <Entry
          key={field.id}
          removeLabel={t('costs.remove_rule', { number: index + 1 })}
          onRemove={() => remove(index)}
        >
          <Rule form={form} index={index} />
        </Entry>
      ))}
    </FieldGroup>
  );
}

function Rule({ form, index }: { form: SourceForm; index: number }) {
  const { t } = useTranslation('costs');
  const { field, to } = useWatch({ control: form.control, name: `rules.${index}` });
  return (
    <>
      {/* used as: 'costs.field_*', 'costs.to_*' */}
      <SelectField
        form={form}
        name={`rules.${index}.field`}
        label={t('costs.rule_field')}
        options={scopeFields.map((value) => ({ value, label: t(`costs.field_${value}`) }))}
      />
      {field === 'tag' && (
        <TextField
          form={form}
          name={`rules.${index}.tag`}
          label={t('costs.rule_tag')}
          autoComplete="off"
          required
        />
      )}
      <TextField
        form={form}
        name={`rules.${index}.value`}
        label={t('costs.rule_value')}
        autoComplete="off"
        required
      />
      <SelectField
        form={form}
        name={`rules.${index}.to`}
        label={t('costs.rule_to')}
        options={ruleTargets.map((value) => ({ value, label: t(`costs.to_${value}`) }))}
      />
      {to === 'subscription' && (
        <Box sx={whole}>
          <PayerField form={form} name={`rules.${index}.payer`} />
        </Box>
      )}
    </>
  );
}

export function PayerField({
  form,
  name,
}: {
  form: SourceForm;
  name: `rules.${number}.payer` | `markUps.${number}.payer`;
}) {
  const { t } = useTranslation('costs');
  const { field, fieldState } = useController({ control: form.control, name });
  return (
    <PayerPicker
      value={field.value}
      onChange={field.onChange}
      problem={useProblemText(t('costs.subscription'), fieldState.error?.message)}
    />
  );
}
