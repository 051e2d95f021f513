// Rules of credit limits: what counts against one, when members are warned, and what is refused.
import { decimal, truncateDivide } from '#kernel/decimal.ts';
import { money, type Currency, type Money } from '#kernel/money.ts';
import { creditLevels, nearPercent, type CreditLevel, type CreditUse } from './contract.ts';

/** What is outstanding of an organization in one currency, in minor units. */
export type Exposure = {
  /** Due of issued bills. */
  readonly unpaid: bigint;
  /** What the open months would be billed now. */
  readonly unbilled: bigint;
  /** Prepaid. */
  readonly balance: bigint;
};
export const noExposure: Exposure = { unpaid: 0n, unbilled: 0n, balance: 0n };

/** What counts against the limit, in minor units; below zero when more is prepaid than is owed. */
export const usedOf = ({ unpaid, unbilled, balance }: Exposure): bigint => unpaid + unbilled - balance;

/** A limit is above zero. Compared exactly: 79.99 % is within. */
export function levelOf(used: bigint, limit: bigint): CreditLevel {
  if (used >= limit) return 'reached';
  return used * 100n >= limit * BigInt(nearPercent) ? 'near' : 'within';
}

/** Whether a level is worse than the one before: members are told once for each crossing. */
export const isWorse = (now: CreditLevel, before: CreditLevel): boolean =>
  creditLevels.indexOf(now) > creditLevels.indexOf(before);

/**
 * Whether something new may begin. `wanted`: before it is there, what is outstanding must be below the limit. `taken`: with it, the limit
 * may be used up and not passed, so that the last part of it can be used.
 */
export const mayBegin = (when: 'wanted' | 'taken', used: bigint, limit: bigint): boolean =>
  when === 'wanted' ? used < limit : used <= limit;

/** What a limit and an exposure come to for its readers. */
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
