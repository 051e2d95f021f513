// Applies discounts to the lines of a bill, line by line and exactly (rating.md, "Peers' conventions").
import { required } from '#kernel/assert.ts';
import { money, percentOf, subtractMoney, type Money } from '#kernel/money.ts';
import type { DiscountOrder } from './contract.ts';

/**
 * A reduction before tax: a percentage from "0" to "100", or a non-negative amount. An amount or a maximum in
 * a currency other than the lines' reduces nothing.
 */
export type Discount = {
  /** Whether the line at this index is reduced; by default every line is. */
  readonly covers?: ((index: number) => boolean) | undefined;
} & (
  | {
      readonly kind: 'percent';
      readonly percent: string;
      /** The maximum it takes off a bill; not negative. */
      readonly maximum?: Money | null | undefined;
    }
  | { readonly kind: 'fixed'; readonly amount: Money }
);

export type LineToReduce = {
  /** The exact price, rounded once; negative for a refund. */
  readonly amount: Money;
  /** Apply to this line only, before those of the bill. */
  readonly discounts?: readonly Discount[] | undefined;
};

/**
 * Returns what discounts leave of each line. A line's own discounts apply first, then the bill's ({@link
 * discountShares}), in the same order.
 */
export function discountedAmounts(
  lines: readonly LineToReduce[],
  discounts: readonly Discount[],
  order: DiscountOrder,
): Money[] {
  return discountShares(lines, discounts, order).reduce(without, afterOwn(lines, order));
}

/**
 * Returns what each of the bill's discounts takes off each line: per discount, in the order given, a list
 * with an amount per line. Each applies to what the lines' own discounts and earlier discounts left;
 * `percent_first` moves percentages before fixed amounts; with `best_only`, only the one that takes most
 * applies, the first of equals.
 *
 * A percentage takes its share of every line it covers, rounded once per line, including refunds, because a
 * charge and its refund then get the same discount. Shares that together exceed the maximum are reduced to it
 * in proportion ({@link spread}): those of charges and, for the same reason, those of refunds. A fixed amount
 * is spread over the positive lines: refunds neither receive part of it nor increase it. No line becomes
 * negative.
 */
export function discountShares(
  lines: readonly LineToReduce[],
  discounts: readonly Discount[],
  order: DiscountOrder,
): Money[][] {
  return sharesOf(afterOwn(lines, order), discounts, order);
}

/** Returns what a line's own discounts leave of it. */
function afterOwn(lines: readonly LineToReduce[], order: DiscountOrder): Money[] {
  return lines.map(({ amount, discounts = [] }) =>
    required(sharesOf([amount], discounts, order).reduce(without, [amount])[0], 'the amount of one line'),
  );
}

function sharesOf(
  amounts: readonly Money[],
  discounts: readonly Discount[],
  order: DiscountOrder,
): Money[][] {
  if (order === 'best_only') return onlyBest(discounts.map((discount) => sharesOfOne(amounts, discount)));
  const shares = new Map<number, Money[]>();
  let left = [...amounts];
  for (const { discount, index } of inOrder(discounts, order)) {
    const taken = sharesOfOne(left, discount);
    shares.set(index, taken);
    left = without(left, taken);
  }
  return discounts.map((_discount, index) => required(shares.get(index), 'the shares of a discount'));
}

/**
 * Returns the discounts in the order in which they apply; the sort keeps the order among percentages and
 * among amounts.
 */
function inOrder(
  discounts: readonly Discount[],
  order: DiscountOrder,
): readonly { readonly discount: Discount; readonly index: number }[] {
  const listed = discounts.map((discount, index) => ({ discount, index }));
  if (order === 'as_listed') return listed;
  const rank = ({ discount }: { discount: Discount }): number => (discount.kind === 'percent' ? 0 : 1);
  return listed.toSorted((a, b) => rank(a) - rank(b));
}

/**
 * Keeps the shares of the discount that takes most, and zeros for the others; of equals, the first one is
 * kept.
 */
function onlyBest(shares: Money[][]): Money[][] {
  const totals = shares.map((taken) => taken.reduce((sum, { minor }) => sum + minor, 0n));
  const best = totals.reduce((most, total, index) => (total > (totals[most] ?? total) ? index : most), 0);
  return shares.map((taken, index) => (index === best ? taken : taken.map(nothingOf)));
}

function sharesOfOne(left: readonly Money[], discount: Discount): Money[] {
  const { covers = () => true } = discount;
  const limit = discount.kind === 'fixed' ? discount.amount : discount.maximum;
  // A line that is not covered, or not in the discount's currency, counts as zero: a share of zero is zero.
  const covered = left.map((amount, index) =>
    covers(index) && (!limit || limit.currency === amount.currency) ? amount : nothingOf(amount),
  );
  if (discount.kind === 'fixed') return spread(discount.amount, covered);
  const shares = covered.map((amount) => percentOf(amount, discount.percent));
  if (!limit) return shares;
  const ofCharges = spread(limit, shares);
  const ofRefunds = spread(limit, shares.map(negated));
  return ofCharges.map((part, index) =>
    subtractMoney(part, required(ofRefunds[index], 'the share of a refund')),
  );
}

const nothingOf = ({ currency }: Money): Money => money(0n, currency);
const negated = ({ minor, currency }: Money): Money => money(-minor, currency);
const without = (left: readonly Money[], shares: readonly Money[]): Money[] =>
  left.map((amount, index) => subtractMoney(amount, required(shares[index], 'a part of a discount')));

/**
 * Spreads a fixed amount over lines in proportion to their remaining amounts, by the largest remainder
 * (Hamilton) method: each gets the whole units of its exact part, and the remaining units go to the largest
 * fractions, earlier lines first. The parts add up to the amount, or to the lines' remaining amounts if those
 * are less; a line that is not positive gets nothing. The parts have the lines' currency, which is the
 * amount's wherever a line is positive.
 */
export function spread(amount: Money, left: readonly Money[]): Money[] {
  const weights = left.map((line) => (line.minor > 0n ? line.minor : 0n));
  const whole = weights.reduce((sum, weight) => sum + weight, 0n);
  const total = amount.minor < whole ? amount.minor : whole;
  if (total === 0n) return left.map(nothingOf);
  const parts = weights.map((weight, index) => ({
    index,
    units: (total * weight) / whole,
    fraction: (total * weight) % whole,
  }));
  const remaining = total - parts.reduce((sum, part) => sum + part.units, 0n);
  const topped = new Set(
    parts
      .toSorted((a, b) => (a.fraction === b.fraction ? a.index - b.index : a.fraction > b.fraction ? -1 : 1))
      .slice(0, Number(remaining))
      .map((part) => part.index),
  );
  return parts.map(({ index, units }) => money(units + (topped.has(index) ? 1n : 0n), amount.currency));
}
