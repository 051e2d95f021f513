// Projects how a current period of a commitment will end.
import { roundedQuotient } from '#kernel/decimal.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { addMonths, monthsThrough } from '#kernel/time.ts';
import type { CommitmentRisk } from './contract.ts';
import type { PeriodOfTerm } from './rules-periods.ts';

export type Outlook = {
  /** Drawn by bills, plus what open months will draw based on usage so far; at most the amount. */
  readonly used: bigint;
  /** The projected draw at the end of the period; at most the amount. */
  readonly expected: bigint;
  /** The projected true-up. */
  readonly trueUp: bigint;
  readonly risk: CommitmentRisk;
};

/**
 * Projects a current period.
 *
 * Used is what bills drew from the period plus what its open months will draw based on usage so far
 * (`planned`). A full month is one before the current month, up to the last one that a bill drew in; the pace
 * is the mean of the last up to three of them, including those of an earlier period. The projection adds the
 * pace for every future month, and for the open months together at least what is planned. Without a full
 * month, the pace is the planned amount per open month.
 *
 * `behind`: less is expected than is committed. `over`: the amount is used up already, or will be before the
 * last month starts.
 *
 * @param now the organization's current month, within the period or after it
 * @param draws the draws of bills in force, any number per month
 */
export function outlook({
  period,
  startsOn,
  now,
  draws,
  planned,
}: {
  readonly period: PeriodOfTerm;
  readonly startsOn: BillingMonth;
  readonly now: BillingMonth;
  readonly draws: readonly { readonly month: BillingMonth; readonly drawn: bigint }[];
  readonly planned: bigint;
}): Outlook {
  const { firstMonth, lastMonth, amount, target } = period;
  const drawnIn = (from: BillingMonth, to: BillingMonth): bigint =>
    draws.reduce((sum, { month, drawn }) => (month >= from && month <= to ? sum + drawn : sum), 0n);
  const drawn = drawnIn(firstMonth, lastMonth);
  const billed = draws.reduce<BillingMonth | undefined>(
    (last, { month }) => (last !== undefined && month < last ? last : month),
    undefined,
  );
  const running = now < lastMonth ? now : lastMonth;
  const firstOpen = billed !== undefined && billed >= firstMonth ? addMonths(billed, 1) : firstMonth;
  const open = Math.max(0, monthsThrough(firstOpen, running));
  const toCome = monthsThrough(running, lastMonth) - 1;
  const pace = paceOf(fullMonths(startsOn, billed, now), drawnIn) ?? { top: planned, bottom: open };
  const atPace = (months: number): bigint =>
    pace.bottom === 0 || pace.top <= 0n
      ? 0n
      : roundedQuotient(pace.top * BigInt(months), BigInt(pace.bottom));
  const after = (months: number): bigint =>
    drawn + larger(planned - atPace(open), 0n) + atPace(open + months);
  const used = smaller(larger(drawn + planned, 0n), amount);
  const expected = smaller(after(toCome), amount);
  const trueUp = larger(target - expected, 0n);
  const isUsedUp = used >= amount || (toCome > 0 && after(toCome - 1) >= amount);
  return { used, expected, trueUp, risk: trueUp > 0n ? 'behind' : isUsedUp ? 'over' : 'on_track' };
}

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/** Returns the last up to three full months of a commitment. */
function fullMonths(
  startsOn: BillingMonth,
  billed: BillingMonth | undefined,
  now: BillingMonth,
): { readonly first: BillingMonth; readonly last: BillingMonth; readonly count: number } | undefined {
  if (billed === undefined) return undefined;
  const last = billed < now ? billed : addMonths(now, -1);
  const count = Math.min(3, monthsThrough(startsOn, last));
  return count > 0 ? { first: addMonths(last, 1 - count), last, count } : undefined;
}

const paceOf = (
  full: ReturnType<typeof fullMonths>,
  drawnIn: (from: BillingMonth, to: BillingMonth) => bigint,
): { readonly top: bigint; readonly bottom: number } | undefined =>
  full && { top: drawnIn(full.first, full.last), bottom: full.count };
