// Amounts as users type them.
import * as z from 'zod/mini';
import { moneyText, parseMoney, type Currency, type Money } from '#kernel/money.ts';

/** '1,050' and '1050' are the same; undefined if it is not an amount of the currency above zero. */
export function typedAmount(text: string, currency: Currency): Money | undefined {
  const amount = parseMoney(text.trim().replaceAll(',', ''), currency);
  return amount && amount.minor > 0n ? amount : undefined;
}

/** The initial value of an amount field. */
export const amountText = (amount: Money | null | undefined): string => (amount ? moneyText(amount) : '');

/** The amount field of a form; {@link checkAmount} validates it with the currency. */
export const amountField = z.string().check(z.trim(), z.minLength(1));

/**
 * Reports a typed text that is not an amount above zero at its field; an empty field is not an error here.
 */
export function checkAmount(
  context: { readonly issues: unknown[] },
  path: string,
  text: string,
  currency: Currency,
): void {
  if (text.trim() !== '' && !typedAmount(text, currency))
    context.issues.push({ code: 'custom', input: text, path: [path], message: 'creditgrants.amount_wrong' });
}
