// Buys credit with the prepaid balance: the amount, and what it will cover.
import Alert from '@mui/material/Alert';
import { useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import { required } from '#kernel/assert.ts';
import { withSymbol } from '#kernel/format-money.ts';
import type { Currency } from '#kernel/money.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { FormDialog } from '#platform/web/form/FormDialog.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { MoneyField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Money } from '#platform/web/ui/Money.tsx';
import type { OwnCredits } from '../contract.ts';
import { creditgrantsApi, creditgrantsKey } from './api.ts';
import { useGrantWords } from './grant-words.ts';
import { amountField, checkAmount, typedAmount } from './typed-amount.ts';

export type BuyDialogProps = {
  readonly totals: OwnCredits['totals'];
  readonly offer: NonNullable<OwnCredits['offer']>;
  readonly onClose: () => void;
};

const fieldsOf = (currencies: readonly Currency[]) =>
  z
    .strictObject({ amount: amountField, currency: z.enum(currencies) })
    .check(
      z.check((context) => checkAmount(context, 'amount', context.value.amount, context.value.currency)),
    );

export function BuyDialog({ totals, offer, onClose }: BuyDialogProps) {
  const { t } = useTranslation('creditgrants');
  const format = useFormat();
  const words = useGrantWords();
  const currencies = totals.map(({ currency }) => currency);
  const form = useZodForm(fieldsOf(currencies), {
    amount: '',
    currency: required(currencies[0], 'a currency'),
  });
  const currency = useWatch({ control: form.control, name: 'currency' });
  const balance = totals.find((one) => one.currency === currency)?.balance;
  const buy = useCall(creditgrantsApi.buyCredit, {
    // Buying reduces the balance.
    invalidates: [creditgrantsKey(), ['payments']],
    onSuccess: ({ amount }) => toast.success(t('creditgrants.bought', { amount: format.money(amount) })),
  });
  const submit = (typed: { amount: string; currency: Currency }) =>
    buy.mutateAsync({
      amount: required(typedAmount(typed.amount, typed.currency), 'the form checked the amount'),
    });
  return (
    <FormDialog
      form={form}
      title={t('creditgrants.buy')}
      confirm={t('creditgrants.buy')}
      lead={
        <>
          <Facts
            items={[
              ...(balance
                ? [[t('creditgrants.own_balance'), <Money key="balance" amount={balance} />] as const]
                : []),
              [t('creditgrants.column_scope'), words.scope(offer.scope)],
              [t('creditgrants.period'), words.period({ lastMonth: offer.lastMonth })],
            ]}
          />
          <Alert severity="info">{t('creditgrants.buy_how')}</Alert>
        </>
      }
      onSubmit={submit}
      onClose={onClose}
    >
      <MoneyField
        form={form}
        name="amount"
        label={t('creditgrants.column_amount')}
        sign={withSymbol('', currency, format.language)}
        required
        autoFocus
      />
      {currencies.length > 1 && (
        <SelectField
          form={form}
          name="currency"
          label={t('creditgrants.column_currency')}
          options={currencies.map((one) => ({ value: one, label: one }))}
        />
      )}
    </FormDialog>
  );
}
