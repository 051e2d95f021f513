// Rules of the revenue forecast: an expected value by a simple method, and a range based on the past errors
// of the same method. Amounts are in minor units of one currency. Nothing is random: the same history gives
// the same forecast.
import { roundedQuotient } from '#kernel/decimal.ts';
import { required } from '#kernel/assert.ts';

/** The number of closed months that a forecast needs. */
export const neededMonths = 6;
export const forecastMonths = 3;

/** Two years are enough to distinguish seasons and growth from chance. */
const longMonths = 24;
const year = 12;

/** Student's t for an 80 % interval, by degrees of freedom, in thousandths. */
const quantiles = [
  [1, 3078],
  [2, 1886],
  [3, 1638],
  [4, 1533],
  [5, 1476],
  [6, 1440],
  [7, 1415],
  [8, 1397],
  [9, 1383],
  [10, 1372],
  [12, 1356],
  [15, 1341],
  [20, 1325],
  [30, 1310],
] as const;
/**
 * The quantile (in thousandths) for degrees of freedom in thousandths, at least 1000: interpolated linearly
 * between two entries of the table.
 */
function quantileOf(freedom: bigint): bigint {
  const at = quantiles.findLastIndex(([least]) => BigInt(least) * 1000n <= freedom);
  const [least, quantile] = required(quantiles[at], 'a degree of freedom');
  const [more, smaller] = quantiles[at + 1] ?? [least + 1, quantile];
  const beyond = freedom - BigInt(least) * 1000n;
  return (
    BigInt(quantile) - roundedQuotient(BigInt(quantile - smaller) * beyond, BigInt(more - least) * 1000n)
  );
}

/** The integer square root, rounded down. */
export function rootOf(square: bigint): bigint {
  if (square < 2n) return square;
  let root = 1n << BigInt((square.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (root + square / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

const sumOf = (values: readonly bigint[]): bigint => values.reduce((sum, one) => sum + one, 0n);
const meanOf = (values: readonly bigint[]): bigint => roundedQuotient(sumOf(values), BigInt(values.length));

/** Predicts the month that is `ahead` months after the last one of a history. */
type Method = (history: readonly bigint[], ahead: number) => bigint;
const recent =
  (months: number): Method =>
  (history) =>
    meanOf(history.slice(-months));
/**
 * The same month a year before, adjusted by how the last three months compare with the same ones a year
 * before.
 */
const seasonal: Method = (history, ahead) => {
  const [last, before] = [history.slice(-3), history.slice(-3 - year, -year)];
  return required(history.at(ahead - 1 - year), 'a month a year before') + meanOf(last) - meanOf(before);
};
const stays: Method = (history) => required(history.at(-1), 'a last month');

/**
 * The errors of a method for each month of a history that it had not seen, from the first month that it can
 * predict.
 */
function missesOf(
  history: readonly bigint[],
  method: Method,
  least: number,
  ahead: number,
): readonly bigint[] {
  return history
    .slice(least + ahead - 1)
    .map((came, place) => came - method(history.slice(0, least + place), ahead));
}

/**
 * The error distribution of a method: the standard deviation in thousandths of a minor unit, and its degrees
 * of freedom in thousandths, at least 1000.
 */
export type Spread = { readonly deviation: bigint; readonly freedom: bigint };
/** The half-width of an 80 % range, in minor units. */
export const reachOf = ({ deviation, freedom }: Spread): bigint =>
  roundedQuotient(deviation * quantileOf(freedom), 1_000_000n);

/** An expected amount in minor units, and its error distribution. */
export type Expected = { readonly expected: bigint; readonly spread: Spread };

/**
 * The spread of errors around their mean (`isDrifting`), by which the forecast is then corrected, or around
 * zero; widened for a small sample.
 *
 * Errors of forecasts k months ahead overlap, so they contain less information than their number suggests:
 * in a random walk, errors j months apart correlate by 1 - j / k. So n of them have n / (1 + 2 sum of (1 - j
 * / k)^2) = n 3k / (2k^2 + 1) degrees of freedom, and the variance of their mean is k / n of theirs: squares
 * around it are divided by n - k, and the variance of a new error is 1 + k / n times that.
 */
function spreadOf(
  misses: readonly bigint[],
  ahead: number,
  isDrifting: boolean,
): { readonly shift: bigint; readonly spread: Spread } {
  const [count, k] = [BigInt(misses.length), BigInt(ahead)];
  const shift = isDrifting ? meanOf(misses) : 0n;
  const squares = sumOf(misses.map((miss) => (miss - shift) ** 2n));
  const known = isDrifting ? count - k : count;
  const worth = (known * 3n * k * 1000n) / (2n * k * k + 1n);
  // In thousandths, squared.
  const widened = isDrifting ? (squares * 1_000_000n * (count + k)) / count : squares * 1_000_000n;
  return { shift, spread: { deviation: rootOf(widened / known), freedom: worth < 1000n ? 1000n : worth } };
}

/**
 * The expected usage `ahead` (from 1 to 3) months after a history of at least six months: the mean of the
 * last two months. From two years on: the mean of the last three, or the same month of the previous year
 * adjusted by the change since, whichever had smaller errors, corrected by its mean error.
 */
export function expectedUsage(history: readonly bigint[], ahead: number): Expected {
  const isDrifting = history.length >= longMonths;
  const window = usageWindow(history.length);
  let method = recent(window);
  let misses = missesOf(history, method, window, ahead);
  if (isDrifting) {
    const ofSeason = missesOf(history, seasonal, year + 3, ahead);
    const squares = (of: readonly bigint[]) => sumOf(of.slice(-ofSeason.length).map((one) => one ** 2n));
    if (squares(ofSeason) < squares(misses)) [method, misses] = [seasonal, ofSeason];
  }
  const { shift, spread } = spreadOf(misses, ahead, isDrifting);
  return { expected: method(history, ahead) + shift, spread };
}

/**
 * The number of latest months whose usage determines how a forecast is split among customers: the same as for
 * the mean.
 */
export const usageWindow = (months: number): number => (months >= longMonths ? 3 : 2);

/**
 * How far recurring revenue deviates after `ahead` months because of customers who join, leave and change,
 * which current subscriptions do not show.
 */
export const spreadOfRecurring = (history: readonly bigint[], ahead: number): Spread =>
  spreadOf(missesOf(history, stays, 1, ahead), ahead, false).spread;

/**
 * The spread of a sum of two independent errors: variances add up, and the degrees of freedom are those of
 * Welch and Satterthwaite, (a + b)^2 / (a^2 / m + b^2 / n).
 */
function together(one: Spread, other: Spread): Spread {
  const [a, b] = [one.deviation ** 2n, other.deviation ** 2n];
  const below = a * a * other.freedom + b * b * one.freedom;
  return {
    deviation: rootOf(a + b),
    freedom: below === 0n ? one.freedom : ((a + b) ** 2n * one.freedom * other.freedom) / below,
  };
}

/** The sum of planned and expected revenue, with its range; never below zero. */
export function expectedRevenue(
  recurring: bigint,
  usage: Expected,
  ofRecurring: Spread,
): { readonly usage: bigint; readonly total: bigint; readonly low: bigint; readonly high: bigint } {
  const most = (value: bigint): bigint => (value < 0n ? 0n : value);
  const expected = most(usage.expected);
  const total = recurring + expected;
  const reach = reachOf(together(usage.spread, ofRecurring));
  return { usage: expected, total, low: most(total - reach), high: total + reach };
}
