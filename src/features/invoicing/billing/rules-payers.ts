// Determines who pays which part of an organization's month: its own payer for everything it uses, with its
// terms; other payers for single subscriptions, without its terms (docs/operator/payers.md).
import type { BillingMonth } from '#kernel/shape.ts';
import type { Taxation } from '#features/invoicing/taxes/rules.ts';
import type { BillableSubscription } from '#features/selling/subscriptions/rules.ts';
import type { PlannedBillLine } from './rules-late.ts';
import { planBills, type BillPlan, type Terms } from './rules.ts';

/** Returns who pays for a subscription, or, given null, for lines without one. */
type PayerOf<Payer> = (subscriptionId: string | null) => Payer;

/** Splits a list among several payers, by their ids. */
function partsByPayer<Payer extends { readonly id: string }, T>(
  list: readonly T[],
  subscriptionOf: (each: T) => string | null,
  payerOf: PayerOf<Payer>,
): ReadonlyMap<string, T[]> {
  return Map.groupBy(list, (each) => payerOf(subscriptionOf(each)).id);
}

/** The bills of a month that go to one payer. */
export type PayersPart<Payer> = {
  readonly payer: Payer;
  readonly plans: readonly BillPlan[];
};

/**
 * Plans the bills of an organization's month by payer. The own payer's part is planned with the
 * organization's terms: discounts, rates and minimums apply to that part only. What others pay for single
 * subscriptions is planned without terms, but with the prices, allowances and minimums of the rate card. The
 * payer determines the taxes.
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
