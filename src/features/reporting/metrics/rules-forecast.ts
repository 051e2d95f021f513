// Rules of the revenue forecast: an expected value by a plain method, and a range from how far the same method missed in the months before. All
// amounts are minor units of one currency; nothing is drawn by chance, so the same history says the same.
import { roundedQuotient } from '#kernel/decimal.ts';
import { required } from '#kernel/assert.ts';

/** So many closed months there must be. */
export const neededMonths = 6;
export const forecastMonths = 3;

/** Two years tell seasons, and growth from chance. */
const longMonths = 24;
const year = 12;

/** Student's t for eight of ten, by degrees of freedom, in thousandths; between two of them the smaller one's holds. */
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
const quantile = (freedom: number): bigint =>
  BigInt(required(quantiles.findLast(([least]) => least <= freedom)?.[1], 'a degree of freedom'));

/** The root of a whole number, rounded down. */
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

/** What a history says of the month that is `ahead` months after its last one. */
type Method = (history: readonly bigint[], ahead: number) => bigint;
const recent =
  (months: number): Method =>
  (history) =>
    meanOf(history.slice(-months));
/** The same month a year before, and how the last three months compare with the same ones a year before. */
const seasonal: Method = (history, ahead) => {
  const [last, before] = [history.slice(-3), history.slice(-3 - year, -year)];
  return required(history.at(ahead - 1 - year), 'a month a year before') + meanOf(last) - meanOf(before);
};
const stays: Method = (history) => required(history.at(-1), 'a last month');

/** How far a method missed months of a history that it had not seen, from the first that it can say something of. */
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

/** An expected amount, and how far on either side of it the range reaches. */
export type Expected = { readonly expected: bigint; readonly reach: bigint };

/**
 * `misses` around their mean (`isDrifting`), by which the method then is corrected, or around nothing. The spread is widened for how few they are.
 */
function spreadOf(
  misses: readonly bigint[],
  ahead: number,
  isDrifting: boolean,
): { shift: bigint; reach: bigint } {
  const count = BigInt(misses.length);
  const shift = isDrifting ? meanOf(misses) : 0n;
  const squares = sumOf(misses.map((miss) => (miss - shift) ** 2n));
  const known = isDrifting ? misses.length - 1 : misses.length;
  // Misses of several months ahead overlap: they are less apart than they are many.
  const freedom = Math.max(1, Math.ceil(known / ahead));
  // Thousandths twice: once for the root, once for the quantile.
  const widened = isDrifting ? (squares * 1_000_000n * (count + 1n)) / count : squares * 1_000_000n;
  const deviation = rootOf(widened / BigInt(known));
  return { shift, reach: roundedQuotient(deviation * quantile(freedom), 1_000_000n) };
}

/**
 * Usage of the month that is `ahead` (from 1 to 3) months after a history of at least six: the mean of the last two months. From two years on it
 * is that of three, or the same month of the year before with the change since, whichever missed less, corrected by how far it missed on average.
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
  const { shift, reach } = spreadOf(misses, ahead, isDrifting);
  return { expected: method(history, ahead) + shift, reach };
}

/** By how many of its last months' usage the expected one of a history is divided among customers: those whose mean it is. */
export const usageWindow = (months: number): number => (months >= longMonths ? 3 : 2);

/** How far recurring revenue is from what it was, `ahead` months later: by customers who come, go and change, which no subscription says yet. */
export const reachOfRecurring = (history: readonly bigint[], ahead: number): bigint =>
  spreadOf(missesOf(history, stays, 1, ahead), ahead, false).reach;

/** What is planned and what is expected together. The parts miss apart from each other, so their reaches add up as squares; less than nothing is nothing. */
export function expectedRevenue(
  recurring: bigint,
  usage: Expected,
  recurringReach: bigint,
): { readonly usage: bigint; readonly total: bigint; readonly low: bigint; readonly high: bigint } {
  const most = (value: bigint): bigint => (value < 0n ? 0n : value);
  const expected = most(usage.expected);
  const total = recurring + expected;
  const reach = rootOf(usage.reach ** 2n + recurringReach ** 2n);
  return { usage: expected, total, low: most(total - reach), high: total + reach };
}
