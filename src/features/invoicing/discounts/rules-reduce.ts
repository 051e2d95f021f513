// What discounts take off the lines of a bill, line by line and to the last unit (rating.md, "Peers'
// conventions").
import { required } from '#kernel/assert.ts';
import { money, percentOf, subtractMoney, type Money } from '#kernel/money.ts';
import type { DiscountOrder } from './contract.ts';

/**
 * A reduction before tax: a percentage from "0" to "100", or an amount that is not negative. An amount or a
 * maximum in another currency than the lines' reduces nothing.
 */
export type Discount = {
  /** Whether the line at this index is reduced; when left out, every line is. */
  readonly covers?: ((index: number) => boolean) | undefined;
} & (
  | {
      readonly kind: 'percent';
      readonly percent: string;
      /** The most that it takes off a bill; not negative. */
      readonly maximum?: Money | null | undefined;
    }
  | { readonly kind: 'fixed'; readonly amount: Money }
);

export type LineToReduce = {
  /** The exact price, rounded once; negative for a refund. */
  readonly amount: Money;
  /** Apply to this line alone, before those of the bill. */
  readonly discounts?: readonly Discount[] | undefined;
};

/**
 * What discounts leave of each line. A line's own ones apply first, then the bill's ({@link discountShares}),
 * in the same order.
 */
export function discountedAmounts(
  lines: readonly LineToReduce[],
  discounts: readonly Discount[],
  order: DiscountOrder,
): Money[] {
  return discountShares(lines, discounts, order).reduce(without, afterOwn(lines, order));
}

/**
 * What each of the bill's discounts takes off each line, in the order in which the discounts are given: a list
 * for each discount with an amount for each line. Each applies to what the lines' own discounts and those
 * before it left; `percent_first` moves percentages before fixed amounts; of `best_only` just the one that
 * takes most takes anything, the first of equals.
 *
 * A percentage takes its share of every line that it covers, rounded once per line; of a refund, too, because
 * a charge and the refund of the same charge then take the same discount. Shares that exceed the maximum
 * together are lowered to it in proportion ({@link spread}): those of charges and, for the same reason, those
 * of refunds. A fixed amount is spread over the lines above zero: refunds neither receive a part of it nor
 * make it larger. No line falls below zero.
 */
export function discountShares(
  lines: readonly LineToReduce[],
  discounts: readonly Discount[],
  order: DiscountOrder,
): Money[][] {
  return sharesOf(afterOwn(lines, order), discounts, order);
}

/** What a line's own discounts leave of it. */
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

/** The discounts in the order in which they apply; the sort keeps the order among percentages and among amounts. */
function inOrder(
  discounts: readonly Discount[],
  order: DiscountOrder,
): readonly { readonly discount: Discount; readonly index: number }[] {
  const listed = discounts.map((discount, index) => ({ discount, index }));
  if (order === 'as_listed') return listed;
  const rank = ({ discount }: { discount: Discount }): number => (discount.kind === 'percent' ? 0 : 1);
  return listed.toSorted((a, b) => rank(a) - rank(b));
}

/** Shares of the discount that takes most, and zeros for the others; of equals the first keeps its shares. */
function onlyBest(shares: Money[][]): Money[][] {
  const totals = shares.map((taken) => taken.reduce((sum, { minor }) => sum + minor, 0n));
  const best = totals.reduce((most, total, index) => (total > (totals[most] ?? total) ? index : most), 0);
  return shares.map((taken, index) => (index === best ? taken : taken.map(nothingOf)));
}

function sharesOfOne(left: readonly Money[], discount: Discount): Money[] {
  const { covers = () => true } = discount;
  const limit = discount.kind === 'fixed' ? discount.amount : discount.maximum;
  // A line that is not covered, or not in the discount's currency, stands with zero: a share of zero is zero.
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
 * Spreads a fixed amount over lines in proportion to what is left of each, by the method of the largest
 * remainder (Hamilton's): each gets the whole units of its exact part, and the units that remain go to the
 * largest fractions, the first line before later ones. The parts add up to the amount, or to all that is left
 * of the lines when that is less; a line at or below zero gets nothing. The parts have the lines' currency,
 * which is the amount's wherever a line is above zero.
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
