// Fees billed in advance for more than a month: the part for later months is deferred and becomes revenue
// month by month (decisions 0070 and 0127). Amounts are minor units of the bill's currency.
import { required } from '#kernel/assert.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { CoveredMonth } from '#features/selling/subscriptions/rules.ts';
import { balanced, type Entry } from '#features/invoicing/ledger/rules.ts';
import type { Currency } from '#kernel/money.ts';
import { chargedOfLines } from './rules-interim.ts';
import type { PlannedBillLine } from './rules-late.ts';

/**
 * The part of a line that belongs to a later month: positive for a fee. A refund line reduces it, so its
 * parts are negative; they are positive if a paused month's own share was more than the refund. `position` is
 * 1-based.
 */
export type DeferredPart = {
  readonly position: number;
  readonly month: BillingMonth;
  readonly minor: bigint;
};

const divisor = (a: bigint, b: bigint): bigint => (b === 0n ? a : divisor(b, a % b));
const multiple = (a: bigint, b: bigint): bigint => (a / divisor(a, b)) * b;

/**
 * Splits an amount evenly over the whole months it covers; a partial month is weighted by the share of its
 * days (or seconds) that is covered. Each part is rounded towards zero to the minor unit, and the last month
 * gets the remainder, so that the parts add up: 12,000 for twelve months is 1,000 each. Straight-line by time
 * elapsed, an output method (IFRS 15, paragraphs 39 to 45 and B15), with the month as its unit. Amount and
 * parts are minor units; parts are in the order of the months.
 */
export function splitByMonth(amount: bigint, months: readonly CoveredMonth[]): bigint[] {
  const common = months.reduce((so, { whole }) => multiple(so, BigInt(whole)), 1n);
  const weights = months.map(({ units, whole }) => BigInt(units) * (common / BigInt(whole)));
  const sum = weights.reduce((so, weight) => so + weight, 0n);
  // bigint division rounds towards zero.
  const parts = weights.map((weight) => (sum === 0n ? 0n : (amount * weight) / sum));
  const last = parts.pop();
  return last === undefined ? [] : [...parts, parts.reduce((rest, part) => rest - part, amount)];
}

/**
 * The key that parts of several bills share: a subscription's charge (empty for its single price) in a
 * currency.
 */
export type DeferralKey = {
  readonly subscriptionId: string | null;
  readonly chargeKey: string;
  readonly currency: Currency;
};
export const deferralKey = ({ subscriptionId, chargeKey, currency }: DeferralKey): string =>
  `${subscriptionId ?? ''} ${chargeKey} ${currency}`;
const keyOfLine = ({ subscriptionId, charge, amount }: PlannedBillLine): string =>
  deferralKey({ subscriptionId, chargeKey: charge?.key ?? '', currency: amount.currency });

/**
 * What earlier bills contain for a bill's month, earned or not, and their unearned part for later months; by
 * {@link deferralKey} and month.
 */
export type DeferredOf = ReadonlyMap<string, ReadonlyMap<BillingMonth, bigint>>;
const nothingDeferred: DeferredOf = new Map();

/** Adds the parts of one more bill's lines. */
export function withParts(
  there: DeferredOf,
  lines: readonly PlannedBillLine[],
  parts: readonly DeferredPart[],
): DeferredOf {
  const all = new Map([...there].map(([key, months]) => [key, new Map(months)]));
  for (const { position, month, minor } of parts) {
    const key = keyOfLine(required(lines[position - 1], 'the line of a part'));
    const own = all.get(key) ?? new Map<BillingMonth, bigint>();
    all.set(key, own.set(month, (own.get(month) ?? 0n) + minor));
  }
  return all;
}

/** The sum of two sets of bills. */
export function bothDeferred(one: DeferredOf, other: DeferredOf): DeferredOf {
  return new Map(
    [...new Set([...one.keys(), ...other.keys()])].map((key) => {
      const own = new Map(one.get(key));
      for (const [month, minor] of other.get(key) ?? []) own.set(month, (own.get(month) ?? 0n) + minor);
      return [key, own];
    }),
  );
}

/** Whether a line refunds future months, or a month in which nothing was served. */
export const settlesDeferral = (
  month: BillingMonth,
  { kind, covers, isOfIdleMonth }: PlannedBillLine,
): boolean =>
  kind === 'credit' && (isOfIdleMonth === true || (covers?.some((each) => each.month > month) ?? false));

