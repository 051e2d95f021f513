// Proposed commitments: amounts, periods, rates, and scope.
import Box from '@mui/material/Box';
import { useFieldArray } from 'react-hook-form';
import { commitmentPeriods } from '#features/invoicing/commitments/contract.ts';
import { ChargesField, ServicesField } from '#features/invoicing/credit-grants/web/parts.ts';
import { CheckField, SelectField } from '#platform/web/form/SelectField.tsx';
import { PercentField, TextField } from '#platform/web/form/TextField.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { maxCommitments } from '../contract-terms.ts';
import { emptyCommitment } from './contract-fields.ts';
import { AddEntry, EntryFrame, EntryGroup, EntryList } from '#platform/web/form/EntryList.tsx';
import { pairs } from '#platform/web/form/FieldGroup.tsx';
import { useSign, type Entry, type Part } from './ContractEntries.tsx';

export function Commitments({ form }: Part) {
  const { t } = useTranslation('planning');
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'commitments' });
  return (
    <EntryGroup
      title={t('planning.contract_commitments')}
      action={
        <AddEntry
          label={t('planning.contract_add_commitment')}
          count={fields.length}
          most={maxCommitments}
          onAdd={() => append(emptyCommitment)}
        />
      }
    >
      {fields.length > 0 && (
        <EntryList label={t('planning.contract_commitments')}>
          {fields.map((field, index) => (
            <EntryFrame
              key={field.id}
              title={t('planning.contract_commitment_number', { number: index + 1 })}
              remove={t('planning.contract_remove_commitment', { number: index + 1 })}
              onRemove={() => remove(index)}
            >
              <Commitment form={form} index={index} />
            </EntryFrame>
          ))}
        </EntryList>
      )}
    </EntryGroup>
  );
}

function Commitment({ form, index }: Entry) {
  const { t } = useTranslation('planning');
  const { t: tCommitments } = useTranslation('commitments');
  const sign = useSign({ form });
  return (
    <>
      <Box sx={pairs}>
        {/* used as: 'planning.contract_period_*' */}
        <SelectField
          form={form}
          name={`commitments.${index}.period`}
          label={tCommitments('commitments.period')}
          options={commitmentPeriods.map((value) => ({
            value,
            label: t(`planning.contract_period_${value}`),
          }))}
        />
        <TextField
          form={form}
          name={`commitments.${index}.amounts`}
          label={t('planning.contract_commitment_amounts')}
          help={t('planning.contract_commitment_amounts_help')}
          rows={1}
          start={sign}
          autoComplete="off"
          required
        />
        <PercentField
          form={form}
          name={`commitments.${index}.committedPercent`}
          label={tCommitments('commitments.committed_percent')}
          required
        />
        <PercentField
          form={form}
          name={`commitments.${index}.overagePercent`}
          label={tCommitments('commitments.overage_percent')}
          required
        />
      </Box>
      <ServicesField
        form={form}
        name={`commitments.${index}.services`}
        label={t('planning.contract_services')}
      />
      <ChargesField
        form={form}
        name={`commitments.${index}.charges`}
        services={`commitments.${index}.services`}
      />
      <CheckField
        form={form}
        name={`commitments.${index}.usageOnly`}
        label={tCommitments('commitments.usage_only_field')}
      />
    </>
  );
}
