// Quotas' decisions: what a limit still gives, how near it is, when the present pace reaches it, and what is told about it.
import { ceilDivide, decimal, decimalText, truncateDivide, zero, type Decimal } from '#kernel/decimal.ts';
import type { Aggregation, Quota } from '#features/selling/catalogue/contract.ts';
import type { QuotaStatus } from './contract.ts';

/** Percentages of a limit from which a quota is Warning and Critical. */
export type Thresholds = { readonly warningPercent: number; readonly criticalPercent: number };
/** R-USE-04: Normal below 85 %, Warning from 85 %, Critical from 95 %. */
export const initialThresholds: Thresholds = { warningPercent: 85, criticalPercent: 95 };

/** A subscription's quota with what was granted besides: a raise lifts the service's limit and never lowers it. */
export function raisedQuota(quota: Quota, granted: string | null | undefined): Quota {
  if (quota.type === 'unlimited' || !granted || decimal(granted).lte(decimal(quota.limit))) return quota;
  return { ...quota, limit: decimalText(decimal(granted)) };
}

/** What of a quota is taken: used, or held by reservations. */
export type Taken = { readonly used: Decimal; readonly reserved: Decimal };

/** What a quota still gives, never negative; null without a limit. */
export function remainingOf(quota: Quota, { used, reserved }: Taken): Decimal | null {
  if (quota.type === 'unlimited') return null;
  const left = decimal(quota.limit).minus(used).minus(reserved);
  return left.gt(zero) ? left : zero;
}

/** Whether a quota gives a quantity: only a hard limit ever says no. */
export function gives(quota: Quota, taken: Taken, quantity: Decimal): boolean {
  return quota.type !== 'hard' || taken.used.plus(taken.reserved).plus(quantity).lte(decimal(quota.limit));
}

/** Whether what a call will use can be said in advance: a sum or a count can, a peak, a level or a number of different values cannot. */
export const isCountable = (aggregation: Aggregation): aggregation is 'sum' | 'count' =>
  aggregation === 'sum' || aggregation === 'count';
/** A meter that counts events is reserved in whole events, and not more of them than one commit can record. */
export const mostEvents = 1000;
export const isWhole = (quantity: Decimal): boolean =>
  quantity.eq(quantity.round(0)) && quantity.lte(decimal(String(mostEvents)));

/** The used share of a limit in percent, cut to one fraction digit, exactly: 94.99 % is never shown as 95 %. `limit` must not be zero. */
export function percentUsed(used: Decimal, limit: Decimal): number {
  return Number(truncateDivide(used.times('1000'), limit)) / 10;
}

/** The status by what is used alone, compared exactly. */
export function statusOf(used: Decimal, limit: Decimal, thresholds: Thresholds): QuotaStatus {
  const reaches = (percent: number): boolean => used.times('100').gte(limit.times(decimal(String(percent))));
  if (reaches(thresholds.criticalPercent)) return 'Critical';
  return reaches(thresholds.warningPercent) ? 'Warning' : 'Normal';
}

const order: readonly QuotaStatus[] = ['Normal', 'Warning', 'Critical'];

/** The status that was newly reached and must be told, if any: each one once a period, and never a milder one after a worse. */
export function crossing(announced: QuotaStatus, now: QuotaStatus): QuotaStatus | undefined {
  return order.indexOf(now) > order.indexOf(announced) ? now : undefined;
}

/** What was told of a quota in a period: the worst status, at which limit, and whether it recovered since. */
export type Told = {
  readonly status: QuotaStatus;
  readonly limit: Decimal | null;
  readonly isRecovered: boolean;
};

/**
 * What must be told now, and what is kept of it; nothing is kept where nothing changed. Each threshold once, and one recovery
 * once the quota is Normal again. Another limit has thresholds of its own, which begin anew as soon as the quota is Normal.
 */
export function telling(
  told: Told | undefined,
  now: QuotaStatus,
  limit: Decimal,
): { readonly tell?: QuotaStatus; readonly keep?: Told } {
  const isSameLimit = !told || told.limit === null || told.limit.eq(limit);
  if (!told || (!isSameLimit && told.isRecovered)) {
    if (now !== 'Normal') return { tell: now, keep: { status: now, limit, isRecovered: false } };
    return told ? { keep: { status: 'Normal', limit, isRecovered: false } } : {};
  }
  if (now === 'Normal') {
    if (told.status === 'Normal') return {};
    const keep: Told = isSameLimit
      ? { ...told, limit, isRecovered: true }
      : { status: 'Normal', limit, isRecovered: false };
    return {
      ...(!told.isRecovered && { tell: 'Normal' }),
      ...(!(isSameLimit && told.isRecovered) && { keep }),
    };
  }
  const crossed = crossing(told.status, now);
  if (crossed) return { tell: crossed, keep: { status: crossed, limit, isRecovered: told.isRecovered } };
  return isSameLimit ? {} : { keep: { ...told, limit } };
}

/**
 * In how many whole days from today the present pace uses up what is left; undefined when it does not before the reset.
 * The pace is the mean over the `daysElapsed` days of the period so far (linear burn), today counted as a whole day.
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

/** A limit that leaves room: half as much again as is used or allowed, whichever is more, in two significant digits. */
export function suggestedLimit(used: Decimal, limit: Decimal): Decimal {
  const wanted = (used.gt(limit) ? used : limit).times('1.5');
  const step = decimal(`1e${wanted.e - 1}`);
  return decimal(ceilDivide(wanted, step)).times(step);
}
