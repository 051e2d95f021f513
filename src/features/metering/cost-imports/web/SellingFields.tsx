// How cost is sold: what counts as cost, what is left out, and mark-ups.
import Box from '@mui/material/Box';
import { useFieldArray, useWatch } from 'react-hook-form';
import { AddEntry } from '#platform/web/form/EntryList.tsx';
import { FieldGroup, pairs, whole } from '#platform/web/form/FieldGroup.tsx';
import { OrganizationField } from '#features/access/identity/web/parts.ts';
import { CheckField, SelectField } from '#platform/web/form/SelectField.tsx';
import { PercentField, TextField } from '#platform/web/form/TextField.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { costBases, maxRules, sellBases } from '../contract.ts';
import { Entry } from './Entry.tsx';
import { PayerField } from './RuleFields.tsx';
import { emptyMarkUp, markUpTargets, type SourceForm } from './source-fields.ts';

export function SellingFields({ form }: { form: SourceForm }) {
  const { t } = useTranslation('costs');
  return (
    <>
      <FieldGroup title={t('costs.section_selling')}>
        <Box sx={pairs}>
          {/* used as: 'costs.cost_basis_*', 'costs.sell_basis_*' */}
          <SelectField
            form={form}
            name="costBasis"
            label={t('costs.cost_basis')}
            options={costBases.map((value) => ({ value, label: t(`costs.cost_basis_${value}`) }))}
          />
          <SelectField
            form={form}
            name="sellBasis"
            label={t('costs.sell_basis')}
            options={sellBases.map((value) => ({ value, label: t(`costs.sell_basis_${value}`) }))}
          />
          <Box sx={whole}>
            <CheckField form={form} name="passesCredits" label={t('costs.passes_credits')} />
          </Box>
        </Box>
      </FieldGroup>
      <MarkUps form={form} />
    </>
  );
}

function MarkUps({ form }: { form: SourceForm }) {
  const { t } = useTranslation('costs');
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'markUps' });
  return (
    <FieldGroup
      title={t('costs.mark_ups')}
      lead={t('costs.mark_ups_lead')}
      action={
        <AddEntry
          label={t('costs.add_mark_up')}
          count={fields.length}
          most={maxRules}
          onAdd={() => append(emptyMarkUp)}
        />
      }
    >
      {fields.map((field, index) => (
        <Entry
          key={field.id}
          removeLabel={t('costs.remove_mark_up', { number: index + 1 })}
          onRemove={() => remove(index)}
        >
          <MarkUp form={form} index={index} />
        </Entry>
      ))}
    </FieldGroup>
  );
}

function MarkUp({ form, index }: { form: SourceForm; index: number }) {
  const { t } = useTranslation('costs');
  const { target, service } = useWatch({ control: form.control, name: `markUps.${index}` });
  return (
    <>
      <SelectField
        form={form}
        name={`markUps.${index}.target`}
        label={t('costs.mark_up_for')}
        // used as: 'costs.for_*'
        options={markUpTargets.map((value) => ({ value, label: t(`costs.for_${value}`) }))}
      />
      <PercentField form={form} name={`markUps.${index}.percent`} label={t('costs.percent')} required />
      {target === 'subscription' && (
        <Box sx={whole}>
          <PayerField form={form} name={`markUps.${index}.payer`} />
        </Box>
      )}
      {target === 'organization' && (
        <Box sx={whole}>
          <OrganizationField
            form={form}
            name={`markUps.${index}.organization`}
            label={t('costs.organization')}
            required
          />
        </Box>
      )}
      <TextField
        form={form}
        name={`markUps.${index}.service`}
        label={t('costs.mark_up_service')}
        help={t('costs.mark_up_service_help')}
        autoComplete="off"
      />
      {service === '' && (
        <TextField
          form={form}
          name={`markUps.${index}.minimumFee`}
          label={t('costs.minimum_fee')}
          help={t('costs.minimum_fee_help')}
          inputMode="decimal"
          autoComplete="off"
        />
      )}
    </>
  );
}
