// The form of auto top-up and of the warning about low credit, for one currency.
import { useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import { required } from '#kernel/assert.ts';
import { withSymbol } from '#kernel/format-money.ts';
import type { Currency, Money } from '#kernel/money.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { FormDialog } from '#platform/web/form/FormDialog.tsx';
import { CheckField } from '#platform/web/form/SelectField.tsx';
import { MoneyField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import type { TopUp } from '../contract.ts';
import { creditgrantsApi, creditgrantsKey } from './api.ts';
import { amountText, checkAmount, typedAmount } from './typed-amount.ts';

const terms = ['threshold', 'amount', 'monthlyCap'] as const;

/** An amount is only needed if its part is switched on. */
const fieldsOf = (currency: Currency) =>
  z
    .strictObject({
      isOn: z.boolean(),
      threshold: z.string(),
      amount: z.string(),
      monthlyCap: z.string(),
      warns: z.boolean(),
      warnBelow: z.string(),
    })
    .check(
      z.check((context) => {
        const { isOn, warns, ...amounts } = context.value;
        const needed = [...(isOn ? terms : []), ...(warns ? (['warnBelow'] as const) : [])];
        for (const name of needed) {
          checkAmount(context, name, amounts[name], currency);
          if (amounts[name].trim() === '')
            context.issues.push({
              code: 'custom',
              input: '',
              path: [name],
              message: 'creditgrants.amount_wrong',
            });
        }
        const [amount, cap] = [
          typedAmount(amounts.amount, currency),
          typedAmount(amounts.monthlyCap, currency),
        ];
        if (isOn && amount && cap && cap.minor < amount.minor)
          context.issues.push({
            code: 'custom',
            input: amounts.monthlyCap,
            path: ['monthlyCap'],
            message: 'creditgrants.cap_below_amount',
          });
      }),
    );

export function TopUpDialog({
  setting,
  isSold,
  onClose,
}: {
  setting: TopUp;
  /** Whether the operator sells credit; otherwise only the warning can be set. */
  isSold: boolean;
  onClose: () => void;
}) {
  const { t } = useTranslation('creditgrants');
  const { language } = useFormat();
  const { currency, topUp, warnBelow } = setting;
  const form = useZodForm(fieldsOf(currency), {
    isOn: topUp !== null && isSold,
    threshold: amountText(topUp?.threshold),
    amount: amountText(topUp?.amount),
    monthlyCap: amountText(topUp?.monthlyCap),
    warns: warnBelow !== null,
    warnBelow: amountText(warnBelow),
  });
  const [isOn, warns] = useWatch({ control: form.control, name: ['isOn', 'warns'] });
  const save = useCall(creditgrantsApi.setTopUp, {
    invalidates: [creditgrantsKey()],
    onSuccess: () => toast.success(t('creditgrants.top_up_saved')),
  });
  const amountOf = (text: string): Money =>
    required(typedAmount(text, currency), 'the form checked the amount');
  const submit = (typed: z.output<ReturnType<typeof fieldsOf>>) =>
    save.mutateAsync({
      currency,
      topUp: typed.isOn
        ? {
            threshold: amountOf(typed.threshold),
            amount: amountOf(typed.amount),
            monthlyCap: amountOf(typed.monthlyCap),
          }
        : isSold
          ? null
          : topUp,
      warnBelow: typed.warns ? amountOf(typed.warnBelow) : null,
    });
  const sign = withSymbol('', currency, language);
  // used as: 'creditgrants.terms_*', 'creditgrants.terms_help_*'
  return (
    <FormDialog
      form={form}
      title={t('creditgrants.top_up')}
      confirm={t('creditgrants.top_up_save')}
      onSubmit={submit}
      onClose={onClose}
    >
      {isSold && <CheckField form={form} name="isOn" label={t('creditgrants.top_up_switch')} as="switch" />}
      {isOn &&
        terms.map((name) => (
          <MoneyField
            key={name}
            form={form}
            name={name}
            label={t(`creditgrants.terms_${name}`)}
            help={t(`creditgrants.terms_help_${name}`)}
            sign={sign}
            required
          />
        ))}
      <CheckField form={form} name="warns" label={t('creditgrants.warn_switch')} as="switch" />
      {warns && (
        <MoneyField
          form={form}
          name="warnBelow"
          label={t('creditgrants.warn_below')}
          help={t('creditgrants.warn_help')}
          sign={sign}
          required
        />
      )}
    </FormDialog>
  );
}
