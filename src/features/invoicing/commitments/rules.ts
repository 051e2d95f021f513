// Rules of commitments: what may be agreed, and how a commitment ends early. Draws, periods and projections
// are in separate files. Amounts are minor units of the commitment's currency.
import { decimal, zero } from '#kernel/decimal.ts';
import type { FieldError } from '#kernel/errors.ts';
import { currencies, type Money } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { addMonths } from '#kernel/time.ts';
import {
  maxAmountDigits,
  maxMonthsAhead,
  type CommitmentPeriod,
  type commitmentsErrors,
  type Settlement,
} from './contract.ts';
import { percentDigits } from './rules-draw.ts';
import {
  commitmentState,
  lastMonthOf,
  periodCount,
  periodMonths,
  type CommitmentTerms,
} from './rules-periods.ts';

export {
  commitmentCovers,
  commitmentOfLine,
  drawDown,
  percentDigits,
  type CommitmentInForce,
  type DrawOfLine,
  type Drawn,
  type DrawLine,
} from './rules-draw.ts';
export { outlook, type Outlook } from './rules-outlook.ts';
export {
  byDrawOrder,
  commitmentState,
  currentPeriod,
  inForce,
  lastMonthOf,
  periodCount,
  periodMonths,
  periodOf,
  periodsOf,
  periodState,
  type CommitmentTerms,
  type DrawRank,
  type PeriodOfTerm,
  type PeriodSums,
} from './rules-periods.ts';
export {
  drawsAfter,
  drawsOf,
  proposedId,
  proposedInForce,
  termsOfProposal,
  usualPercent,
  type CommitmentProposal,
  type ProposedDraws,
} from './rules-proposed.ts';

export type CommitmentMistake = FieldError & { readonly code: keyof typeof commitmentsErrors };

export const maxCommittedPercent = '100';
export const maxOveragePercent = '1000';
/** Whether a rate is positive, at most `max`, and has at most {@link percentDigits} fraction digits. */
export function isRate(text: string, max: string): boolean {
  const value = decimal(text);
  return value.gt(zero) && value.lte(decimal(max)) && value.eq(value.round(percentDigits, 0));
}

/**
 * Returns the errors in the terms of a new commitment, field by field. `current` is the organization's
 * current month: a commitment may start in the previous month, whose bill may not be issued yet.
 */
export function termsMistakes(
  terms: {
    readonly startsOn: BillingMonth;
    readonly months: number;
    readonly period: CommitmentPeriod;
    readonly amounts: readonly Money[];
    readonly committedPercent: string;
    readonly overagePercent: string;
  },
  current: BillingMonth,
): CommitmentMistake[] {
  const { startsOn, period, months, amounts } = terms;
  const mistakes: CommitmentMistake[] = [];
  const earliest = addMonths(current, -1);
  const latest = addMonths(current, maxMonthsAhead);
  if (startsOn < earliest)
    mistakes.push({ field: 'startsOn', code: 'commitments.starts_too_early', params: { month: earliest } });
  if (startsOn > latest)
    mistakes.push({ field: 'startsOn', code: 'commitments.starts_too_late', params: { month: latest } });
  const count = periodCount(terms);
  if (count === undefined)
    mistakes.push({
      field: 'months',
      code: 'commitments.months_not_whole_periods',
      params: { count: periodMonths({ period, months }) },
    });
  else if (amounts.length !== 1 && amounts.length !== count)
    mistakes.push({ field: 'amounts', code: 'commitments.amounts_wrong_number', params: { count } });
  for (const [index, amount] of amounts.entries()) {
    const code = amountMistake(amount, amounts[0]);
    if (code) mistakes.push({ field: `amounts.${index}`, code });
  }
  const rates = [
    ['committedPercent', maxCommittedPercent],
    ['overagePercent', maxOveragePercent],
  ] as const;
  for (const [field, max] of rates)
    if (!isRate(terms[field], max))
      mistakes.push({
        field,
        code: 'commitments.percent_out_of_range',
        params: { max, digits: percentDigits },
      });
  return mistakes;
}

/** Why an amount cannot be committed; undefined if it can. */
export function amountMistake(amount: Money, first: Money = amount): CommitmentMistake['code'] | undefined {
  if (amount.currency !== first.currency) return 'commitments.amounts_other_currency';
  if (amount.minor <= 0n) return 'commitments.amount_not_positive';
  const most = 10n ** BigInt(maxAmountDigits + currencies[amount.currency].billingDigits);
  return amount.minor < most ? undefined : 'commitments.amount_too_large';
}

/** The inputs that determine when a commitment may end early. */
export type Standing = {
  readonly terms: CommitmentTerms;
  /** The organization's current month. */
  readonly current: BillingMonth;
  /** The last month for which a bill in force drew from it; undefined if there is none. */
  readonly lastBilled: BillingMonth | undefined;
};

/**
 * Returns the earliest month with which a commitment may end early: later than the last month that bills drew
 * from, and not before the organization's previous month, because that month's bill charges the amount owed.
 * A commitment that has not started ends with the month before its start. Null if it has ended or only ends
 * with its last month.
 */
export function earliestEnd({ terms, current, lastBilled }: Standing): BillingMonth | null {
  if (terms.ended !== null || commitmentState(terms, current) === 'ended') return null;
  const candidates = [
    addMonths(terms.startsOn, -1),
    addMonths(current, -1),
    ...(lastBilled === undefined ? [] : [addMonths(lastBilled, 1)]),
  ];
  const earliest = candidates.reduce((latest, each) => (each > latest ? each : latest));
  return earliest < lastMonthOf(terms) ? earliest : null;
}

/** Why a commitment cannot end early as requested; undefined if it can. */
export function endMistake(
  standing: Standing,
  { lastMonth, settlement }: { readonly lastMonth: BillingMonth; readonly settlement: Settlement },
): CommitmentMistake | undefined {
  const { terms, current, lastBilled } = standing;
  if (terms.ended !== null || commitmentState(terms, current) === 'ended')
    return { field: 'lastMonth', code: 'commitments.has_ended' };
  const field = 'lastMonth';
  const last = lastMonthOf(terms);
  if (lastMonth >= last) return { field, code: 'commitments.ends_anyway', params: { month: last } };
  if (lastBilled !== undefined && lastMonth <= lastBilled)
    return { field, code: 'commitments.month_billed', params: { month: addMonths(lastBilled, 1) } };
  const earliest = earliestEnd(standing);
  if (earliest !== null && lastMonth < earliest)
    return { field, code: 'commitments.ends_too_early', params: { month: earliest } };
  return lastMonth < terms.startsOn && settlement !== 'none'
    ? { field: 'settlement', code: 'commitments.nothing_to_settle' }
    : undefined;
}
