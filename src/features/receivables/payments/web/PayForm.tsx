// The amount and method of a payment for a bill: only available methods, with the amount repeated on the
// button.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControl from '@mui/material/FormControl';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormLabel from '@mui/material/FormLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import * as z from 'zod/mini';
import type { Out } from '#kernel/contract.ts';
import { withSymbol } from '#kernel/format-money.ts';
import { money, moneyText, subtractMoney, type Money as Amount } from '#kernel/money.ts';
import { assert } from '#kernel/assert.ts';
import { isPaidLater } from '#features/receivables/gateways/contract.ts';
import { dueNext } from '#features/invoicing/billing/contract.ts';
import type { payments, PaymentIntent } from '../contract.ts';
import { Form, SubmitButton } from '#platform/web/form/Form.tsx';
import { MoneyField } from '#platform/web/form/TextField.tsx';
import { useZodForm } from '#platform/web/form/use-zod-form.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import type { PayableBill } from './payable-bill.ts';
import { takesCurrency, typedAmount } from './payment-amount.ts';

export type PaymentMethod = Exclude<PaymentIntent['method'], 'manual' | 'prepaid_credit' | 'withholding'>;
type PaymentOptions = Out<typeof payments.paymentOptions>;
type PayFormProps = {
  readonly bill: PayableBill;
  readonly balance: Amount;
  readonly ways: PaymentOptions;
  /** Throws the server's error. */
  readonly onPay: (method: PaymentMethod, amount: Amount) => Promise<unknown>;
  readonly onTopUp: (missing: Amount) => void;
  readonly onClose: () => void;
};

/** The available methods for an amount, the balance first. */
export function waysFor(ways: PaymentOptions, due: Amount): PaymentMethod[] {
  return [
    'balance',
    ...ways.providers.filter((provider) => takesCurrency(provider, due.currency)),
    ...(ways.bankAccount ? ['bank_transfer' as const] : []),
  ];
}

/** The typed amount, validated against the amount due. */
const shapeOf = (due: Amount) =>
  z.strictObject({ amount: z.string() }).check(
    z.check((context) => {
      const amount = typedAmount(context.value.amount, due.currency);
      const message = !amount
        ? 'payments.amount_wrong'
        : amount.minor <= 0n
          ? 'payments.amount_not_positive'
          : amount.minor > due.minor
            ? 'payments.amount_above_due'
            : undefined;
      if (message)
        context.issues.push({ code: 'custom', input: context.value.amount, path: ['amount'], message });
    }),
  );

export function PayForm({ bill, balance, ways, onPay, onTopUp, onClose }: PayFormProps) {
  const { t } = useTranslation('payments');
  const format = useFormat();
  const { underWay } = ways;
  const due = underWay ? subtractMoney(bill.due, underWay.amount) : bill.due;
  const next = dueNext(bill);
  // Payments in progress count towards the installment due next.
  const proposed = underWay || next.minor > due.minor ? due : next;
  const offered = waysFor(ways, due);
  const [chosen, setChosen] = useState<PaymentMethod>();
  const form = useZodForm(shapeOf(due), {
    amount: moneyText(proposed),
  });
  const { isSubmitting } = form.formState;
  const amount = typedAmount(form.watch('amount'), due.currency);
  const isOutside = (method: PaymentMethod): boolean =>
    amount !== undefined &&
    ways.ranges.some(
      ({ provider, min, max }) =>
        provider === method && (amount.minor < min.minor || amount.minor > max.minor),
    );
  const usual = offered.slice(1).find((method) => !isOutside(method)) ?? 'balance';
  const way = chosen ?? (balance.minor >= proposed.minor ? 'balance' : usual);
  const missing =
    way === 'balance' && amount && amount.minor > balance.minor
      ? money(amount.minor - balance.minor, due.currency)
      : undefined;
  const label =
    way === 'bank_transfer'
      ? t('payments.way_bank_announce')
      : isPaidLater(way)
        ? t('payments.code_get')
        : t('payments.pay_amount', { amount: format.money(amount ?? due) });
  const submit = async (sent: { amount: string }) => {
    const typed = typedAmount(sent.amount, due.currency);
    assert(typed !== undefined, 'the form checked the amount');
    // The Enter key also submits, even if the button would top up instead.
    if (!missing && !isOutside(way)) await onPay(way, typed);
  };
  return (
    <Form form={form} onSubmit={submit} label={t('payments.pay_title', { number: bill.number })}>
      <Typography variant="body2" color="textSecondary" component="p">
        {format.month(bill.month)}
      </Typography>
      {underWay && (
        <Alert severity="info">
          {t('payments.under_way_part', {
            amount: format.money(underWay.amount),
            since: format.dateTime(underWay.since),
          })}
        </Alert>
      )}
      <MoneyField
        form={form}
        name="amount"
        label={t('payments.pay_what')}
        sign={withSymbol('', due.currency, format.language)}
        help={t('payments.pay_part_help', { amount: format.money(due) })}
        required
        disabled={isSubmitting}
      />
      <WayChoice
        offered={offered}
        ranges={ways.ranges}
        way={way}
        balance={balance}
        disabled={isSubmitting}
        onChoose={setChosen}
      />
      {missing && (
        <Alert severity="warning">{t('payments.balance_missing', { amount: format.money(missing) })}</Alert>
      )}
      {isOutside(way) && <Alert severity="warning">{t('payments.way_outside')}</Alert>}
      <Stack direction="row" sx={{ gap: 1, justifyContent: 'flex-end', flexWrap: 'wrap', paddingBlock: 1 }}>
        <Button onClick={onClose} disabled={isSubmitting}>
          {t('ui.cancel')}
        </Button>
        {missing ? (
          <Button variant="contained" onClick={() => onTopUp(missing)}>
            {t('payments.top_up_balance')}
          </Button>
        ) : (
          <SubmitButton form={form} autoFocus>
            {label}
          </SubmitButton>
        )}
      </Stack>
    </Form>
  );
}

