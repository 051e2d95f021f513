// Quotas' decisions: how near a limit is, and when the present pace reaches it.
import { ceilDivide, decimal, truncateDivide, zero, type Decimal } from '#kernel/decimal.ts';
import type { QuotaStatus } from './contract.ts';

/** Percentages of a limit from which a quota is Warning and Critical. */
export type Thresholds = { readonly warningPercent: number; readonly criticalPercent: number };
/** R-USE-04: Normal below 85 %, Warning from 85 %, Critical from 95 %. */
export const initialThresholds: Thresholds = { warningPercent: 85, criticalPercent: 95 };

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

/**
 * In how many whole days from today the present pace uses up what is left; undefined when it does not before the reset.
 * The pace is the mean over the `daysElapsed` days of the period so far (linear burn), today counted as a whole day.
 */
export function runsOutInDays(used: Decimal, limit: Decimal, daysElapsed: number, daysLeft: number): number | undefined {
  if (used.gte(limit)) return 0;
  if (used.lte(zero) || daysElapsed <= 0) return undefined;
  const days = ceilDivide(limit.minus(used).times(decimal(BigInt(daysElapsed))), used);
  return days <= BigInt(daysLeft) ? Number(days) : undefined;
}
