// The form of a quote: customer and validity, services, and terms.
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import { currencyCodes } from '#kernel/money.ts';
import { OrganizationField } from '#features/access/identity/web/parts.ts';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { PickerField } from '#platform/web/form/PickerField.tsx';
import { MoneyField, TextField } from '#platform/web/form/TextField.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Section } from '#platform/web/ui/Section.tsx';

import { EntryGroup } from '#platform/web/form/EntryList.tsx';
import { pairs } from '#platform/web/form/FieldGroup.tsx';
import { useSign, type QuoteFormOf } from './form-parts.tsx';
import { Items } from './ItemFields.tsx';
import type { QuoteFields } from './quote-fields.ts';
import { Commitments, Discounts, Grants, OneOffs } from './TermFields.tsx';

export function QuoteForm({
  form,
  isOld,
  onSubmit,
}: {
  form: QuoteFormOf;
  isOld: boolean;
  onSubmit: (fields: QuoteFields) => Promise<void>;
}) {
  const { t } = useTranslation('quotes');
  return (
    <Section title={t('quotes.content')}>
      <Form form={form} onSubmit={onSubmit} label={t('quotes.content')}>
        <Box sx={{ marginTop: 1 }}>
          <OrganizationField
            form={form}
            name="organization"
            label={t('quotes.column_organization')}
            required
            disabled={isOld}
          />
        </Box>
        <Box
          sx={{ ...pairs, gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(3, minmax(0, 1fr))' } }}
        >
          <SelectField
            form={form}
            name="currency"
            label={t('quotes.column_currency')}
            disabled={isOld}
            options={currencyCodes.map((code) => ({ value: code, label: code }))}
          />
          <PickerField
            form={form}
            name="validUntil"
            type="date"
            label={t('quotes.column_validUntil')}
            required
          />
          <TextField
            form={form}
            name="content.months"
            label={t('quotes.contract_months')}
            inputMode="numeric"
            end={t('quotes.months_unit')}
            autoComplete="off"
            required
          />
        </Box>
        <Items form={form} />
        <OneOffs form={form} />
        <Discounts form={form} />
        <Grants form={form} />
        <Minimum form={form} />
        <Commitments form={form} />
        <EntryGroup title={t('quotes.message')}>
          <TextField
            form={form}
            name="content.message.zhTW"
            label={t('quotes.message_zhTW')}
            rows={2}
            autoComplete="off"
          />
          <TextField
            form={form}
            name="content.message.enUS"
            label={t('quotes.message_enUS')}
            rows={2}
            autoComplete="off"
          />
        </EntryGroup>
        <Stack direction="row">
          <SubmitButton form={form}>{t('quotes.save')}</SubmitButton>
        </Stack>
      </Form>
    </Section>
  );
}

function Minimum({ form }: { form: QuoteFormOf }) {
  const { t } = useTranslation('quotes');
  return (
    <EntryGroup title={t('quotes.kind_minimum_spend')}>
      <Box sx={pairs}>
        <MoneyField
          form={form}
          name="content.minimumSpend.amount"
          label={t('quotes.amount_a_month')}
          help={t('quotes.minimum_help')}
          sign={useSign({ form })}
        />
        <TextField
          form={form}
          name="content.minimumSpend.months"
          label={t('quotes.for_months')}
          help={t('quotes.months_help')}
          inputMode="numeric"
          end={t('quotes.months_unit')}
          autoComplete="off"
        />
      </Box>
    </EntryGroup>
  );
}
