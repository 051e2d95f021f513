// Rules of credit limits: what counts against a limit, when members are warned, and what is refused.
import { decimal, truncateDivide } from '#kernel/decimal.ts';
import { money, type Currency, type Money } from '#kernel/money.ts';
import { creditLevels, nearPercent, type CreditLevel, type CreditUse } from './contract.ts';

/** An organization's outstanding amounts in one currency, in minor units. */
export type Exposure = {
  /** The amount due of issued bills. */
  readonly unpaid: bigint;
  /** What the open months would be billed now. */
  readonly unbilled: bigint;
  /** The prepaid balance. */
  readonly balance: bigint;
};
export const noExposure: Exposure = { unpaid: 0n, unbilled: 0n, balance: 0n };

/** The amount that counts against the limit, in minor units; negative if more is prepaid than owed. */
export const usedOf = ({ unpaid, unbilled, balance }: Exposure): bigint => unpaid + unbilled - balance;

/** Returns the level; a limit is positive. Compared exactly: 79.99 % is within. */
export function levelOf(used: bigint, limit: bigint): CreditLevel {
  if (used >= limit) return 'reached';
  return used * 100n >= limit * BigInt(nearPercent) ? 'near' : 'within';
}

/** Whether a level is worse than the previous one: members are notified once per crossing. */
export const isWorse = (now: CreditLevel, before: CreditLevel): boolean =>
  creditLevels.indexOf(now) > creditLevels.indexOf(before);

/**
 * Whether something new may start. `wanted`: before it exists, the outstanding amount must be below the
 * limit. `taken`: including it, the limit may be reached but not exceeded, so that its last part can be used.
 */
export const mayBegin = (when: 'wanted' | 'taken', used: bigint, limit: bigint): boolean =>
  when === 'wanted' ? used < limit : used <= limit;

/** Returns the figures of a limit and an exposure for display. */
export function useOf(limit: Money, isOwn: boolean, { unpaid, unbilled, balance }: Exposure): CreditUse {
  const amount = (minor: bigint): Money => money(minor, limit.currency);
  const used = usedOf({ unpaid, unbilled, balance });
  const counted = used > 0n ? used : 0n;
  return {
    limit,
    isOwn,
    used: amount(used),
    unpaid: amount(unpaid),
    unbilled: amount(unbilled),
    balance: amount(balance),
    left: amount(used >= limit.minor ? 0n : limit.minor - counted),
    percent:
      Number(truncateDivide(decimal(String(counted)).times('1000'), decimal(String(limit.minor)))) / 10,
    level: levelOf(used, limit.minor),
  };
}

/** Exposures of one organization by currency. */
export type Exposures = ReadonlyMap<Currency, Exposure>;
