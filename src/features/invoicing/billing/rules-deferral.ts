// Fees that are billed in advance for more than a month: what of them is for later months is owed as service and becomes revenue month
// by month (decision 0070). Amounts are minor units of the bill's currency.
import { required } from '#kernel/assert.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { CoveredMonth } from '#features/selling/subscriptions/rules.ts';
import { balanced, type Entry } from '#features/invoicing/ledger/rules.ts';
import type { Currency } from '#kernel/money.ts';
import { chargedOfLines } from './rules-interim.ts';
import type { PlannedBillLine } from './rules-late.ts';

/** What of a line is for a later month; below zero for what is given back of later months. `position` counts from 1. */
export type DeferredPart = {
  readonly position: number;
  readonly month: BillingMonth;
  readonly minor: bigint;
};

/**
 * An amount in proportion to the days (or seconds) of months, by largest remainder: whole parts in the months' order that add up to
 * it. Of equal remainders the earlier month's comes first. Below zero it is split as the same amount above.
 */
export function splitByMonth(amount: bigint, months: readonly CoveredMonth[]): bigint[] {
  const size = amount < 0n ? -amount : amount;
  const weights = months.map(({ units }) => BigInt(units));
  const whole = weights.reduce((sum, weight) => sum + weight, 0n);
  if (whole === 0n) return weights.map(() => 0n);
  const parts = weights.map((weight) => (size * weight) / whole);
  const rest = Number(size - parts.reduce((sum, part) => sum + part, 0n));
  const byRemainder = weights
    .map((weight, index) => ({ index, remainder: (size * weight) % whole }))
    .toSorted((a, b) =>
      a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1,
    );
  for (const { index } of byRemainder.slice(0, rest)) parts[index] = required(parts[index], 'a part') + 1n;
  return parts.map((part) => (amount < 0n ? -part : part));
}

/**
 * What of a bill's lines is for months after the bill's: of each line what is left of it after the shares of discounts, agreed rates and
 * promotional credit. Nothing for lines that say no months, which is nearly every bill.
 */
export function deferredParts(month: BillingMonth, lines: readonly PlannedBillLine[]): DeferredPart[] {
  if (lines.every(({ covers }) => covers === undefined)) return [];
  const charged = chargedOfLines(
    lines.map(({ amount, term }) => ({ amount: amount.minor, shares: term?.shares })),
  );
  return lines.flatMap(({ covers }, index): DeferredPart[] => {
    if (!covers) return [];
    const position = index + 1;
    const parts = splitByMonth(required(charged[index], 'a line’s charge'), covers);
    return covers.flatMap((covered, place) => {
      const minor = required(parts[place], 'the part of a month');
      return covered.month > month && minor !== 0n ? [{ position, month: covered.month, minor }] : [];
    });
  });
}

/** What is deferred of a subscription's charge (empty: of its single price) for a month; parts of several bills make it up. */
export type DeferralKey = {
  readonly subscriptionId: string | null;
  readonly chargeKey: string;
  readonly currency: Currency;
  readonly month: BillingMonth;
};
export const deferralKey = ({ subscriptionId, chargeKey, currency, month }: DeferralKey): string =>
  `${subscriptionId ?? ''} ${chargeKey} ${currency} ${month}`;

/**
 * A bill's parts of which those that give back later months take no more than is deferred for them, by `open` and by the bill itself. What
 * was charged before there were deferrals, or was earned already, is revenue: what is given back of it lowers revenue at once.
 */
export function withinOpen(
  parts: readonly DeferredPart[],
  keyOf: (part: DeferredPart) => string,
  open: ReadonlyMap<string, bigint>,
): DeferredPart[] {
  const left = new Map(open);
  for (const part of parts)
    if (part.minor > 0n) left.set(keyOf(part), (left.get(keyOf(part)) ?? 0n) + part.minor);
  return parts.flatMap((part): DeferredPart[] => {
    if (part.minor > 0n) return [part];
    const there = left.get(keyOf(part)) ?? 0n;
    const own = -part.minor < there ? -part.minor : there > 0n ? there : 0n;
    left.set(keyOf(part), there - own);
    return own > 0n ? [{ ...part, minor: -own }] : [];
  });
}

/** The sum of parts. */
export const deferredSum = (parts: readonly Pick<DeferredPart, 'minor'>[]): bigint =>
  parts.reduce((sum, { minor }) => sum + minor, 0n);

/**
 * What a reversal takes of parts that are not revenue yet: of each line no more than is taken of it, the latest months first, because what
 * is given back is the service still to come. Parts of lines that nothing is taken of stay.
 */
export function takenParts(
  open: readonly DeferredPart[],
  taken: readonly { readonly position: number; readonly net: bigint }[],
): DeferredPart[] {
  return taken.flatMap(({ position, net }): DeferredPart[] => {
    // Lines below zero give back later months; what is taken of them is below zero, too.
    const sign = net < 0n ? -1n : 1n;
    let rest = net * sign;
    return open
      .filter((part) => part.position === position && part.minor * sign > 0n)
      .toSorted((a, b) => (a.month < b.month ? 1 : -1))
      .flatMap(({ month, minor }): DeferredPart[] => {
        const own = minor * sign < rest ? minor * sign : rest;
        rest -= own;
        return own > 0n ? [{ position, month, minor: own * sign }] : [];
      });
  });
}

/** A month's part of what an organization paid for in advance becomes revenue; below zero where more was given back. */
export function recognitionEntries(organizationId: string, currency: Currency, minor: bigint): Entry[] {
  return balanced([
    { account: { kind: 'deferred_revenue', organizationId, currency }, minor },
    { account: { kind: 'revenue', organizationId: null, currency }, minor: -minor },
  ]);
}
