// The periods of a commitment: which month lies in which, what is due of each, and what a bill takes of it.
import { required } from '#kernel/assert.ts';
import { roundedQuotient } from '#kernel/decimal.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { addMonths } from '#kernel/time.ts';
import { monthsThrough } from '#features/invoicing/credit-grants/rules.ts';
import type { CommitmentPeriod, CommitmentState, PeriodState, Settlement } from './contract.ts';
import type { CommitmentInForce } from './rules-draw.ts';

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

/** How many periods a term has; undefined when its months are not whole periods. */
export function periodCount(term: {
  readonly period: CommitmentPeriod;
  readonly months: number;
}): number | undefined {
  const count = term.months / periodMonths(term);
  return Number.isInteger(count) ? count : undefined;
}

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

/**
 * The period that stands for a commitment: the running one, before its term the first, after it the last; undefined
 * when it ended before it began.
 */
export function currentPeriod(terms: CommitmentTerms, now: BillingMonth): PeriodOfTerm | undefined {
  const last = lastMonthOf(terms);
  return periodOf(terms, now < terms.startsOn ? terms.startsOn : now > last ? last : now);
}

/** What became of a period by an organization's running month. */
export function periodState(
  { firstMonth, lastMonth }: Pick<PeriodOfTerm, 'firstMonth' | 'lastMonth'>,
  now: BillingMonth,
  isSettled: boolean,
): PeriodState {
  if (isSettled) return 'settled';
  if (now < firstMonth) return 'upcoming';
  return now > lastMonth ? 'awaiting_bill' : 'running';
}
