// The proposed terms: customer and months, discounts, credit, a minimum spend, and a growth of usage.
import AddOutlined from '~icons/ic/outline-add';
import DeleteOutlined from '~icons/ic/outline-delete';
import PlayCircleOutlined from '~icons/ic/outline-play-circle';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Slider from '@mui/material/Slider';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useIsFetching } from '@tanstack/react-query';
import { useId, type ReactNode } from 'react';
import { useController, useFieldArray, useWatch } from 'react-hook-form';
import { withSymbol } from '#kernel/format-money.ts';
import { currencyCodes } from '#kernel/money.ts';
import { OrganizationField } from '#features/access/identity/web/parts.ts';
import { grantKinds } from '#features/invoicing/credit-grants/contract.ts';
import { ChargesField, ServicesField } from '#features/invoicing/credit-grants/web/parts.ts';
import { Form } from '#platform/web/form/Form.tsx';
import { CheckField, SelectField } from '#platform/web/form/SelectField.tsx';
import { MoneyField, TextField } from '#platform/web/form/TextField.tsx';
import type { FormOf } from '#platform/web/form/use-zod-form.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { IconAction } from '#platform/web/ui/IconAction.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { maxTerms } from '../contract-terms.ts';
import { planningKey } from './api.ts';
import {
  discountKinds,
  emptyCredit,
  emptyDiscount,
  monthChoices,
  orderChoices,
  recurrences,
  type ContractFields,
} from './contract-fields.ts';

type ContractForm = FormOf<ContractFields, ContractFields>;
type Part = { readonly form: ContractForm };
type Entry = Part & { readonly index: number };

const pair = {
  display: 'grid',
  gap: '8px 16px',
  gridTemplateColumns: 'repeat(2, minmax(0, 1fr))',
  alignItems: 'start',
} as const;

export function ContractForm({
  form,
  onSubmit,
}: Part & { readonly onSubmit: (fields: ContractFields) => void }) {
  const { t } = useTranslation('planning');
  const isBusy = useIsFetching({ queryKey: planningKey('simulateContract') }) > 0;
  return (
    <Section title={t('planning.contract_terms')}>
      <Form
        form={form}
        onSubmit={(fields) => Promise.resolve(onSubmit(fields))}
        label={t('planning.contract_terms')}
      >
        <Alert severity="info">{t('planning.contract_present')}</Alert>
        <Box sx={{ marginTop: 1 }}>
          <OrganizationField
            form={form}
            name="organization"
            label={t('planning.contract_organization')}
            required
          />
        </Box>
        <Box sx={pair}>
          <SelectField
            form={form}
            name="months"
            label={t('planning.contract_months')}
            options={monthChoices.map((value) => ({
              value,
              label: t('planning.contract_last_months', { count: Number.parseInt(value, 10) }),
            }))}
          />
          <SelectField
            form={form}
            name="currency"
            label={t('planning.contract_currency')}
            options={currencyCodes.map((code) => ({ value: code, label: code }))}
          />
        </Box>
        <Discounts form={form} />
        <Credits form={form} />
        <Group title={t('planning.contract_minimum')}>
          <MinimumSpend form={form} />
        </Group>
        <Group title={t('planning.contract_growth')}>
          <Growth form={form} />
        </Group>
        <Button
          type="submit"
          variant="contained"
          size="large"
          startIcon={<PlayCircleOutlined />}
          loading={isBusy}
          loadingPosition="start"
          sx={{ alignSelf: 'start' }}
        >
          {t('planning.contract_simulate')}
        </Button>
      </Form>
    </Section>
  );
}

function Group({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  const heading = useId();
  return (
    <Box
      component="section"
      aria-labelledby={heading}
      sx={{ display: 'grid', gap: 1.5, borderTop: '1px solid', borderColor: 'divider', paddingTop: 1.5 }}
    >
      <Stack direction="row" sx={{ gap: 1, justifyContent: 'space-between', alignItems: 'center' }}>
        <Typography id={heading} variant="subtitle2" component="h3">
          {title}
        </Typography>
        {action}
      </Stack>
      {children}
    </Box>
  );
}

/** The button that adds an entry to a list, and what stands there while the list is empty. */
function Add({ label, count, onAdd }: { label: string; count: number; onAdd: () => void }) {
  return (
    <Button size="small" startIcon={<AddOutlined />} disabled={count >= maxTerms} onClick={onAdd}>
      {label}
    </Button>
  );
}

function Entries({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Box
      component="ol"
      aria-label={label}
      sx={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 1.5 }}
    >
      {children}
    </Box>
  );
}

