// Commitments as Admins and customers see them.
import { money } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { monthOf } from '#kernel/time.ts';
import type { Commitment, CommitmentDetail, OwnCommitment, Period, ShownOutlook } from '../contract.ts';
import {
  commitmentState,
  currentPeriod,
  lastMonthOf,
  periodsOf,
  periodState,
  type Outlook,
  type PeriodOfTerm,
} from '../rules.ts';
import type { CommitmentRow } from './store.ts';

/** A commitment with the projection of its current period; without `estimate`, the last stored one. */
export function commitmentView(
  row: CommitmentRow,
  now: Date,
  estimate: (Outlook & { readonly period: number }) | null = row.estimate,
): Commitment {
  const { terms, currency } = row;
  const current = monthOf(now, row.timeZone);
  const state = commitmentState(terms, current);
  const period = currentPeriod(terms, current);
  return {
    id: row.id,
    organizationId: row.organizationId,
    organization: row.organization,
    name: row.name,
    state,
    currency,
    scope: { services: row.services, charges: row.charges, usageOnly: row.usageOnly },
    startsOn: terms.startsOn,
    months: terms.months,
    lastMonth: lastMonthOf(terms),
    period: terms.period,
    committedPercent: row.committedPercent,
    overagePercent: row.overagePercent,
    current: period
      ? {
          ...periodView(row, period, current),
          outlook:
            state === 'active' && estimate?.period === period.index ? outlookView(estimate, row) : null,
        }
      : null,
    settlement: terms.ended?.settlement ?? null,
    note: row.note,
    createdAt: row.createdAt,
    createdBy: row.createdBy,
    endedAt: row.endedAt,
    endedBy: row.endedBy,
    endReason: row.endReason,
  };
}

const outlookView = (
  { used, expected, trueUp, risk }: Outlook,
  { currency }: Pick<CommitmentRow, 'currency'>,
): ShownOutlook => ({
  used: money(used, currency),
  expected: money(expected, currency),
  trueUp: money(trueUp, currency),
  risk,
});

function periodView(
  { currency, sums }: CommitmentRow,
  { amount, target, ...period }: PeriodOfTerm,
  now: BillingMonth,
): Period {
  const { drawn = 0n, trueUp = 0n, isSettled = false } = sums.get(period.index) ?? {};
  return {
    ...period,
    amount: money(amount, currency),
    target: money(target, currency),
    // Negative only after a bill was voided that refunds on other bills had returned.
    drawn: money(drawn > 0n ? drawn : 0n, currency),
    trueUp: money(trueUp, currency),
    state: periodState(period, now, isSettled),
  };
}

/** The periods of a commitment, in order. */
export const periodViews = (row: CommitmentRow, now: Date): Period[] =>
  periodsOf(row.terms).map((period) => periodView(row, period, monthOf(now, row.timeZone)));

/** A commitment as its organization sees it: without remarks and the names of the operator's staff. */
export function ownView(
  row: CommitmentRow,
  now: Date,
  estimate: (Outlook & { period: number }) | null,
): OwnCommitment {
  const {
    organizationId: _organizationId,
    organization: _organization,
    note: _note,
    createdBy: _createdBy,
    endedBy: _endedBy,
    endReason: _endReason,
    ...shown
  } = commitmentView(row, now, estimate);
  return { ...shown, periods: periodViews(row, now) };
}

export const detailView = (
  row: CommitmentRow,
  now: Date,
  rest: Pick<CommitmentDetail, 'uses' | 'endsFrom'> & {
    readonly estimate: (Outlook & { readonly period: number }) | null;
  },
): CommitmentDetail => ({
  ...commitmentView(row, now, rest.estimate),
  amounts: row.terms.amounts.map((amount) => money(amount, row.currency)),
  periods: periodViews(row, now),
  uses: rest.uses,
  endsFrom: rest.endsFrom,
});
