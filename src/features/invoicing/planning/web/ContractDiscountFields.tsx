// Proposed discounts, and the order in which several are applied.
import Box from '@mui/material/Box';
import { useFieldArray, useWatch } from 'react-hook-form';
import { ServicesField } from '#features/invoicing/credit-grants/web/parts.ts';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { MoneyField, PercentField } from '#platform/web/form/TextField.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { maxTerms } from '../contract-terms.ts';
import { discountKinds, emptyDiscount, orderChoices } from './contract-fields.ts';
import { AddEntry, EntryFrame, EntryGroup, EntryList } from '#platform/web/form/EntryList.tsx';
import { pairs } from '#platform/web/form/FieldGroup.tsx';
import { useSign, type Entry, type Part } from './ContractEntries.tsx';

export function Discounts({ form }: Part) {
  const { t } = useTranslation('planning');
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'discounts' });
  return (
    <EntryGroup
      title={t('planning.contract_discounts')}
      action={
        <AddEntry
          label={t('planning.contract_add_discount')}
          count={fields.length}
          most={maxTerms}
          onAdd={() => append(emptyDiscount)}
        />
      }
    >
      {fields.length > 0 && (
        <EntryList label={t('planning.contract_discounts')}>
          {fields.map((field, index) => (
            <EntryFrame
              key={field.id}
              title={t('planning.contract_discount_number', { number: index + 1 })}
              remove={t('planning.contract_remove_discount', { number: index + 1 })}
              onRemove={() => remove(index)}
            >
              <Discount form={form} index={index} />
            </EntryFrame>
          ))}
        </EntryList>
      )}
      {fields.length > 1 && (
        // used as: 'planning.contract_order_*'
        <Box sx={{ marginTop: '4px' }}>
          <SelectField
            form={form}
            name="discountOrder"
            label={t('planning.contract_order')}
            options={orderChoices.map((value) => ({
              value,
              label: t(`planning.contract_order_${value === '' ? 'usual' : value}`),
            }))}
          />
        </Box>
      )}
    </EntryGroup>
  );
}

function Discount({ form, index }: Entry) {
  const { t } = useTranslation('planning');
  const sign = useSign({ form });
  const kind = useWatch({ control: form.control, name: `discounts.${index}.kind` });
  return (
    <>
      <Box sx={pairs}>
        {/* used as: 'planning.contract_reduction_*' */}
        <SelectField
          form={form}
          name={`discounts.${index}.kind`}
          label={t('planning.contract_reduction')}
          options={discountKinds.map((value) => ({
            value,
            label: t(`planning.contract_reduction_${value}`),
          }))}
        />
        {kind === 'percent' ? (
          <PercentField
            form={form}
            name={`discounts.${index}.percent`}
            label={t('planning.contract_percent')}
            required
          />
        ) : (
          <MoneyField
            form={form}
            name={`discounts.${index}.amount`}
            label={t('planning.contract_amount_monthly')}
            sign={sign}
            required
          />
        )}
      </Box>
      {kind === 'percent' && (
        <MoneyField
          form={form}
          name={`discounts.${index}.maximum`}
          label={t('planning.contract_maximum')}
          sign={sign}
        />
      )}
      <ServicesField
        form={form}
        name={`discounts.${index}.services`}
        label={t('planning.contract_services')}
      />
    </>
  );
}
