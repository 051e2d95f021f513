// The terms of a quote: one-off charges, discounts, promotional credit, and commitments.
import Box from '@mui/material/Box';
import { useFieldArray, useWatch } from 'react-hook-form';
import { CheckField, SelectField } from '#platform/web/form/SelectField.tsx';
import { MoneyField, PercentField, TextField } from '#platform/web/form/TextField.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { pairs } from '#platform/web/form/FieldGroup.tsx';
import { Entries, ItemChoice, NameFields, useSign, type Part } from './form-parts.tsx';
import { commitmentPeriods } from '#features/invoicing/commitments/contract.ts';
import { ChargesField, ServicesField } from '#features/invoicing/credit-grants/web/parts.ts';
import {
  durations,
  emptyCommitment,
  emptyDiscount,
  emptyGrant,
  emptyOneOff,
  recurrences,
} from './quote-fields.ts';

type Entry = Part & { readonly index: number };

export function OneOffs({ form }: Part) {
  const { t } = useTranslation('quotes');
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'content.oneOffs' });
  return (
    <Entries
      title={t('quotes.kind_one_off')}
      add={t('quotes.add_one_off')}
      ids={fields.map(({ id }) => id)}
      onAdd={() => append(emptyOneOff)}
      onRemove={remove}
    >
      {(index) => <OneOff form={form} index={index} />}
    </Entries>
  );
}

function OneOff({ form, index }: Entry) {
  const { t } = useTranslation('quotes');
  const sign = useSign({ form });
  return (
    <>
      <NameFields form={form} list="oneOffs" index={index} />
      <Box sx={pairs}>
        <TextField
          form={form}
          name={`content.oneOffs.${index}.quantity`}
          label={t('quotes.quantity')}
          inputMode="decimal"
          autoComplete="off"
          required
        />
        <MoneyField
          form={form}
          name={`content.oneOffs.${index}.unitPrice`}
          label={t('quotes.unit_price')}
          sign={sign}
          required
        />
      </Box>
      <ItemChoice form={form} name={`content.oneOffs.${index}.serviceId`} all={t('quotes.no_service')} />
    </>
  );
}

export function Discounts({ form }: Part) {
  const { t } = useTranslation('quotes');
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'content.discounts' });
  return (
    <Entries
      title={t('quotes.kind_discount')}
      add={t('quotes.add_discount')}
      ids={fields.map(({ id }) => id)}
      onAdd={() => append(emptyDiscount)}
      onRemove={remove}
    >
      {(index) => <Discount form={form} index={index} />}
    </Entries>
  );
}

function Discount({ form, index }: Entry) {
  const { t } = useTranslation('quotes');
  const sign = useSign({ form });
  const kind = useWatch({ control: form.control, name: `content.discounts.${index}.kind` });
  const duration = useWatch({ control: form.control, name: `content.discounts.${index}.duration` });
  // used as: 'quotes.reduction_*', 'quotes.duration_*'
  return (
    <>
      <NameFields form={form} list="discounts" index={index} />
      <Box sx={pairs}>
        <SelectField
          form={form}
          name={`content.discounts.${index}.kind`}
          label={t('quotes.reduction')}
          options={(['percent', 'fixed'] as const).map((value) => ({
            value,
            label: t(`quotes.reduction_${value}`),
          }))}
        />
        {kind === 'percent' ? (
          <PercentField
            form={form}
            name={`content.discounts.${index}.percent`}
            label={t('quotes.percent')}
            required
          />
        ) : (
          <MoneyField
            form={form}
            name={`content.discounts.${index}.fixed`}
            label={t('quotes.amount_a_month')}
            sign={sign}
            required
          />
        )}
        {kind === 'percent' && (
          <MoneyField
            form={form}
            name={`content.discounts.${index}.maximum`}
            label={t('quotes.maximum_a_month')}
            sign={sign}
          />
        )}
        <ItemChoice form={form} name={`content.discounts.${index}.serviceId`} all={t('quotes.whole_bill')} />
        <SelectField
          form={form}
          name={`content.discounts.${index}.duration`}
          label={t('quotes.duration')}
          options={durations.map((value) => ({ value, label: t(`quotes.duration_${value}`) }))}
        />
        {duration === 'months' && (
          <TextField
            form={form}
            name={`content.discounts.${index}.months`}
            label={t('quotes.for_months')}
            inputMode="numeric"
            end={t('quotes.months_unit')}
            autoComplete="off"
            required
          />
        )}
      </Box>
    </>
  );
}

