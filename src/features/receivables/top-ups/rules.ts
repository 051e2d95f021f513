// Rules of automatic top-ups: whether one is due, and the consequence of a failed one.
import type { Money } from '#kernel/money.ts';
import { stopOf } from '#features/receivables/collection/rules.ts';
import type { TopUpStop, topupsErrors } from './contract.ts';

/**
 * Whether a card must be charged. `spendable`: the balance minus refunds in progress; `used`: what was
 * charged this month or may still be. All in minor units of one currency.
 */
export function topUpDue(of: {
  readonly spendable: bigint;
  readonly threshold: bigint;
  readonly amount: bigint;
  readonly cap: bigint;
  readonly used: bigint;
}): 'enough' | 'capped' | 'due' {
  if (of.spendable >= of.threshold) return 'enough';
  return of.used + of.amount > of.cap ? 'capped' : 'due';
}

/**
 * The consequence of a failed attempt; null if no bank was involved. Unlike a bill, a balance is not retried
 * on other days: nobody owes it, so every decline requires a user's action.
 */
export function stopAfter(code: string): TopUpStop | null {
  const stop = stopOf(code);
  if (stop === 'steps') return 'refused';
  return stop === 'given_up' ? 'declined' : stop;
}

type Terms = { readonly threshold: Money; readonly amount: Money; readonly monthlyCap: Money };
export type TermsMistake = {
  readonly field: keyof Terms;
  readonly code: Extract<
    keyof typeof topupsErrors,
    'topups.amount_not_positive' | 'topups.other_currency' | 'topups.cap_below_amount'
  >;
};

/** Returns the errors in the configured amounts, at their fields. */
export function termsMistakes(terms: Terms): TermsMistake[] {
  const fields = ['threshold', 'amount', 'monthlyCap'] as const;
  const mistakes = fields.flatMap((field): TermsMistake[] =>
    terms[field].currency !== terms.amount.currency
      ? [{ field, code: 'topups.other_currency' }]
      : terms[field].minor <= 0n
        ? [{ field, code: 'topups.amount_not_positive' }]
        : [],
  );
  return mistakes.length === 0 && terms.monthlyCap.minor < terms.amount.minor
    ? [{ field: 'monthlyCap', code: 'topups.cap_below_amount' }]
    : mistakes;
}