/**
 * Returns the parts of a bill's lines for months after the bill's, line by line: of fees, what is left after
 * the shares of discounts, agreed rates and promotional credit ({@link splitByMonth}). Refunds are computed
 * by days, which differ from the monthly shares, so refund lines ({@link settlesDeferral}) move the
 * difference:
 *
 * - A refund of future months, because the service ends or changes, takes everything deferred for its charge:
 * nothing remains for months without service. The difference increases or reduces revenue of the bill's
 * month.
 * - A refund of a month without any service takes exactly that month's share. The difference goes to the last
 * month with a deferred amount, limited to that amount; the rest stays with the bill's month.
 *
 * Lines are in order of time: a fee comes after what it replaces. `there` is what earlier bills contain;
 * without it, only fees of this bill are known. Returns nothing for lines without covered months, which is
 * nearly every bill.
 */
export function deferredParts(
  month: BillingMonth,
  lines: readonly PlannedBillLine[],
  there: DeferredOf = nothingDeferred,
): DeferredPart[] {
  if (lines.every(({ covers }) => covers === undefined)) return [];
  const charged = chargedOfLines(
    lines.map(({ amount, term }) => ({ amount: amount.minor, shares: term?.shares })),
  );
  const kept = new Map<string, Map<BillingMonth, bigint>>();
  return lines.flatMap((line, index): DeferredPart[] => {
    if (!line.covers) return [];
    const amount = required(charged[index], 'a line’s charge');
    const key = keyOfLine(line);
    const own = kept.get(key) ?? new Map(there.get(key));
    kept.set(key, own);
    const parts = (
      line.kind === 'credit'
        ? partsGivenBack(month, line, amount, own)
        : partsAhead(month, line.covers, amount)
    ).filter(({ minor }) => minor !== 0n);
    for (const part of [...parts, { month, minor: amount - deferredSum(parts) }])
      own.set(part.month, (own.get(part.month) ?? 0n) + part.minor);
    return parts.map((part) => ({ position: index + 1, ...part }));
  });
}

type Part = Omit<DeferredPart, 'position'>;

const partsAhead = (month: BillingMonth, covers: readonly CoveredMonth[], amount: bigint): Part[] =>
  splitByMonth(amount, covers).flatMap((minor, place) => {
    const covered = required(covers[place], 'the month of a part');
    return covered.month > month ? [{ month: covered.month, minor }] : [];
  });

/**
 * What a refund line takes from later months, and adds to them: `own` is what its charge has by month before
 * it.
 */
function partsGivenBack(
  month: BillingMonth,
  line: PlannedBillLine,
  amount: bigint,
  own: ReadonlyMap<BillingMonth, bigint>,
): Part[] {
  if (!settlesDeferral(month, line)) return [];
  const open = [...own]
    .filter(([of, minor]) => of > month && minor > 0n)
    .toSorted(([a], [b]) => (a < b ? 1 : -1));
  if (line.covers?.some((each) => each.month > month))
    return open.map(([of, minor]) => ({ month: of, minor: -minor }));
  let rest = (own.get(month) ?? 0n) + amount;
  const [last] = open;
  if (rest >= 0n) return last ? [{ month: last[0], minor: rest }] : [];
  return open.map(([of, minor]) => {
    const taken = -rest < minor ? -rest : minor;
    rest += taken;
    return { month: of, minor: -taken };
  });
}

/**
 * The parts of a bill that replaces a void one. Positive parts are at least what `open` lacks for their
 * month: the amount that later bills refunded of the void bill.
 */
export function atLeastGivenBack(
  lines: readonly PlannedBillLine[],
  parts: readonly DeferredPart[],
  open: DeferredOf,
): DeferredPart[] {
  const left = new Map([...open].map(([key, months]) => [key, new Map(months)]));
  return parts.map((part) => {
    const months = left.get(keyOfLine(required(lines[part.position - 1], 'the line of a part')));
    const lacking = -(months?.get(part.month) ?? 0n);
    if (part.minor < 0n || lacking <= part.minor) return part;
    months?.set(part.month, 0n);
    return { ...part, minor: lacking };
  });
}

/** Sums parts. */
export function deferredSum(parts: readonly Pick<DeferredPart, 'minor'>[]): bigint {
  return parts.reduce((sum, { minor }) => sum + minor, 0n);
}

/**
 * What a reversal takes from parts that are not revenue yet: from each line at most what is reversed of it,
 * latest months first, because the refund is for the service still to come. Parts of lines that are not
 * reversed stay.
 */
export function takenParts(
  open: readonly DeferredPart[],
  taken: readonly { readonly position: number; readonly net: bigint }[],
): DeferredPart[] {
  return taken.flatMap(({ position, net }): DeferredPart[] => {
    // Lines below zero refund later months; what is taken from them is negative, too.
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

/** The entries when a month's part of an advance payment becomes revenue; negative if more was refunded. */
export function recognitionEntries(organizationId: string, currency: Currency, minor: bigint): Entry[] {
  return balanced([
    { account: { kind: 'deferred_revenue', organizationId, currency }, minor },
    { account: { kind: 'revenue', organizationId: null, currency }, minor: -minor },
  ]);
}
