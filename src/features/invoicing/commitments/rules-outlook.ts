// Where a running period of a commitment is heading.
import { roundedQuotient } from '#kernel/decimal.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { addMonths } from '#kernel/time.ts';
import { monthsThrough } from '#features/invoicing/credit-grants/rules.ts';
import type { CommitmentRisk } from './contract.ts';
import type { PeriodOfTerm } from './rules-periods.ts';

export type Outlook = {
  /** Drawn by bills, and what open months will draw by what was used so far; at most the amount. */
  readonly used: bigint;
  /** What will be drawn when the period ends; at most the amount. */
  readonly expected: bigint;
  /** What the period is heading to be charged because too little is drawn. */
  readonly trueUp: bigint;
  readonly risk: CommitmentRisk;
};

/**
 * Where a running period is heading.
 *
 * Used is what bills drew of the period and what its open months will draw by what was used so far (`planned`).
 * A full month is one before the running one up to the last that a bill drew in; the pace is the mean of the last
 * up to three of them, also of an earlier period. At the end of the period every month to come has drawn the
 * pace, and the open months together at least what is planned. As long as there is no full month, the pace is what
 * is planned of each open month.
 *
 * `behind`: less is expected than is due. `over`: the amount is used up already, or before the last month begins.
 *
 * @param now the organization's running month, within the period or after it
 * @param draws of the commitment by bills that stand, any number for a month
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

/** The last up to three full months of a commitment. */
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
