// What a service that is not subscribed yet would cost on the current month's bill, next to everything
// already on it, with the organization's discounts and one additional discount.
import { required } from '#kernel/assert.ts';
import { decimal } from '#kernel/decimal.ts';
import { money, type Money } from '#kernel/money.ts';
import type { DiscountInForce } from '#features/invoicing/discounts/rules.ts';
import type { PlannedBillLine } from './rules-late.ts';
import { billWithTerms, noTerms, type Terms } from './rules-terms.ts';

/** A line of the service's estimated month; null if it belongs to no particular charge. */
export type LineAhead = { readonly chargeKey: string | null; readonly amount: Money };
export type ServiceAhead = {
  readonly subscriptionId: string;
  readonly serviceId: string;
  readonly serviceName: string;
};

/** Returns a line as the bill would have it. */
export const lineAhead = (service: ServiceAhead, { chargeKey, amount }: LineAhead): PlannedBillLine => ({
  ...service,
  kind: 'base_fee',
  priceVersionId: null,
  ...(chargeKey !== null && { charge: { key: chargeKey, name: { zhTW: chargeKey, enUS: chargeKey } } }),
  quantity: '1',
  unit: '',
  unitPrice: null,
  exact: decimal('0'),
  amount,
  steps: [],
  forMonth: null,
});

export type Reduced = {
  /** The amount of each line without and with the code, in the lines' order. */
  readonly before: readonly Money[];
  readonly after: readonly Money[];
  /** How much the whole bill is reduced. */
  readonly saved: Money;
};

/**
 * Applies `code` to the lines `own` next to `others` on one bill, by the rules of bills; lines are placed
 * where the bill would have them, by the name of their service. The code counts as the one redeemed last. All
 * lines have the same currency; `own` has at least one.
 */
export function reducedBy(
  code: DiscountInForce,
  others: readonly PlannedBillLine[],
  own: readonly PlannedBillLine[],
  { discounts, order }: Pick<Terms, 'discounts' | 'order'>,
): Reduced {
  const { currency } = required(own[0], 'a line of the service').amount;
  const first = placeOf(required(own[0], 'a line of the service'), others);
  const lines = others.toSpliced(first, 0, ...own);
  const planned = (taken: readonly DiscountInForce[]) => {
    const plan = billWithTerms(currency, lines, { ...noTerms, discounts: taken, order }, '0');
    const off = plan.lines.flatMap(({ kind, term }) => (kind === 'discount' ? (term?.shares ?? []) : []));
    const left = own.map(({ amount }, index) => {
      const place = String(first + index + 1);
      const taking = off.filter(({ lineId }) => lineId === place);
      return money(
        taking.reduce((rest, share) => rest - share.amount.minor, amount.minor),
        currency,
      );
    });
    return { left, net: plan.net.minor };
  };
  const [before, after] = [planned(discounts), planned([...discounts, code])];
  return { before: before.left, after: after.left, saved: money(before.net - after.net, currency) };
}

/** Before the lines of the next service, and before adjustments of earlier months and one-off lines. */
function placeOf({ serviceName }: PlannedBillLine, others: readonly PlannedBillLine[]): number {
  const next = others.findIndex(
    (line) => line.forMonth !== null || line.kind === 'one_off' || line.serviceName > serviceName,
  );
  return next < 0 ? others.length : next;
}
