// Rules of one-off charges: their amount, who has to approve them, and their state transitions. Those of the
// minimum monthly spend are in rules-minimums.ts.
import { decimal, decimalText, type Decimal } from '#kernel/decimal.ts';
import type { Id } from '#kernel/ids.ts';
import { isWithinBounds, money, roundToMoney, type Currency, type Money } from '#kernel/money.ts';
import type { LocalDay } from '#kernel/shape.ts';
import { addDays } from '#kernel/time.ts';
import {
  priceDigits,
  quantityDigits,
  type OneOffBilling,
  type OneOffKind,
  type OneOffOrigin,
  type OneOffState,
  type OneOffStep,
  type OneOffTax,
} from './contract.ts';

export { type MinimumSpendInForce } from './rules-minimums.ts';

/** An approved one-off as it applies to a bill. */
export type OneOffInForce = {
  readonly id: Id<'ooc'>;
  /** Changes with every change of its state; see `holdOneOffs`. */
  readonly version: bigint;
  readonly name: { readonly zhTW: string; readonly enUS: string };
  readonly subscriptionId: Id<'sub'> | null;
  /** Exact decimal texts without trailing zeros. */
  readonly quantity: string;
  readonly unitPrice: string;
  /** Their product, rounded once to the currency; negative for a credit. */
  readonly amount: Money;
  /** Discounts do not reduce late fees. */
  readonly origin?: OneOffOrigin;
  readonly taxedAs?: OneOffTax;
};

export type Priced = {
  readonly kind: OneOffKind;
  readonly quantity: string;
  readonly unitPrice: string;
  readonly currency: Currency;
};
/** The error, and its field. */
export type OneOffMistake = {
  readonly code:
    | 'oneoffs.quantity_wrong'
    | 'oneoffs.price_wrong'
    | 'oneoffs.amount_zero'
    | 'oneoffs.amount_too_large'
    | 'oneoffs.day_out_of_range'
    | 'oneoffs.own_bill_later';
  readonly field: 'quantity' | 'unitPrice' | 'chargeOn';
};

/**
 * Parses a positive decimal with up to 12 integer digits and `digits` fraction digits; undefined if the text
 * is invalid.
 */
function positive(text: string, digits: number): Decimal | undefined {
  if (!new RegExp(`^\\d{1,12}(\\.\\d{1,${digits}})?$`).test(text)) return undefined;
  const value = decimal(text);
  return value.gt(decimal('0')) ? value : undefined;
}

/** Parses a positive quantity with at most 6 fraction digits; undefined if the text is invalid. */
export const quantityOf = (text: string): Decimal | undefined => positive(text, quantityDigits);
/** Parses a positive unit price with at most 12 fraction digits; undefined if the text is invalid. */
export const unitPriceOf = (text: string): Decimal | undefined => positive(text, priceDigits);

/**
 * Quantity × unit price, rounded half away from zero to the currency's digits, once (domain.md, "Money");
 * negative for a credit. Returns the error instead if the amount rounds to zero, which would be a meaningless
 * line, or exceeds `maxMoneyDigits`, which could not be booked.
 */
export function pricedOneOff({
  kind,
  quantity,
  unitPrice,
  currency,
}: Priced):
  | { readonly quantity: string; readonly unitPrice: string; readonly amount: Money }
  | OneOffMistake {
  const count = quantityOf(quantity);
  if (!count) return { code: 'oneoffs.quantity_wrong', field: 'quantity' };
  const price = unitPriceOf(unitPrice);
  if (!price) return { code: 'oneoffs.price_wrong', field: 'unitPrice' };
  const size = roundToMoney(count.times(price), currency);
  if (size.minor === 0n) return { code: 'oneoffs.amount_zero', field: 'unitPrice' };
  if (!isWithinBounds(size)) return { code: 'oneoffs.amount_too_large', field: 'unitPrice' };
  return {
    quantity: decimalText(count),
    unitPrice: decimalText(price),
    amount: kind === 'credit' ? money(-size.minor, currency) : size,
  };
}

const farthestDays = { back: 366, ahead: 5 * 366 } as const;

/**
 * Why the day of a one-off is invalid, given the organization's `today`: a separate bill is issued at once,
 * so its day cannot be in the future; a day in the distant future is a typing error that would never be
 * billed.
 */
export function dayMistake(
  chargeOn: LocalDay,
  today: LocalDay,
  billing: OneOffBilling,
): OneOffMistake | undefined {
  if (billing === 'own_bill' && chargeOn > today)
    return { code: 'oneoffs.own_bill_later', field: 'chargeOn' };
  if (chargeOn < addDays(today, -farthestDays.back) || chargeOn > addDays(today, farthestDays.ahead))
    return { code: 'oneoffs.day_out_of_range', field: 'chargeOn' };
  return undefined;
}

/**
 * Whether a second Admin has to approve an amount: if the setting is on and the amount exceeds it (credits by
 * absolute value), or has another currency, because the two cannot be compared.
 */
export function needsApproval(amount: Money, approvalAbove: Money | null): boolean {
  if (!approvalAbove) return false;
  if (amount.currency !== approvalAbove.currency) return true;
  const size = amount.minor < 0n ? -amount.minor : amount.minor;
  return size > approvalAbove.minor;
}

const moves: Readonly<Record<OneOffState, Partial<Record<OneOffStep, OneOffState>>>> = {
  awaiting_approval: { approved: 'approved', rejected: 'rejected', withdrawn: 'withdrawn' },
  approved: { billed: 'billed', withdrawn: 'withdrawn' },
  billed: { released: 'approved' },
  rejected: {},
  withdrawn: {},
};

/** Returns the state after a step; undefined if the step is not possible. */
export const stateAfter = (state: OneOffState, step: OneOffStep): OneOffState | undefined =>
  moves[state][step];

/** Why a step is refused in a state in which it is not possible. */
export function refusalOf(
  state: OneOffState,
  step: 'approved' | 'rejected' | 'withdrawn',
): 'oneoffs.billed' | 'oneoffs.over' | 'oneoffs.not_awaiting' {
  if (state === 'billed') return 'oneoffs.billed';
  return step === 'withdrawn' ? 'oneoffs.over' : 'oneoffs.not_awaiting';
}
