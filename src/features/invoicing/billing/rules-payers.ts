// Who pays which part of an organization's month: its own payer for all it uses, with what was agreed with it; others for single
// subscriptions, without (docs/operator/payers.md).
import type { BillingMonth } from '#kernel/shape.ts';
import type { Taxation } from '#features/invoicing/taxes/rules.ts';
import type { BillableSubscription } from '#features/selling/subscriptions/rules.ts';
import type { PlannedBillLine } from './rules-late.ts';
import { planBills, type BillPlan, type Terms } from './rules.ts';

/** Who pays for a subscription, or with null for what is of none. */
type PayerOf<Payer> = (subscriptionId: string | null) => Payer;

/** What each of several payers pays, by their ids. */
function partsByPayer<Payer extends { readonly id: string }, T>(
  list: readonly T[],
  subscriptionOf: (each: T) => string | null,
  payerOf: PayerOf<Payer>,
): ReadonlyMap<string, T[]> {
  return Map.groupBy(list, (each) => payerOf(subscriptionOf(each)).id);
}

/** The bills of a month that one payer gets. */
export type PayersPart<Payer> = {
  readonly payer: Payer;
  readonly plans: readonly BillPlan[];
};

/**
 * The bills of an organization's month by who pays them. What the own payer pays is planned with the organization's terms: discounts, rates and
 * minimums are for that part alone. What others pay for single subscriptions is planned without: prices, and what a rate card includes or
 * asks for at least, stay. Taxes are those of who pays.
 */
export function planByPayer<Payer extends { readonly id: string }>({
  subscriptions,
  late,
  month,
  zone,
  terms,
  payerOf,
  taxationOf,
}: {
  readonly subscriptions: readonly BillableSubscription[];
  readonly late: readonly PlannedBillLine[];
  readonly month: BillingMonth;
  readonly zone: string;
  readonly terms: Terms;
  readonly payerOf: PayerOf<Payer>;
  readonly taxationOf: (payer: Payer) => string | Taxation;
}): { readonly own: PayersPart<Payer>; readonly others: readonly PayersPart<Payer>[] } {
  const used = partsByPayer(subscriptions, ({ subscriptionId }) => subscriptionId, payerOf);
  const changed = partsByPayer(late, ({ subscriptionId }) => subscriptionId, payerOf);
  const planned = (payer: Payer, ownTerms?: Terms): PayersPart<Payer> => ({
    payer,
    plans: planBills(
      used.get(payer.id) ?? [],
      month,
      zone,
      taxationOf(payer),
      changed.get(payer.id) ?? [],
      ownTerms,
    ),
  });
  const own = payerOf(null);
  const others = new Map(
    [...subscriptions, ...late].map(({ subscriptionId }) => {
      const payer = payerOf(subscriptionId);
      return [payer.id, payer] as const;
    }),
  );
  others.delete(own.id);
  return {
    own: planned(own, terms),
    others: [...others.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1)).map((payer) => planned(payer)),
  };
}
