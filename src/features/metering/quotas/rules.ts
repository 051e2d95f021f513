// Rules of quotas: the remainder of a limit, its status, the day on which the current pace reaches it, and
// which notices are due.
import { ceilDivide, decimal, decimalText, truncateDivide, zero, type Decimal } from '#kernel/decimal.ts';
import type { Quota } from '#features/selling/catalogue/contract.ts';
import type { MeterAggregation } from '#features/selling/meters/contract.ts';
import type { QuotaStatus } from './contract.ts';

/** The percentages of a limit at which a quota becomes Warning and Critical. */
export type Thresholds = { readonly warningPercent: number; readonly criticalPercent: number };
/** R-USE-04: Normal below 85 %, Warning from 85 %, Critical from 95 %. */
export const initialThresholds: Thresholds = { warningPercent: 85, criticalPercent: 95 };

/** A subscription's quota including its raise, which increases the service's limit and never lowers it. */
export function raisedQuota(quota: Quota, granted: string | null | undefined): Quota {
  if (quota.type === 'unlimited' || !granted || decimal(granted).lte(decimal(quota.limit))) return quota;
  return { ...quota, limit: decimalText(decimal(granted)) };
}

/** The parts of a quota that are taken: used, and held by reservations. */
export type QuotaUse = { readonly used: Decimal; readonly reserved: Decimal };

/** The remaining quantity of a quota, never negative; null without a limit. */
export function remainingOf(quota: Quota, { used, reserved }: QuotaUse): Decimal | null {
  if (quota.type === 'unlimited') return null;
  const left = decimal(quota.limit).minus(used).minus(reserved);
  return left.gt(zero) ? left : zero;
}

/** Whether a quota allows a further quantity: only a hard limit can refuse it. */
export function allows(quota: Quota, taken: QuotaUse, quantity: Decimal): boolean {
  return quota.type !== 'hard' || taken.used.plus(taken.reserved).plus(quantity).lte(decimal(quota.limit));
}

/**
 * Whether a call's effect on the quantity is known in advance: true for sums and counts, false for peaks,
 * levels and distinct counts.
 */
export const isCountable = (aggregation: MeterAggregation): aggregation is 'sum' | 'count' =>
  aggregation === 'sum' || aggregation === 'count';
/** A meter that counts events is reserved in whole events, at most as many as one commit can record. */
export const maxEvents = 1000;
export const isWhole = (quantity: Decimal): boolean =>
  quantity.eq(quantity.round(0)) && quantity.lte(decimal(String(maxEvents)));

/**
 * The used share of a limit in percent, truncated to one fraction digit, exactly: 94.99 % is never shown as
 * 95 %. `limit` must not be zero.
 */
export function percentUsed(used: Decimal, limit: Decimal): number {
  return Number(truncateDivide(used.times('1000'), limit)) / 10;
}

/** The status by usage without reservations, compared exactly. */
export function statusOf(used: Decimal, limit: Decimal, thresholds: Thresholds): QuotaStatus {
  const reaches = (percent: number): boolean => used.times('100').gte(limit.times(decimal(String(percent))));
  if (reaches(thresholds.criticalPercent)) return 'Critical';
  return reaches(thresholds.warningPercent) ? 'Warning' : 'Normal';
}

const order: readonly QuotaStatus[] = ['Normal', 'Warning', 'Critical'];

/**
 * Returns the newly reached status that needs a notice, if any: each status once per period, and never a
 * milder one after a worse.
 */
export function crossing(announced: QuotaStatus, now: QuotaStatus): QuotaStatus | undefined {
  return order.indexOf(now) > order.indexOf(announced) ? now : undefined;
}

/**
 * The last notice of a quota in a period: the worst status, its limit, and whether usage has recovered since.
 */
export type LastNotice = {
  readonly status: QuotaStatus;
  readonly limit: Decimal | null;
  readonly isRecovered: boolean;
};

/**
 * Returns the notice that is due now, and the state to store (undefined if nothing changed). Each threshold
 * has one notice, and there is one for recovery when the quota is Normal again. The thresholds of a new limit
 * apply once the quota is Normal.
 */
export function nextNotice(
  last: LastNotice | undefined,
  now: QuotaStatus,
  limit: Decimal,
): { readonly notify?: QuotaStatus; readonly store?: LastNotice } {
  const isSameLimit = !last || last.limit === null || last.limit.eq(limit);
  if (!last || (!isSameLimit && last.isRecovered)) {
    if (now !== 'Normal') return { notify: now, store: { status: now, limit, isRecovered: false } };
    return last ? { store: { status: 'Normal', limit, isRecovered: false } } : {};
  }
  if (now === 'Normal') {
    if (last.status === 'Normal') return {};
    const store: LastNotice = isSameLimit
      ? { ...last, limit, isRecovered: true }
      : { status: 'Normal', limit, isRecovered: false };
    return {
      ...(!last.isRecovered && { notify: 'Normal' }),
      ...(!(isSameLimit && last.isRecovered) && { store }),
    };
  }
  const crossed = crossing(last.status, now);
  if (crossed) return { notify: crossed, store: { status: crossed, limit, isRecovered: last.isRecovered } };
  return isSameLimit ? {} : { store: { ...last, limit } };
}

/**
 * Returns in how many whole days from today the remainder is used up at the current pace; undefined if that
 * is not before the reset. The pace is the mean over the `daysElapsed` days of the period so far (linear
 * burn), with today counted as a whole day.
 */
export function runsOutInDays(
  used: Decimal,
  limit: Decimal,
  daysElapsed: number,
  daysLeft: number,
): number | undefined {
  if (used.gte(limit)) return 0;
  if (used.lte(zero) || daysElapsed <= 0) return undefined;
  const days = ceilDivide(limit.minus(used).times(decimal(BigInt(daysElapsed))), used);
  return days <= BigInt(daysLeft) ? Number(days) : undefined;
}

/**
 * A suggested limit with headroom: one and a half times the usage or the limit, whichever is greater, in two
 * significant digits.
 */
export function suggestedLimit(used: Decimal, limit: Decimal): Decimal {
  const wanted = (used.gt(limit) ? used : limit).times('1.5');
  const step = decimal(`1e${wanted.e - 1}`);
  return decimal(ceilDivide(wanted, step)).times(step);
}
