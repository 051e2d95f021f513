// The periods of a commitment: which months they contain, the amount owed for each, and what a bill draws
// from it.
import { required } from '#kernel/assert.ts';
import { roundedQuotient } from '#kernel/decimal.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { addMonths, monthsThrough } from '#kernel/time.ts';
import type { CommitmentPeriod, CommitmentState, PeriodState, Settlement } from './contract.ts';
import type { CommitmentInForce } from './rules-draw.ts';

/** The agreed term and amounts. */
export type CommitmentTerms = {
  readonly startsOn: BillingMonth;
  /** In whole months, a multiple of the period's length. */
  readonly months: number;
  readonly period: CommitmentPeriod;
  /** One for each period. */
  readonly amounts: readonly bigint[];
  readonly ended: { readonly lastMonth: BillingMonth; readonly settlement: Settlement } | null;
};
export type PeriodOfTerm = {
  /** Zero-based. */
  readonly index: number;
  readonly firstMonth: BillingMonth;
  /** The month whose bill settles it; earlier than agreed if the commitment ended early. */
  readonly lastMonth: BillingMonth;
  readonly amount: bigint;
  /** The amount owed when it is settled. */
  readonly target: bigint;
};

/** Returns the number of months in each period of a term. */
export function periodMonths({ period, months }: Pick<CommitmentTerms, 'period' | 'months'>): number {
  return period === 'contract' ? months : monthsOfPeriod[period];
}
const monthsOfPeriod = { month: 1, quarter: 3, year: 12 } as const;

/** Returns the number of periods in a term; undefined if its months are not whole periods. */
export function periodCount(term: {
  readonly period: CommitmentPeriod;
  readonly months: number;
}): number | undefined {
  const count = term.months / periodMonths(term);
  return Number.isInteger(count) ? count : undefined;
}

/** Returns the last month that counts; before `startsOn` if it ended before it started. */
export function lastMonthOf({
  startsOn,
  months,
  ended,
}: Pick<CommitmentTerms, 'startsOn' | 'months' | 'ended'>): BillingMonth {
  return ended?.lastMonth ?? addMonths(startsOn, months - 1);
}

/** Returns the period that contains a month; undefined before the term, after it, and after an early end. */
export function periodOf(terms: CommitmentTerms, month: BillingMonth): PeriodOfTerm | undefined {
  if (month < terms.startsOn || month > lastMonthOf(terms)) return undefined;
  return periodAt(terms, Math.trunc((monthsThrough(terms.startsOn, month) - 1) / periodMonths(terms)));
}

/** Returns the periods of a term in order, without those after an early end. */
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

/** The amount owed for the period in which a commitment ends early; a prorated amount is rounded once. */
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

/** The sums of bills in force for one period, excluding the bill to be replaced. */
export type PeriodSums = {
  readonly drawn: bigint;
  readonly trueUp: bigint;
  readonly isSettled: boolean;
};

/**
 * Returns a commitment as it applies to the bill of a month; undefined if it does not apply to that month.
 */
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

/** Determines which commitment a line belongs to if several cover it. */
export type DrawRank = {
  readonly scope: Pick<CommitmentInForce['scope'], 'services'>;
  readonly createdAt: Date;
  readonly id: string;
};
/**
 * Orders commitments for specific services before those for all services, then by creation time, then by id.
 */
export function byDrawOrder(a: DrawRank, b: DrawRank): number {
  const rank = ({ scope }: DrawRank): number => (scope.services === null ? 1 : 0);
  return (
    rank(a) - rank(b) ||
    a.createdAt.getTime() - b.createdAt.getTime() ||
    (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
  );
}

/** Returns the state of a commitment in an organization's current month. */
export function commitmentState(
  terms: Pick<CommitmentTerms, 'startsOn' | 'months' | 'ended'>,
  now: BillingMonth,
): CommitmentState {
  const last = lastMonthOf(terms);
  if (now > last || last < terms.startsOn) return 'ended';
  return now < terms.startsOn ? 'upcoming' : 'active';
}

/**
 * Returns the period that represents a commitment: the current one, the first before its term, the last after
 * it; undefined if it ended before it started.
 */
export function currentPeriod(terms: CommitmentTerms, now: BillingMonth): PeriodOfTerm | undefined {
  const last = lastMonthOf(terms);
  return periodOf(terms, now < terms.startsOn ? terms.startsOn : now > last ? last : now);
}

/** Returns the state of a period in an organization's current month. */
export function periodState(
  { firstMonth, lastMonth }: Pick<PeriodOfTerm, 'firstMonth' | 'lastMonth'>,
  now: BillingMonth,
  isSettled: boolean,
): PeriodState {
  if (isSettled) return 'settled';
  if (now < firstMonth) return 'upcoming';
  return now > lastMonth ? 'awaiting_bill' : 'running';
}
