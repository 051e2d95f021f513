// Proposed credits: promotional or prepaid, their scope, and whether they recur monthly.
import Box from '@mui/material/Box';
import { useFieldArray, useWatch } from 'react-hook-form';
import { grantKinds } from '#features/invoicing/credit-grants/contract.ts';
import { ChargesField, ServicesField } from '#features/invoicing/credit-grants/web/parts.ts';
import { CheckField, SelectField } from '#platform/web/form/SelectField.tsx';
import { MoneyField } from '#platform/web/form/TextField.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { maxTerms } from '../contract-terms.ts';
import { emptyCredit, recurrences } from './contract-fields.ts';
import { AddEntry, EntryFrame, EntryGroup, EntryList } from '#platform/web/form/EntryList.tsx';
import { pairs } from '#platform/web/form/FieldGroup.tsx';
import { useSign, type Entry, type Part } from './ContractEntries.tsx';

export function Credits({ form }: Part) {
  const { t } = useTranslation('planning');
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'credits' });
  return (
    <EntryGroup
      title={t('planning.contract_credits')}
      action={
        <AddEntry
          label={t('planning.contract_add_credit')}
          count={fields.length}
          most={maxTerms}
          onAdd={() => append(emptyCredit)}
        />
      }
    >
      {fields.length > 0 && (
        <EntryList label={t('planning.contract_credits')}>
          {fields.map((field, index) => (
            <EntryFrame
              key={field.id}
              title={t('planning.contract_credit_number', { number: index + 1 })}
              remove={t('planning.contract_remove_credit', { number: index + 1 })}
              onRemove={() => remove(index)}
            >
              <Credit form={form} index={index} />
            </EntryFrame>
          ))}
        </EntryList>
      )}
    </EntryGroup>
  );
}

function Credit({ form, index }: Entry) {
  const { t } = useTranslation('planning');
  const sign = useSign({ form });
  const kind = useWatch({ control: form.control, name: `credits.${index}.kind` });
  return (
    <>
      <Box sx={pairs}>
        {/* used as: 'planning.contract_kind_*', 'planning.contract_recurring_*' */}
        <SelectField
          form={form}
          name={`credits.${index}.kind`}
          label={t('planning.contract_kind')}
          options={grantKinds
            .toReversed()
            .map((value) => ({ value, label: t(`planning.contract_kind_${value}`) }))}
        />
        <MoneyField
          form={form}
          name={`credits.${index}.amount`}
          label={t('planning.contract_amount')}
          sign={sign}
          required
        />
      </Box>
      {kind === 'promotional' && (
        <SelectField
          form={form}
          name={`credits.${index}.recurring`}
          label={t('planning.contract_recurring')}
          options={recurrences.map((value) => ({
            value,
            label: t(`planning.contract_recurring_${value}`),
          }))}
        />
      )}
      <ServicesField form={form} name={`credits.${index}.services`} label={t('planning.contract_services')} />
      <ChargesField form={form} name={`credits.${index}.charges`} services={`credits.${index}.services`} />
      <CheckField form={form} name={`credits.${index}.usageOnly`} label={t('planning.contract_usage_only')} />
    </>
  );
}
