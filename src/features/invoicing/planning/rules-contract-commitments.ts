// The commitments of a simulated contract: their term, and the outcome of each period.
import { money, type Currency } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { monthsThrough } from '#kernel/time.ts';
import type { CommitmentPeriod } from '#features/invoicing/commitments/contract.ts';
import {
  drawsOf,
  periodMonths,
  periodsOf,
  proposedId,
  termsOfProposal,
  type CommitmentProposal,
  type ProposedDraws,
} from '#features/invoicing/commitments/rules.ts';
import { scopeOf } from '#features/invoicing/credit-grants/rules.ts';
import type { ProposedCommitment, SimulatedContract } from './contract-terms.ts';

/** The simulated months; commitments start with the first one. */
export type SimulatedTime = { readonly startsOn: BillingMonth; readonly lastMonth: BillingMonth };

/** The number of months in the whole periods that cover a number of months. */
export function coveringMonths(period: CommitmentPeriod, months: number): number {
  const length = periodMonths({ period, months });
  return Math.ceil(months / length) * length;
}

const unnamed = { zhTW: '', enUS: '' };

/**
 * Returns a proposed commitment over the simulated months. Fewer months than requested need fewer amounts.
 */
export function commitmentProposal(
  {
    period,
    amounts,
    committedPercent,
    overagePercent,
    usageOnly = false,
    services,
    charges,
  }: ProposedCommitment,
  { startsOn, lastMonth }: SimulatedTime,
): CommitmentProposal {
  const months = coveringMonths(period, monthsThrough(startsOn, lastMonth));
  return {
    name: unnamed,
    months,
    period,
    amounts: amounts.slice(0, months / periodMonths({ period, months })),
    committedPercent,
    overagePercent,
    scope: scopeOf({ services: services ?? null, charges: charges ?? null, usageOnly }),
  };
}

/** Returns the outcome of each commitment's periods after the draws of the simulated months. */
export function commitmentCourses(
  proposed: readonly ProposedCommitment[],
  currency: Currency,
  time: SimulatedTime | undefined,
  draws: ProposedDraws,
): SimulatedContract['commitments'] {
  return proposed.map((commitment, index) => {
    if (!time) return { index, periods: [] };
    const terms = termsOfProposal(commitmentProposal(commitment, time), time.startsOn);
    return {
      index,
      periods: periodsOf(terms).map(({ index: period, firstMonth, lastMonth, amount }) => {
        const { drawn = 0n, trueUp = 0n } = drawsOf(draws, proposedId(index), period) ?? {};
        const isSettled = lastMonth <= time.lastMonth;
        const rest = amount > drawn ? amount - drawn : 0n;
        return {
          firstMonth,
          lastMonth,
          amount: money(amount, currency),
          used: money(drawn, currency),
          trueUp: money(trueUp, currency),
          isSettled,
          missing: money(isSettled ? 0n : rest, currency),
        };
      }),
    };
  });
}
