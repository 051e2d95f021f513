// Rules of automatic top-ups: whether one is due, and what a failed one means.
import type { Money } from '#kernel/money.ts';
import { stopOf } from '#features/receivables/collection/rules.ts';
import type { TopUpStop, topupsErrors } from './contract.ts';

/**
 * Whether a card is to be charged. `spendable`: the balance less refunds under way; `used`: what was charged
 * this month and what may still be. All in minor units of one currency.
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
 * What a failed attempt stops; null when no bank was asked. Unlike a bill, a balance is not tried again on
 * other days: nobody owes it, so every decline waits for a person.
 */
export function stopAfter(code: string): TopUpStop | null {
  const stop = stopOf(code);
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

/** What is wrong with the amounts that were set, at their fields. */
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
