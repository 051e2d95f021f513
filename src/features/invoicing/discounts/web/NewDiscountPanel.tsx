// The form of a new discount: its name, its terms, its scope and its audience, with a summary as a sentence
// while typing.
import { inLanguage } from '#kernel/language.ts';
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import { useController } from 'react-hook-form';
import { required } from '#kernel/assert.ts';
import { withSymbol } from '#kernel/format-money.ts';
import { currencyCodes } from '#kernel/money.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { FieldGroup, pairs } from '#platform/web/form/FieldGroup.tsx';
import { FormPanel } from '#platform/web/form/FormPanel.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { PickerField } from '#platform/web/form/PickerField.tsx';
import { MoneyField, PercentField, TextField } from '#platform/web/form/TextField.tsx';
import { TypedSentence } from '#platform/web/form/TypedSentence.tsx';
import { useZodForm, type FormOf } from '#platform/web/form/use-zod-form.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import type { Discount } from '../contract.ts';
import { discountsApi, discountsKey } from './api.ts';
import {
  durationKinds,
  emptyFields,
  newDiscountFields,
  newDiscountInput,
  reductionKinds,
  typedTerms,
  type NewDiscountFields,
} from './discount-fields.ts';
import { LimitFields, NameFields } from './LimitFields.tsx';
import { ScopeField } from './ScopeField.tsx';
import { useTermsWords } from './terms-words.ts';

type NewForm = FormOf<NewDiscountFields, NewDiscountFields>;

export function NewDiscountPanel({
  onClose,
  onMade,
}: {
  onClose: () => void;
  onMade: (discount: Discount) => void;
}) {
  const { t } = useTranslation('discounts');
  const { language } = useFormat();
  const form = useZodForm(newDiscountFields, emptyFields(useBrand((brand) => brand.currency)));
  const create = useCall(discountsApi.createDiscount, { invalidates: [discountsKey('listDiscounts')] });
  const submit = async (fields: NewDiscountFields) => {
    const made = await create.mutateAsync(required(newDiscountInput(fields), 'the form checked the terms'));
    toast.success(t('discounts.created', { name: inLanguage(made.name, language) }));
    onMade(made);
  };
  return (
    <FormPanel
      form={form}
      title={t('discounts.create_title')}
      width={680}
      submitLabel={t('discounts.create')}
      onSubmit={submit}
      onClose={onClose}
    >
      <FieldGroup title={t('discounts.part_name')}>
        <NameFields form={form} />
      </FieldGroup>
      <FieldGroup title={t('discounts.part_gives')}>
        <Stack sx={{ gap: 1.5 }}>
          <Reduction form={form} />
          <Length form={form} />
        </Stack>
      </FieldGroup>
      <FieldGroup title={t('discounts.part_scope')}>
        <Scope form={form} />
      </FieldGroup>
      <FieldGroup title={t('discounts.part_code')}>
        <Stack sx={{ gap: 1.5 }}>
          <TextField
            form={form}
            name="code"
            label={t('discounts.code')}
            help={t('discounts.code_help')}
            autoComplete="off"
          />
          <LimitFields form={form} hasCode={form.watch('code').trim() !== ''} />
        </Stack>
      </FieldGroup>
      <Sentence fields={form.watch()} />
    </FormPanel>
  );
}

/** The meaning of the typed terms. */
function Sentence({ fields }: { fields: NewDiscountFields }) {
  const { t } = useTranslation('discounts');
  const words = useTermsWords();
  const terms = typedTerms(fields);
  const described = terms && words(terms);
  return (
    <TypedSentence title={t('discounts.sentence')}>
      {described === undefined
        ? t('discounts.sentence_open')
        : described.scope === null
          ? t('discounts.sentence_everything', { terms: described.full })
          : described.full}
    </TypedSentence>
  );
}

function Reduction({ form }: { form: NewForm }) {
  const { t } = useTranslation('discounts');
  const { language } = useFormat();
  const [kind, currency] = form.watch(['kind', 'currency']);
  const sign = withSymbol('', currency, language);
  return (
    <Box sx={pairs}>
      {/* used as: 'discounts.kind_*' */}
      <SelectField
        form={form}
        name="kind"
        label={t('discounts.kind')}
        options={reductionKinds.map((one) => ({ value: one, label: t(`discounts.kind_${one}`) }))}
      />
      {kind === 'percent' ? (
        <PercentField form={form} name="percent" label={t('discounts.percent')} required />
      ) : (
        <MoneyField form={form} name="amount" label={t('discounts.amount')} sign={sign} required />
      )}
      {kind === 'percent' && (
        <MoneyField
          form={form}
          name="maximum"
          label={t('discounts.maximum')}
          help={t('discounts.maximum_help')}
          sign={sign}
        />
      )}
      <SelectField
        form={form}
        name="currency"
        label={t('discounts.currency')}
        options={currencyCodes.map((code) => ({ value: code, label: code }))}
      />
    </Box>
  );
}

function Length({ form }: { form: NewForm }) {
  const { t } = useTranslation('discounts');
  const duration = form.watch('duration');
  return (
    <Box sx={pairs}>
      {/* used as: 'discounts.duration_*' */}
      <SelectField
        form={form}
        name="duration"
        label={t('discounts.duration')}
        options={durationKinds.map((one) => ({ value: one, label: t(`discounts.duration_${one}`) }))}
      />
      {duration === 'months' && (
        <TextField
          form={form}
          name="months"
          label={t('discounts.months')}
          help={t('discounts.months_help')}
          inputMode="numeric"
          autoComplete="off"
          required
        />
      )}
      {duration === 'until' && (
        <PickerField
          form={form}
          name="until"
          type="date"
          label={t('discounts.until_day')}
          help={t('discounts.until_help')}
          required
        />
      )}
    </Box>
  );
}

function Scope({ form }: { form: NewForm }) {
  const { field } = useController({ control: form.control, name: 'scope' });
  return <ScopeField value={field.value} onChange={field.onChange} />;
}
