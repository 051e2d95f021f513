// Rules of commitments: their periods and what is due of each, which comes first, where a period is heading, and
// what may be agreed. What a bill draws stands in rules-draw.ts. Amounts are minor units of the currency.
import { required } from '#kernel/assert.ts';
import { roundedQuotient } from '#kernel/decimal.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { addMonths } from '#kernel/time.ts';
import { monthsThrough } from '#features/invoicing/credit-grants/rules.ts';
import type { CommitmentPeriod, CommitmentRisk, CommitmentState, Settlement } from './contract.ts';
import type { CommitmentInForce } from './rules-draw.ts';

export {
  commitmentCovers,
  commitmentOfLine,
  drawDown,
  percentDigits,
  type CommitmentInForce,
  type CommitmentScope,
  type CoveredLine,
  type Drawn,
  type DrawLine,
} from './rules-draw.ts';

/** What was agreed about time and amounts. */
export type CommitmentTerms = {
  readonly startsOn: BillingMonth;
  /** Whole months, a multiple of the period's. */
  readonly months: number;
  readonly period: CommitmentPeriod;
  /** One for each period. */
  readonly amounts: readonly bigint[];
  readonly ended: { readonly lastMonth: BillingMonth; readonly settlement: Settlement } | null;
};
export type PeriodOfTerm = {
  /** From 0 on. */
  readonly index: number;
  readonly firstMonth: BillingMonth;
  /** With which it is settled: earlier than agreed when the commitment ended in it. */
  readonly lastMonth: BillingMonth;
  readonly amount: bigint;
  /** What is due when it is settled. */
  readonly target: bigint;
};

/** How many months each period of a term has. */
export function periodMonths({ period, months }: Pick<CommitmentTerms, 'period' | 'months'>): number {
  return period === 'contract' ? months : monthsOfPeriod[period];
}
const monthsOfPeriod = { month: 1, quarter: 3, year: 12 } as const;

/** The last month that counts; before `startsOn` when it ended before it began. */
export function lastMonthOf({
  startsOn,
  months,
  ended,
}: Pick<CommitmentTerms, 'startsOn' | 'months' | 'ended'>): BillingMonth {
  return ended?.lastMonth ?? addMonths(startsOn, months - 1);
}

/** The period in which a month lies; undefined before the term, after it, and after an early end. */
export function periodOf(terms: CommitmentTerms, month: BillingMonth): PeriodOfTerm | undefined {
  if (month < terms.startsOn || month > lastMonthOf(terms)) return undefined;
  return periodAt(terms, Math.trunc((monthsThrough(terms.startsOn, month) - 1) / periodMonths(terms)));
}

/** The periods of a term, the first one first; without those after an early end. */
export function periodsOf(terms: CommitmentTerms): PeriodOfTerm[] {
  const months = monthsThrough(terms.startsOn, lastMonthOf(terms));
  return Array.from({ length: Math.max(0, Math.ceil(months / periodMonths(terms))) }, (_, index) =>
    periodAt(terms, index),
  );
}

function periodAt(terms: CommitmentTerms, index: number): PeriodOfTerm {
  const length = periodMonths(terms);
  const firstMonth = addMonths(terms.startsOn, index * length);
  const agreedEnd = addMonths(firstMonth, length - 1);
  const lastMonth = lastMonthOf(terms);
  const amount = required(terms.amounts[index], 'the amount of a period');
  const endsIn = terms.ended !== null && lastMonth <= agreedEnd;
  return {
    index,
    firstMonth,
    lastMonth: lastMonth < agreedEnd ? lastMonth : agreedEnd,
    amount,
    target: endsIn
      ? earlyTarget(terms.ended.settlement, {
          amounts: terms.amounts.slice(index),
          served: monthsThrough(firstMonth, lastMonth),
          length,
        })
      : amount,
  };
}

/** What is due of the period in which a commitment ends early; the part of its months is rounded once. */
function earlyTarget(
  settlement: Settlement,
  {
    amounts,
    served,
    length,
  }: { readonly amounts: readonly bigint[]; readonly served: number; readonly length: number },
): bigint {
  const amount = required(amounts[0], 'the amount of the period in which a commitment ends');
  if (settlement === 'none') return 0n;
  if (settlement === 'prorated') return roundedQuotient(amount * BigInt(served), BigInt(length));
  return settlement === 'period' ? amount : amounts.reduce((sum, each) => sum + each, 0n);
}

/** What bills that stand made of one period, without the bill that is to be replaced. */
export type PeriodSums = {
  readonly drawn: bigint;
  readonly trueUp: bigint;
  readonly isSettled: boolean;
};

/** A commitment as the bill of a month takes it; undefined when it does not apply to that month. */
export function inForce(
  commitment: Omit<CommitmentInForce, 'period' | 'amount' | 'target' | 'drawn' | 'trueUp' | 'settles'> & {
    readonly terms: CommitmentTerms;
  },
  month: BillingMonth,
  sumsOf: (periodIndex: number) => PeriodSums | undefined,
): CommitmentInForce | undefined {
  const { terms, ...rest } = commitment;
  const found = periodOf(terms, month);
  if (!found) return undefined;
  const { index, firstMonth, lastMonth, amount, target } = found;
  const sums = sumsOf(index);
  return {
    ...rest,
    period: { index, firstMonth, lastMonth },
    amount,
    target,
    drawn: sums?.drawn ?? 0n,
    trueUp: sums?.trueUp ?? 0n,
    settles: month === lastMonth || sums?.isSettled === true,
  };
}

/** What decides which commitment a line belongs to that several cover. */
export type DrawRank = {
  readonly scope: Pick<CommitmentInForce['scope'], 'services'>;
  readonly createdAt: Date;
  readonly id: string;
};
/** Those for named services before those for all, then the earlier made one, then by id. */
export function byDrawOrder(a: DrawRank, b: DrawRank): number {
  const rank = ({ scope }: DrawRank): number => (scope.services === null ? 1 : 0);
  return (
    rank(a) - rank(b) ||
    a.createdAt.getTime() - b.createdAt.getTime() ||
    (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
  );
}

/** Whether a commitment counts in an organization's running month. */
export function commitmentState(
  terms: Pick<CommitmentTerms, 'startsOn' | 'months' | 'ended'>,
  now: BillingMonth,
): CommitmentState {
  const last = lastMonthOf(terms);
  if (now > last || last < terms.startsOn) return 'ended';
  return now < terms.startsOn ? 'upcoming' : 'active';
}

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
