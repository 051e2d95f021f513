// Computes what a grant's bar shows.
import { money, type Money } from '#kernel/money.ts';
import type { OwnGrant } from '../contract.ts';

/**
 * The granted amount. For a recurring grant without rollover: the amount of a month; with rollover: what is
 * left and what was used.
 */
export function wholeOf({
  amount,
  left,
  used,
  recurring,
}: Pick<OwnGrant, 'amount' | 'left' | 'used' | 'recurring'>): Money {
  return recurring?.rollover ? money(left.minor + used.minor, left.currency) : amount;
}

/** The share that is left, in whole percent from 0 to 100; anything above zero is never shown as 0. */
export function shareLeft(grant: Parameters<typeof wholeOf>[0]): number {
  const whole = wholeOf(grant).minor;
  if (grant.left.minor <= 0n || whole <= 0n) return 0;
  const percent = Number((grant.left.minor * 100n) / whole);
  return Math.min(100, Math.max(1, percent));
}