function EntryFrame({
  title,
  remove,
  onRemove,
  children,
}: {
  title: string;
  remove: string;
  onRemove: () => void;
  children: ReactNode;
}) {
  return (
    <Box
      component="li"
      aria-label={title}
      sx={{ bgcolor: 'sunken', borderRadius: '5px', padding: '4px 12px', display: 'grid', gap: 1 }}
    >
      <Stack direction="row" sx={{ alignItems: 'center', justifyContent: 'space-between', gap: 1 }}>
        <Typography variant="body2" sx={{ fontWeight: 700 }}>
          {title}
        </Typography>
        <IconAction size="small" label={remove} onClick={onRemove} sx={{ marginInlineEnd: '-8px' }}>
          <DeleteOutlined fontSize="small" />
        </IconAction>
      </Stack>
      {children}
    </Box>
  );
}

/** 'NT$', of the currency that is simulated. */
function useSign({ form }: Part): string {
  const { language } = useFormat();
  return withSymbol('', useWatch({ control: form.control, name: 'currency' }), language);
}

function Discounts({ form }: Part) {
  const { t } = useTranslation('planning');
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'discounts' });
  return (
    <Group
      title={t('planning.contract_discounts')}
      action={
        <Add
          label={t('planning.contract_add_discount')}
          count={fields.length}
          onAdd={() => append(emptyDiscount)}
        />
      }
    >
      {fields.length > 0 && (
        <Entries label={t('planning.contract_discounts')}>
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
        </Entries>
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
    </Group>
  );
}

function Discount({ form, index }: Entry) {
  const { t } = useTranslation('planning');
  const sign = useSign({ form });
  const kind = useWatch({ control: form.control, name: `discounts.${index}.kind` });
  return (
    <>
      <Box sx={pair}>
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
          <TextField
            form={form}
            name={`discounts.${index}.percent`}
            label={t('planning.contract_percent')}
            inputMode="decimal"
            end="%"
            autoComplete="off"
            required
          />
        ) : (
          <MoneyField
            form={form}
            name={`discounts.${index}.amount`}
            label={t('planning.contract_amount_monthly')}
            sign={sign}
            autoComplete="off"
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
          autoComplete="off"
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

function Credits({ form }: Part) {
  const { t } = useTranslation('planning');
  const { fields, append, remove } = useFieldArray({ control: form.control, name: 'credits' });
  return (
    <Group
      title={t('planning.contract_credits')}
      action={
        <Add
          label={t('planning.contract_add_credit')}
          count={fields.length}
          onAdd={() => append(emptyCredit)}
        />
      }
    >
      {fields.length > 0 && (
        <Entries label={t('planning.contract_credits')}>
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
        </Entries>
      )}
    </Group>
  );
}

function Credit({ form, index }: Entry) {
  const { t } = useTranslation('planning');
  const sign = useSign({ form });
  const kind = useWatch({ control: form.control, name: `credits.${index}.kind` });
  return (
    <>
      <Box sx={pair}>
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
          autoComplete="off"
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

function MinimumSpend({ form }: Part) {
  const { t } = useTranslation('planning');
  return (
    <MoneyField
      form={form}
      name="minimumSpend"
      label={t('planning.contract_minimum_monthly')}
      help={t('planning.contract_minimum_help')}
      sign={useSign({ form })}
      autoComplete="off"
    />
  );
}

/** The slider has the range that is usual; beyond it the growth is typed. */
const growthSlider = { min: -90, max: 200, step: 5 } as const;

function Growth({ form }: Part) {
  const { t } = useTranslation('planning');
  const { field } = useController({ control: form.control, name: 'growth' });
  const typed = Number(field.value);
  const value = Number.isFinite(typed) ? typed : 0;
  return (
    <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr) 128px', alignItems: 'start' }}>
      <Box sx={{ paddingInline: '10px' }}>
        <Slider
          {...growthSlider}
          // From no growth on either side, not from the least one.
          track={false}
          value={Math.min(Math.max(value, growthSlider.min), growthSlider.max)}
          marks={[{ value: 0 }]}
          aria-label={t('planning.contract_growth')}
          getAriaValueText={(shown) => `${shown}%`}
          onChange={(_, next) => field.onChange(next === 0 ? '' : String(next))}
          sx={{ '@media (pointer: coarse)': { paddingBlock: '21px' } }}
        />
      </Box>
      <TextField
        form={form}
        name="growth"
        label={t('planning.contract_growth_percent')}
        inputMode="decimal"
        end="%"
        autoComplete="off"
      />
      <Typography variant="caption" color="textSecondary" sx={{ gridColumn: '1 / -1', marginTop: '-24px' }}>
        {t('planning.contract_growth_help')}
      </Typography>
    </Box>
  );
}
