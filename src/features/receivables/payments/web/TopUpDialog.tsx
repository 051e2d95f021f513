// Tops up the balance, by bank transfer or provider; a transfer counts once an Admin has confirmed it.
import Alert from '@mui/material/Alert';
import { useQuery } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { withSymbol } from '#kernel/format-money.ts';
import { moneyText, parseMoney, type Currency, type Money as Amount } from '#kernel/money.ts';
import { assert, required } from '#kernel/assert.ts';
import { optionalText } from '#kernel/shape.ts';
import { providers as providerNames, type ProviderName } from '#features/receivables/gateways/contract.ts';
import { DialogForm } from '#platform/web/form/DialogForm.tsx';
import { SelectField } from '#platform/web/form/SelectField.tsx';
import { MoneyField, TextField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { Modal } from '#platform/web/ui/Modal.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { takesCurrency } from './payment-amount.ts';
import { paymentsApi, paymentsKey, paymentsQueries } from './api.ts';
import { redirectToCheckout } from './checkout.ts';

export type TopUpDialogProps = {
  /** The amount missing to pay a bill, used as the initial amount. */
  readonly suggested?: Amount;
  readonly onClose: () => void;
};

export function TopUpDialog({ suggested, onClose }: TopUpDialogProps) {
  const { t } = useTranslation('payments');
  const query = useQuery(paymentsQueries.balance());
  const options = useQuery(paymentsQueries.paymentOptions());
  return (
    <Modal open width="xs" title={t('payments.top_up_title')} onClose={onClose}>
      <QueryState query={query} skeleton={<Lines count={5} />}>
        {({ balances }) => (
          <QueryState query={options} skeleton={<Lines count={5} />}>
            {({ providers }) => {
              const currencies = [
                ...new Set([
                  ...(suggested ? [suggested.currency] : []),
                  ...balances.map((one) => one.currency),
                ]),
              ];
              return (
                <TopUpForm
                  currencies={currencies}
                  providers={providers}
                  suggested={suggested}
                  onClose={onClose}
                />
              );
            }}
          </QueryState>
        )}
      </QueryState>
    </Modal>
  );
}

/** The amount as typed, checked against the decimal places of the chosen currency. */
const shapeOf = (currencies: readonly Currency[]) =>
  z
    .strictObject({
      amount: z.string().check(z.trim(), z.minLength(1)),
      currency: z.enum(currencies),
      method: z.enum(['manual', ...providerNames]),
      note: optionalText(200),
    })
    .check(
      z.check((context) => {
        const amount = parseMoney(context.value.amount.replaceAll(',', ''), context.value.currency);
        if (context.value.amount === '' || (amount && amount.minor > 0n)) return;
        context.issues.push({
          code: 'custom',
          input: context.value.amount,
          path: ['amount'],
          message: amount ? 'payments.amount_not_positive' : 'payments.amount_wrong',
        });
      }),
    );

function TopUpForm({
  currencies,
  providers,
  suggested,
  onClose,
}: {
  currencies: readonly Currency[];
  providers: readonly ProviderName[];
  suggested: Amount | undefined;
  onClose: () => void;
}) {
  const { t } = useTranslation('payments');
  const format = useFormat();
  const form = useZodForm(shapeOf(currencies), {
    amount: suggested ? moneyText(suggested) : '',
    currency: required(currencies[0], 'a currency'),
    method: providers[0] ?? 'manual',
    note: '',
  });
  const topUp = useCall(paymentsApi.topUp, {
    invalidates: [paymentsKey()],
    onSuccess: ({ amount, checkout }) =>
      checkout
        ? redirectToCheckout(checkout)
        : toast.success(t('payments.top_up_announced', { amount: format.money(amount) })),
  });
  const submit = async ({
    amount,
    currency,
    method,
    note,
  }: {
    amount: string;
    currency: Currency;
    method: 'manual' | ProviderName;
    note: string;
  }) => {
    const parsed = parseMoney(amount.replaceAll(',', ''), currency);
    assert(parsed !== undefined, 'the form checked the amount');
    const { checkout } = await topUp.mutateAsync({ amount: parsed, method, ...(note !== '' && { note }) });
    // While the browser goes to the provider, the dialog stays open with its button busy.
    if (!checkout) onClose();
  };
  const chosen = form.watch('currency');
  const method = form.watch('method');
  const methods = ['manual' as const, ...providers.filter((provider) => takesCurrency(provider, chosen))];
  return (
    <DialogForm
      form={form}
      label={t('payments.top_up_title')}
      confirm={method === 'manual' ? t('payments.top_up_send') : t('payments.top_up')}
      lead={method === 'manual' && <Alert severity="info">{t('payments.top_up_how')}</Alert>}
      onSubmit={submit}
      onClose={onClose}
    >
      <MoneyField
        form={form}
        name="amount"
        label={t('payments.amount')}
        sign={withSymbol('', chosen, format.language)}
        required
        autoFocus
      />
      {currencies.length > 1 && (
        <SelectField
          form={form}
          name="currency"
          label={t('payments.currency')}
          options={currencies.map((one) => ({ value: one, label: one }))}
        />
      )}
      {/* used as: 'payments.method_*' */}
      {methods.length > 1 && (
        <SelectField
          form={form}
          name="method"
          label={t('payments.method')}
          options={methods.map((one) => ({ value: one, label: t(`payments.method_${one}`) }))}
        />
      )}
      {method === 'manual' && (
        <TextField
          form={form}
          name="note"
          label={t('payments.note')}
          help={t('payments.note_help')}
          rows={2}
        />
      )}
    </DialogForm>
  );
}
