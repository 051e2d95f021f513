// Rules of payment plans: what a valid plan is, which bill each installment pays, and the state of each.
import { sumMoney, type Money } from '#kernel/money.ts';
import type { LocalDay } from '#kernel/shape.ts';
import { addDays } from '#kernel/time.ts';
import type { InstalmentState, plansErrors } from './contract.ts';

/** How many days ahead an installment may be. */
export const furthestDays = 1100;
/** The default grace period proposed to an Admin. */
export const usualGraceDays = 3;

export type Term = { readonly on: LocalDay; readonly amount: Money };
export type PlanMistake = { readonly field: string; readonly code: keyof typeof plansErrors };

/**
 * Why installments are invalid for an amount due; undefined if they are valid. `today` is the organization's.
 */
export function planMistake(terms: readonly Term[], due: Money, today: LocalDay): PlanMistake | undefined {
  for (const [index, { on, amount }] of terms.entries()) {
    const at = `instalments.${index}`;
    if (amount.currency !== due.currency) return { field: `${at}.amount`, code: 'plans.other_currency' };
    if (amount.minor <= 0n) return { field: `${at}.amount`, code: 'plans.amount_not_positive' };
    if (on < today) return { field: `${at}.on`, code: 'plans.day_past' };
    if (on > addDays(today, furthestDays)) return { field: `${at}.on`, code: 'plans.day_far' };
    if (index > 0 && on <= (terms[index - 1]?.on ?? on))
      return { field: `${at}.on`, code: 'plans.days_not_rising' };
  }
  const sum = sumMoney(
    terms.map(({ amount }) => amount),
    due.currency,
  );
  return sum.minor === due.minor ? undefined : { field: 'instalments', code: 'plans.sum_differs' };
}

export type BillPart = { readonly position: number; readonly on: LocalDay; readonly minor: bigint };

/**
 * Returns which part of which bill each installment pays: the bills in the given order, each fully before the
 * next. `dues` and the installments have the same sum, so nothing of either remains.
 */
export function partsOfBills(dues: readonly bigint[], terms: readonly Term[]): BillPart[][] {
  const left = terms.map(({ amount }) => amount.minor);
  let next = 0;
  return dues.map((due) => {
    const parts: BillPart[] = [];
    for (let open = due; open > 0n;) {
      const [term, rest] = [terms[next], left[next]];
      if (!term || rest === undefined) throw new Error('instalments of less than what is due');
      const minor = rest < open ? rest : open;
      if (minor > 0n) parts.push({ position: next + 1, on: term.on, minor });
      open -= minor;
      left[next] = rest - minor;
      if (rest === minor) next += 1;
    }
    return parts;
  });
}

/**
 * The state of each installment by its unpaid amount. `credited`: by how much credit notes shortened the
 * plan, from its end.
 */
export function instalmentStatesOf(
  terms: readonly { readonly on: LocalDay; readonly minor: bigint; readonly rest: bigint }[],
  credited: bigint,
  today: LocalDay,
): InstalmentState[] {
  const first = terms.findIndex(({ rest }) => rest > 0n);
  let gone = credited;
  const shortened = new Set<number>();
  for (let index = terms.length - 1; index >= 0; index--) {
    const term = terms[index];
    if (!term || term.rest > 0n || gone < term.minor) break;
    gone -= term.minor;
    shortened.add(index);
  }
  return terms.map(({ on, rest }, index) =>
    rest === 0n
      ? shortened.has(index)
        ? 'shortened'
        : 'paid'
      : on < today
        ? 'missed'
        : index === first
          ? 'due'
          : 'later',
  );
}

/**
 * Returns installments of nearly equal amounts that add up exactly: the remainder goes to the first ones, one
 * unit each. One per day.
 */
export function evenTerms(due: Money, days: readonly LocalDay[]): Term[] {
  const count = BigInt(days.length);
  const [each, over] = [due.minor / count, due.minor % count];
  return days.map((on, index) => ({
    on,
    amount: { ...due, minor: each + (BigInt(index) < over ? 1n : 0n) },
  }));
}
