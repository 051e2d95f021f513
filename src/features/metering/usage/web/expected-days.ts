// The forecast for the rest of a month, drawn the same in every chart by day: dashed, with its range.
import type { LocalDay } from '#kernel/shape.ts';
import type { ExpectedDays } from '../contract.ts';
import type { TimeSeries } from '#platform/web/chart/series.ts';

/** Expected costs are not exact, so two digits are enough. */
export const expectedText = (exact: string, text: (value: string) => string): string =>
  text(
    Number(exact)
      .toFixed(2)
      .replace(/\.?0+$/, ''),
  );

/** An expected day as text: the expected amount and its range. */
export const rangeText = (
  { expected, low, high }: ExpectedDays['days'][number],
  text: (value: string) => string,
): string => `${expectedText(expected, text)} (${expectedText(low, text)} – ${expectedText(high, text)})`;

/**
 * What can be shown beside costs of a currency. If nothing was used, nothing is expected, and a row of zeros
 * says less than a word.
 */
export function shownExpected(
  expected: ExpectedDays | undefined,
  currency: string | undefined,
): ExpectedDays | undefined {
  return expected && expected.currency === currency && expected.days.some((each) => each.high !== '0')
    ? expected
    : undefined;
}

/** The dashed bars: the rest of today on top of today's cost so far, then the days after `days`. */
export function expectedSeries(
  label: string,
  days: readonly LocalDay[],
  { restOfToday, days: next }: ExpectedDays,
  text: (value: string) => string,
): TimeSeries {
  const rest = (day: LocalDay): string | undefined =>
    day === restOfToday.day ? restOfToday.expected : undefined;
  return {
    key: 'forecast',
    label,
    as: 'forecast',
    values: [
      ...days.map((day) => {
        const of = rest(day);
        return of === undefined ? null : Number(of);
      }),
      ...next.map((each) => Number(each.expected)),
    ],
    texts: [
      ...days.map((day) => {
        const of = rest(day);
        return of === undefined ? '' : expectedText(of, text);
      }),
      ...next.map((each) => rangeText(each, text)),
    ],
    band: [
      ...days.map(() => null),
      ...next.map((each) => ({ low: Number(each.low), high: Number(each.high) })),
    ],
  };
}
