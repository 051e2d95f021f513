// A payment plan as typed.
import { moneyText, parseMoney, sumMoney, type Money } from '#kernel/money.ts';
import { isDay, type LocalDay } from '#kernel/shape.ts';
import { addDays } from '#kernel/time.ts';
import { evenTerms, type Term } from '../rules.ts';

export type DraftTerm = { readonly on: string; readonly amount: string };

/** The same day of the months after a day; in shorter months the last day. */
export function monthsAfter(first: LocalDay, count: number): LocalDay[] {
  const [year = 0, month = 1, day = 1] = first.split('-').map(Number);
  return Array.from({ length: count }, (_, index) => {
    const at = month - 1 + index;
    const begin = (ofMonth: number): LocalDay =>
      `${String(year + Math.floor(ofMonth / 12)).padStart(4, '0')}-${String((ofMonth % 12) + 1).padStart(2, '0')}-01` as LocalDay;
    const last = addDays(begin(at + 1), -1);
    const wanted = addDays(begin(at), day - 1);
    return wanted < last ? wanted : last;
  });
}

/** Installments of nearly equal amounts, a month apart. */
export const splitEvenly = (due: Money, first: LocalDay, count: number): DraftTerm[] =>
  evenTerms(due, monthsAfter(first, count)).map(({ on, amount }) => ({ on, amount: moneyText(amount) }));

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