export function WayChoice({
  offered,
  ranges,
  way,
  balance,
  disabled,
  onChoose,
}: {
  offered: readonly PaymentMethod[];
  ranges: PaymentOptions['ranges'];
  way: PaymentMethod;
  balance: Amount;
  disabled: boolean;
  onChoose: (way: PaymentMethod) => void;
}) {
  const { t } = useTranslation('payments');
  const format = useFormat();
  const rangeOf = (method: PaymentMethod): { min: string; max: string } => {
    const range = ranges.find(({ provider }) => provider === method);
    return range ? { min: format.money(range.min), max: format.money(range.max) } : { min: '', max: '' };
  };
  const hints: Record<PaymentMethod, string> = {
    balance: t('payments.way_balance_hint', { amount: format.money(balance) }),
    stripe: t('payments.way_stripe_hint'),
    ecpay: t('payments.way_ecpay_hint'),
    ecpay_atm: t('payments.way_ecpay_atm_hint', rangeOf('ecpay_atm')),
    ecpay_cvs: t('payments.way_ecpay_cvs_hint', rangeOf('ecpay_cvs')),
    bank_transfer: t('payments.way_bank_hint'),
  };
  return (
    <FormControl disabled={disabled}>
      <FormLabel id="pay-how" sx={{ marginBottom: '6px', fontSize: '0.875rem' }}>
        {t('payments.pay_how')}
      </FormLabel>
      <RadioGroup
        aria-labelledby="pay-how"
        value={way}
        onChange={(_, value) => onChoose(value as PaymentMethod)}
        sx={{ gap: 1 }}
      >
        {offered.map((one) => (
          <Box
            key={one}
            sx={{
              border: '1px solid',
              borderColor: one === way ? 'primary.main' : 'color-mix(in srgb, currentColor 32%, transparent)',
              borderRadius: '5px',
              paddingInline: '12px',
              backgroundColor: one === way ? 'primary.soft' : undefined,
            }}
          >
            <FormControlLabel
              value={one}
              control={<Radio size="small" />}
              sx={{
                width: '100%',
                margin: 0,
                paddingBlock: '6px',
                alignItems: 'flex-start',
                '& .MuiRadio-root': { marginInlineStart: '-8px' },
              }}
              // used as: 'payments.method_*'
              label={
                <>
                  <Typography component="span" sx={{ display: 'block', paddingTop: '6px', fontWeight: 700 }}>
                    {t(`payments.method_${one}`)}
                  </Typography>
                  <Typography
                    component="span"
                    variant="caption"
                    color="textSecondary"
                    sx={{ display: 'block' }}
                  >
                    {hints[one]}
                  </Typography>
                </>
              }
            />
          </Box>
        ))}
      </RadioGroup>
    </FormControl>
  );
}
