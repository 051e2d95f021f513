// Parsing of typed amounts.
import * as z from 'zod/mini';
import { parseMoney, type Currency, type Money } from '#kernel/money.ts';
import type { ProviderName } from '#features/receivables/gateways/contract.ts';
import type { paymentsErrors } from '../contract.ts';

/** '1,050' and '1050' are the same; undefined if it is not an amount of the currency. */
export function typedAmount(text: string, currency: Currency): Money | undefined {
  return parseMoney(text.trim().replaceAll(',', ''), currency);
}

/** A typed amount above zero and up to `most`; `above` is the error for a larger one. */
export const amountUpTo = (most: Money, above: keyof typeof paymentsErrors) =>
  z.string().check(
    z.check((context) => {
      const amount = typedAmount(context.value, most.currency);
      const message = !amount
        ? 'payments.amount_wrong'
        : amount.minor <= 0n
          ? 'payments.amount_not_positive'
          : amount.minor > most.minor
            ? above
            : undefined;
      if (message !== undefined) context.issues.push({ code: 'custom', input: context.value, message });
    }),
  );

/** Whether a provider accepts a currency: ECPay only accepts Taiwan dollars. */
export const takesCurrency = (provider: ProviderName, currency: Currency): boolean =>
  !provider.startsWith('ecpay') || currency === 'TWD';
