// Sets and ends the minimum monthly spend of an organization.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import * as z from 'zod/mini';
import { required } from '#kernel/assert.ts';
import { withSymbol } from '#kernel/format-money.ts';
import { currencyCodes, parseMoney, type Currency, type Money } from '#kernel/money.ts';
import { currency, isMonth, type BillingMonth } from '#kernel/shape.ts';
import { addMonths, monthsFrom } from '#kernel/time.ts';
import { pairs, whole } from '#platform/web/form/FieldGroup.tsx';
import { FormDialog } from '#platform/web/form/FormDialog.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { MoneyField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { monthNow } from '#platform/web/time/months.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Money as Amount } from '#platform/web/ui/Money.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { OrganizationField, requiredOrganization } from '#features/access/identity/web/parts.ts';
import type { MinimumSpend } from '../contract-minimums.ts';
import { oneOffsApi, oneOffsKey } from './api.ts';
import { withFormFields } from './one-off-form.ts';

/** The number of months to choose from. */
const monthsAhead = 36;

const readAmount = (typed: string, of: Currency): Money | undefined => {
  const amount = parseMoney(typed.replaceAll(',', '').trim(), of);
  return amount && amount.minor > 0n ? amount : undefined;
};
const someMonth = z.custom<BillingMonth>(isMonth);
const newShape = z
  .strictObject({
    organization: requiredOrganization,
    amount: z.string().check(z.minLength(1)),
    currency,
    fromMonth: someMonth,
    toMonth: z.union([z.literal(''), someMonth]),
  })
  .check(
    z.check((context) => {
      const { amount, currency: of } = context.value;
      if (amount.trim() !== '' && !readAmount(amount, of))
        context.issues.push({
          code: 'custom',
          input: amount,
          path: ['amount'],
          message: 'oneoffs.minimum_not_positive',
        });
    }),
  );

const invalidates = [oneOffsKey()];

export function NewMinimumDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('oneoffs');
  const format = useFormat();
  const brand = useBrand();
  const current = monthNow(brand.timeZone);
  const form = useZodForm(newShape, {
    organization: null,
    amount: '',
    currency: brand.currency,
    fromMonth: current,
    toMonth: '',
  });
  const create = useCall(oneOffsApi.createMinimumSpend, {
    invalidates,
    onSuccess: ({ organization, amount }) =>
      toast.success(t('oneoffs.minimum_made', { organization, amount: format.money(amount) })),
  });
  const submit = async (fields: z.output<typeof newShape>) => {
    try {
      await create.mutateAsync({
        organizationId: required(fields.organization, 'the form checked the organization').id,
        amount: required(readAmount(fields.amount, fields.currency), 'the form checked the amount'),
        fromMonth: fields.fromMonth,
        toMonth: fields.toMonth === '' ? null : fields.toMonth,
      });
    } catch (error) {
      throw withFormFields(error);
    }
  };
  const optionsOf = (months: readonly BillingMonth[]) =>
    months.map((month) => ({ value: month, label: format.month(month) }));
  return (
    <FormDialog
      form={form}
      title={t('oneoffs.minimum_new')}
      confirm={t('oneoffs.minimum_make')}
      width="sm"
      onSubmit={submit}
      onClose={onClose}
    >
      <Box sx={pairs}>
        <Box sx={whole}>
          <OrganizationField
            form={form}
            name="organization"
            label={t('oneoffs.column_organization')}
            required
          />
        </Box>
        <MoneyField
          form={form}
          name="amount"
          label={t('oneoffs.minimum_amount')}
          help={t('oneoffs.minimum_amount_help')}
          sign={withSymbol('', form.watch('currency'), format.language)}
          required
        />
        <SelectField
          form={form}
          name="currency"
          label={t('oneoffs.currency')}
          options={currencyCodes.map((code) => ({ value: code, label: code }))}
        />
        <SelectField
          form={form}
          name="fromMonth"
          label={t('oneoffs.from_month')}
          options={optionsOf(monthsFrom(current, monthsAhead))}
        />
        <SelectField
          form={form}
          name="toMonth"
          label={t('oneoffs.to_month')}
          options={[
            { value: '', label: t('oneoffs.no_end') },
            ...optionsOf(monthsFrom(form.watch('fromMonth'), monthsAhead)),
          ]}
        />
      </Box>
      <Typography variant="body2" color="textSecondary">
        {t('oneoffs.minimum_hint')}
      </Typography>
    </FormDialog>
  );
}

const endShape = z.strictObject({ lastMonth: someMonth });

export function EndMinimumDialog({ minimum, onClose }: { minimum: MinimumSpend; onClose: () => void }) {
  const { t } = useTranslation('oneoffs');
  const format = useFormat();
  const { organization, amount, fromMonth, toMonth, currentMonth } = minimum;
  const first = fromMonth > currentMonth ? fromMonth : currentMonth;
  // From ending before the first month that can still be changed, to the month before it ends anyway.
  const months = monthsFrom(addMonths(first, -1), monthsAhead).filter(
    (month) => toMonth === null || month < toMonth,
  );
  const form = useZodForm(endShape, { lastMonth: months[1] ?? addMonths(first, -1) });
  const end = useCall(oneOffsApi.endMinimumSpend, {
    invalidates,
    onSuccess: () => toast.success(t('oneoffs.minimum_ended', { organization })),
  });
  const submit = async ({ lastMonth }: z.output<typeof endShape>) => {
    await end.mutateAsync({ minimumSpendId: minimum.id, lastMonth });
  };
  const isCancelling = form.watch('lastMonth') < fromMonth;
  return (
    <FormDialog
      form={form}
      title={t('oneoffs.minimum_end_title', { organization })}
      confirm={t('oneoffs.minimum_end')}
      onSubmit={submit}
      onClose={onClose}
    >
      <Facts
        items={[
          [t('oneoffs.minimum_amount'), <Amount key="amount" amount={amount} strong />],
          [t('oneoffs.from_month'), format.month(fromMonth)],
          [t('oneoffs.to_month'), toMonth === null ? t('oneoffs.no_end') : format.month(toMonth)],
        ]}
      />
      <SelectField
        form={form}
        name="lastMonth"
        label={t('oneoffs.last_month')}
        help={isCancelling ? t('oneoffs.minimum_cancel_hint') : t('oneoffs.minimum_end_hint')}
        options={months.map((month) => ({
          value: month,
          label:
            month < fromMonth
              ? t('oneoffs.minimum_cancel', { month: format.month(fromMonth) })
              : format.month(month),
        }))}
      />
    </FormDialog>
  );
}
