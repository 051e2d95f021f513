// A payment plan as typed.
import { moneyText, parseMoney, sumMoney, type Money } from '#kernel/money.ts';
import { isDay, type LocalDay } from '#kernel/shape.ts';
import { monthsAfter } from '#kernel/time.ts';
import { evenTerms, type Term } from '../rules.ts';

export type DraftTerm = { readonly on: string; readonly amount: string };

/** Installments of nearly equal amounts, a month apart; in shorter months on the last day. */
export const splitEvenly = (due: Money, first: LocalDay, count: number): DraftTerm[] =>
  evenTerms(
    due,
    Array.from({ length: count }, (_, index) => monthsAfter(first, index)),
  ).map(({ on, amount }) => ({ on, amount: moneyText(amount) }));

/** The typed terms if all of them are valid, and the sum of the valid amounts. */
export function readDraft(
  draft: readonly DraftTerm[],
  due: Money,
): { readonly terms: readonly Term[] | undefined; readonly sum: Money } {
  const amounts = draft.map(({ amount }) => parseMoney(amount.trim().replaceAll(',', ''), due.currency));
  const terms = draft.flatMap(({ on }, index): Term[] => {
    const amount = amounts[index];
    return amount && amount.minor > 0n && isDay(on) ? [{ on, amount }] : [];
  });
  return {
    terms: terms.length === draft.length ? terms : undefined,
    sum: sumMoney(
      amounts.flatMap((amount) => (amount ? [amount] : [])),
      due.currency,
    ),
  };
}
