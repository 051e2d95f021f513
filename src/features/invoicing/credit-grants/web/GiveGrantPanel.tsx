// The form with which an Admin grants credit to an organization.
import Box from '@mui/material/Box';
import { useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import { required } from '#kernel/assert.ts';
import { withSymbol } from '#kernel/format-money.ts';
import type { Id } from '#kernel/ids.ts';
import { currencyCodes } from '#kernel/money.ts';
import { isDay, isMonth, optionalText, text } from '#kernel/shape.ts';
import { addMonths, monthOfDay, monthsFrom } from '#kernel/time.ts';
import { chosenOrganization, OrganizationField } from '#features/access/identity/web/parts.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { pairs } from '#platform/web/form/FieldGroup.tsx';
import { FormPanel } from '#platform/web/form/FormPanel.tsx';
import { CheckField, SelectField } from '#platform/web/form/SelectField.tsx';
import { PickerField } from '#platform/web/form/PickerField.tsx';
import { MoneyField, TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { monthNow } from '#platform/web/time/months.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { grantKinds, usualPriority } from '../contract.ts';
import { creditgrantsApi, creditgrantsKey } from './api.ts';
import { chargesOf, ChargesField, chosenCharges } from './ChargesField.tsx';
import { useGrantWords } from './grant-words.ts';
import { chosenServices, ServicesField } from './ServicesField.tsx';
import { amountField, checkAmount, typedAmount } from './typed-amount.ts';

const recurrences = ['once', 'monthly', 'rollover'] as const;
/** How many months ahead credit can start. */
const monthsAhead = 12;

const fields = z
  .strictObject({
    organization: chosenOrganization,
    kind: z.enum(grantKinds),
    zhTW: text(80),
    enUS: text(80),
    amount: amountField,
    currency: z.enum(currencyCodes),
    recurring: z.enum(recurrences),
    services: chosenServices,
    charges: chosenCharges,
    usageOnly: z.boolean(),
    /** Empty: the organization's current month. */
    startsOn: z.string(),
    /** Empty: never. */
    expiresOn: z.string().check(z.refine((day) => day === '' || isDay(day), 'creditgrants.day_wrong')),
    priority: z.string().check(z.trim(), z.regex(/^(100|\d{1,2})$/, 'creditgrants.priority_wrong')),
    note: optionalText(500),
  })
  .check(
    z.check((context) => {
      const { organization, amount, currency } = context.value;
      checkAmount(context, 'amount', amount, currency);
      if (organization === null)
        context.issues.push({
          code: 'custom',
          input: null,
          path: ['organization'],
          message: 'creditgrants.organization_missing',
        });
    }),
  );
type Typed = z.output<typeof fields>;

const inputOf = (typed: Typed): Parameters<typeof creditgrantsApi.giveGrant>[0] => ({
  organizationId: required(typed.organization, 'the form checked the organization').id,
  kind: typed.kind,
  name: { zhTW: typed.zhTW, enUS: typed.enUS },
  amount: required(typedAmount(typed.amount, typed.currency), 'the form checked the amount'),
  priority: Number.parseInt(typed.priority, 10),
  scope: {
    services: typed.services.length === 0 ? null : typed.services.map(({ id }) => id),
    charges: chargesOf(typed.services, typed.charges),
    usageOnly: typed.usageOnly,
  },
  ...(isMonth(typed.startsOn) && { startsOn: typed.startsOn }),
  ...(isDay(typed.expiresOn) && { expiresOn: typed.expiresOn }),
  ...(typed.kind === 'promotional' &&
    typed.recurring !== 'once' && { recurring: { rollover: typed.recurring === 'rollover' } }),
  note: typed.note,
});

export function GiveGrantPanel({
  onClose,
  onGiven,
}: {
  onClose: () => void;
  onGiven: (grantId: Id<'cgr'>) => void;
}) {
  const { t } = useTranslation('creditgrants');
  const format = useFormat();
  const form = useZodForm(fields, {
    organization: null,
    kind: 'promotional',
    zhTW: '',
    enUS: '',
    amount: '',
    currency: useBrand((brand) => brand.currency),
    recurring: 'once',
    services: [],
    charges: [],
    usageOnly: false,
    startsOn: '',
    expiresOn: '',
    priority: String(usualPriority),
    note: '',
  });
  const give = useCall(creditgrantsApi.giveGrant, { invalidates: [creditgrantsKey()] });
  const submit = async (typed: Typed) => {
    const grant = await give.mutateAsync(inputOf(typed));
    toast.success(
      t('creditgrants.given', { amount: format.money(grant.amount), organization: grant.organization }),
    );
    form.reset(form.getValues());
    onGiven(grant.id);
  };
  return (
    <FormPanel
      form={form}
      title={t('creditgrants.give')}
      width={560}
      submitLabel={t('creditgrants.give')}
      onSubmit={submit}
      onClose={onClose}
    >
      <OrganizationField
        form={form}
        name="organization"
        label={t('creditgrants.column_organization')}
        required
      />
      <MoneyFields form={form} />
      <Box sx={pairs}>
        <TextField form={form} name="zhTW" label={t('creditgrants.name_zh')} autoComplete="off" required />
        <TextField form={form} name="enUS" label={t('creditgrants.name_en')} autoComplete="off" required />
      </Box>
      <ScopeFields form={form} />
      <PeriodFields form={form} />
      <TextField
        form={form}
        name="priority"
        label={t('creditgrants.column_priority')}
        help={t('creditgrants.priority_help')}
        inputMode="numeric"
        autoComplete="off"
        required
      />
      <TextField
        form={form}
        name="note"
        label={t('creditgrants.column_note')}
        help={t('creditgrants.note_help')}
        rows={2}
      />
    </FormPanel>
  );
}

type GiveForm = ReturnType<typeof useZodForm<typeof fields>>;

function MoneyFields({ form }: { form: GiveForm }) {
  const { t } = useTranslation('creditgrants');
  const { language } = useFormat();
  const [kind, currency, recurring] = useWatch({
    control: form.control,
    name: ['kind', 'currency', 'recurring'],
  });
  // used as: 'creditgrants.kind_*', 'creditgrants.kind_help_*', 'creditgrants.recurring_*', 'creditgrants.recurring_help_*'
  return (
    <>
      <SelectField
        form={form}
        name="kind"
        label={t('creditgrants.column_kind')}
        help={t(`creditgrants.kind_help_${kind}`)}
        options={grantKinds.toReversed().map((one) => ({ value: one, label: t(`creditgrants.kind_${one}`) }))}
      />
      <Box sx={pairs}>
        <MoneyField
          form={form}
          name="amount"
          label={t(
            kind === 'promotional' && recurring !== 'once'
              ? 'creditgrants.amount_each_month'
              : 'creditgrants.column_amount',
          )}
          sign={withSymbol('', currency, language)}
          required
        />
        <SelectField
          form={form}
          name="currency"
          label={t('creditgrants.column_currency')}
          options={currencyCodes.map((one) => ({ value: one, label: one }))}
        />
      </Box>
      {kind === 'promotional' && (
        <SelectField
          form={form}
          name="recurring"
          label={t('creditgrants.column_recurring')}
          help={t(`creditgrants.recurring_help_${recurring}`)}
          options={recurrences.map((one) => ({ value: one, label: t(`creditgrants.recurring_${one}`) }))}
        />
      )}
    </>
  );
}

function ScopeFields({ form }: { form: GiveForm }) {
  const { t } = useTranslation('creditgrants');
  return (
    <>
      <ServicesField
        form={form}
        name="services"
        label={t('creditgrants.services')}
        help={t('creditgrants.services_help')}
      />
      <ChargesField form={form} name="charges" services="services" />
      <CheckField form={form} name="usageOnly" label={t('creditgrants.usage_only_field')} />
    </>
  );
}

function PeriodFields({ form }: { form: GiveForm }) {
  const { t } = useTranslation('creditgrants');
  const format = useFormat();
  const words = useGrantWords();
  const now = monthNow(useBrand((brand) => brand.timeZone));
  const [startsOn, expiresOn] = useWatch({ control: form.control, name: ['startsOn', 'expiresOn'] });
  const months = monthsFrom(addMonths(now, -1), monthsAhead + 2);
  return (
    <>
      <Box sx={pairs}>
        <SelectField
          form={form}
          name="startsOn"
          label={t('creditgrants.starts_on')}
          options={[
            { value: '', label: t('creditgrants.current_month') },
            ...months.map((one) => ({ value: one, label: format.month(one) })),
          ]}
        />
        <PickerField
          form={form}
          name="expiresOn"
          label={t('creditgrants.expires_on')}
          help={words.period({
            ...(isMonth(startsOn) && { startsOn }),
            lastMonth: isDay(expiresOn) ? monthOfDay(expiresOn) : null,
          })}
          type="date"
        />
      </Box>
    </>
  );
}