export function Grants({ form }: Part) {
  const { t } = useTranslation('quotes');
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'content.grants' });
  return (
    <Entries
      title={t('quotes.kind_grant')}
      add={t('quotes.add_grant')}
      ids={fields.map(({ id }) => id)}
      onAdd={() => append(emptyGrant)}
      onRemove={remove}
    >
      {(index) => <Grant form={form} index={index} />}
    </Entries>
  );
}

function Grant({ form, index }: Entry) {
  const { t } = useTranslation('quotes');
  const sign = useSign({ form });
  // used as: 'quotes.recurring_*'
  return (
    <>
      <NameFields form={form} list="grants" index={index} />
      <Box sx={pairs}>
        <MoneyField
          form={form}
          name={`content.grants.${index}.amount`}
          label={t('quotes.amount')}
          sign={sign}
          required
        />
        <SelectField
          form={form}
          name={`content.grants.${index}.recurring`}
          label={t('quotes.recurring')}
          options={recurrences.map((value) => ({ value, label: t(`quotes.recurring_${value}`) }))}
        />
        <TextField
          form={form}
          name={`content.grants.${index}.months`}
          label={t('quotes.for_months')}
          help={t('quotes.months_help')}
          inputMode="numeric"
          end={t('quotes.months_unit')}
          autoComplete="off"
        />
      </Box>
      <CheckField form={form} name={`content.grants.${index}.usageOnly`} label={t('quotes.usage_only')} />
    </>
  );
}

export function Commitments({ form }: Part) {
  const { t } = useTranslation('quotes');
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'content.commitments' });
  return (
    <Entries
      title={t('quotes.kind_commitment')}
      add={t('quotes.add_commitment')}
      ids={fields.map(({ id }) => id)}
      onAdd={() => append(emptyCommitment)}
      onRemove={remove}
    >
      {(index) => <Commitment form={form} index={index} />}
    </Entries>
  );
}

function Commitment({ form, index }: Entry) {
  const { t } = useTranslation('quotes');
  const sign = useSign({ form });
  const items = useWatch({ control: form.control, name: 'content.items' });
  // used as: 'quotes.period_*', 'quotes.committed_percent', 'quotes.overage_percent'
  return (
    <>
      <NameFields form={form} list="commitments" index={index} />
      <Box sx={pairs}>
        <SelectField
          form={form}
          name={`content.commitments.${index}.period`}
          label={t('quotes.commitment_period')}
          options={commitmentPeriods.map((value) => ({ value, label: t(`quotes.period_${value}`) }))}
        />
        <TextField
          form={form}
          name={`content.commitments.${index}.months`}
          label={t('quotes.for_months')}
          inputMode="numeric"
          end={t('quotes.months_unit')}
          autoComplete="off"
          required
        />
        <TextField
          form={form}
          name={`content.commitments.${index}.amounts`}
          label={t('quotes.commitment_amounts')}
          help={t('quotes.commitment_amounts_help')}
          rows={1}
          start={sign}
          autoComplete="off"
          required
        />
        <PercentField
          form={form}
          name={`content.commitments.${index}.committedPercent`}
          label={t('quotes.committed_percent')}
          required
        />
        <PercentField
          form={form}
          name={`content.commitments.${index}.overagePercent`}
          label={t('quotes.overage_percent')}
          required
        />
      </Box>
      <ServicesField
        form={form}
        name={`content.commitments.${index}.services`}
        label={t('quotes.of_services')}
        all={t('quotes.whole_bill')}
        of={items.flatMap(({ serviceId }) => (serviceId ? [serviceId] : []))}
      />
      <ChargesField
        form={form}
        name={`content.commitments.${index}.charges`}
        services={`content.commitments.${index}.services`}
      />
      <CheckField
        form={form}
        name={`content.commitments.${index}.usageOnly`}
        label={t('quotes.commitment_usage_field')}
      />
    </>
  );
}
