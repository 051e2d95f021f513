// Rules for usage: which events count, their sums, and forecasts.
import {
  decimal,
  decimalPattern,
  decimalText,
  divide,
  isZero,
  sumDecimals,
  zero,
  type Decimal,
} from '#kernel/decimal.ts';
import { isDay, type BillingMonth, type LocalDay } from '#kernel/shape.ts';
import type { TextParams } from '#kernel/text.ts';
import { eachMonth, firstDayOf, lastDayOf, monthOfDay } from '#kernel/time.ts';
import type { Aggregation } from '#features/selling/catalogue/contract.ts';
import type { MeterAggregation } from '#features/selling/meters/contract.ts';
import { averageOf } from '#features/selling/rating/rules.ts';
import type { trends, usageErrors } from './contract.ts';
import { attributeIssue, isJsonData, isStorable, type AttributeIssue } from './rules-cloud-event.ts';

export { rejectionText } from './rules-rejection-text.ts';
export { ownKey } from './rules-stream-keys.ts';
export { unmetProperty } from './rules-filters.ts';

/** An event as metering reads it; `value` is exact decimal text. */
export type MeteredEvent = {
  readonly source: string;
  readonly id: string;
  readonly type: string;
  readonly subscriptionId: string;
  readonly time: Date;
  readonly value: string;
  readonly properties: Readonly<Record<string, unknown>> | null;
  /** False if it was sent without a time; its time is then when it was received. */
  readonly isTimed: boolean;
  /** The complete data as sent; undefined for imports. */
  readonly data?: unknown;
};
export type EventRejection = {
  readonly code: keyof typeof usageErrors & string;
  readonly id: string | null;
  readonly params?: TextParams;
};

const aheadLimitMs = 5 * 60_000;
const timePattern =
  /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/i;
const dayLength = 'YYYY-MM-DD'.length;

/**
 * Parses an RFC 3339 time; undefined if the text is invalid. A date that does not exist (31 April) is
 * invalid, not the next day.
 */
function readTime(text: unknown): Date | undefined {
  if (typeof text !== 'string' || !timePattern.test(text)) return undefined;
  if (!isDay(text.slice(0, dayLength))) return undefined;
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

/**
 * Returns the exact decimal text of an event's value. JSON may write small numbers with an exponent: 1e-7 is
 * 0.0000001. A JSON number with more than 15 digits may have been rounded by the sender, so it must be sent
 * as text.
 */
function readValue(value: unknown): string | 'inexact' | undefined {
  if (typeof value !== 'number')
    return typeof value === 'string' && decimalPattern.test(value) ? value : undefined;
  const text = Number.isFinite(value) ? decimalText(decimal(String(value))) : undefined;
  if (text === undefined) return undefined;
  if (Number.isInteger(value) ? !Number.isSafeInteger(value) : digitsOf(text) > 15) return 'inexact';
  return decimalPattern.test(text) ? text : undefined;
}

/** Counts the digits of a decimal text, without leading zeros. */
const digitsOf = (text: string): number => text.replace(/^-?0*\.?0*/, '').replace('.', '').length;

const deepest = 20;
/**
 * Whether the database can store the rest of an event's data: a single value that it cannot store would fail
 * the whole batch.
 */
function isStorableValue(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return isStorable(value);
  if (typeof value !== 'object' || value === null) return true;
  if (depth >= deepest) return false;
  for (const key in value) {
    if (!isStorable(key) || !isStorableValue((value as Record<string, unknown>)[key], depth + 1))
      return false;
  }
  return true;
}

/**
 * Returns an event's data without the value; null if nothing else is there, as in most events, which saves an
 * object per event.
 */
function propertiesOf(data: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | null {
  for (const key in data) {
    if (key === 'value') continue;
    const { value: _value, ...properties } = data;
    return properties;
  }
  return null;
}

/**
 * Reads one CloudEvent 1.0 in its JSON form (https://github.com/cloudevents/spec, v1.0.2). Its `subject` is
 * the subscription; without a `time`, the time is when it was received.
 */
export function readEvent(raw: unknown, now: Date): MeteredEvent | EventRejection {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
    return malformed(null, { attribute: '', rule: 'object' });
  const event = raw as Readonly<Record<string, unknown>>;
  const issue = attributeIssue(event);
  const id = issue?.attribute !== 'id' && typeof event['id'] === 'string' ? storableId(event['id']) : null;
  if (issue || id === null) return malformed(id, issue ?? { attribute: 'id', rule: 'characters' });
  // The checks above guarantee that these are texts.
  const { source, type, subject, time, data } = event as {
    source: string;
    type: string;
    subject?: string | null;
    time?: unknown;
    data?: unknown;
  };
  if (typeof subject !== 'string') return { code: 'usage.subscription_unknown', id };
  const isTimed = time !== undefined && time !== null;
  const at = isTimed ? readTime(time) : now;
  if (!at) return malformed(id, { attribute: 'time', rule: 'time' });
  if (at.getTime() > now.getTime() + aheadLimitMs) return { code: 'usage.time_in_future', id };
  if (!isJsonData(event)) return { code: 'usage.data_not_json', id };
  if (data !== undefined && (typeof data !== 'object' || data === null || Array.isArray(data)))
    return { code: 'usage.value_no_decimal', id };
  const { value } = (data ?? {}) as { value?: unknown };
  const exact = value === undefined ? '1' : readValue(value);
  if (exact === undefined || exact === 'inexact')
    return { code: exact === undefined ? 'usage.value_no_decimal' : 'usage.value_inexact', id };
  const properties = propertiesOf((data ?? {}) as Readonly<Record<string, unknown>>);
  if (!isStorableValue(properties)) return malformed(id, { attribute: 'data', rule: 'data' });
  return { source, id, type, subscriptionId: subject, time: at, value: exact, properties, isTimed, data };
}

const malformed = (id: string | null, issue: AttributeIssue): EventRejection => ({
  code: 'usage.event_malformed',
  id,
  params: issue,
});
/** Returns an id as it is stored and sent in responses; null if it is invalid. */
const storableId = (id: string): string | null =>
  id !== '' && id.length <= 300 && isStorable(id) ? id : null;

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Whether an HTTP request carries the event's attributes in headers (binary content mode). */
export function isBinaryMode(headers: Headers, mediaType: string): boolean {
  return headers['ce-specversion'] !== undefined && !mediaType.startsWith('application/cloudevents');
}

/**
 * Converts an event in binary mode to its JSON form: attributes from percent-decoded `ce-` headers, and the
 * body as its data
 * (https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/http-protocol-binding.md, 3.1).
 * Undefined if a header cannot be decoded.
 */
export function eventOfHeaders(headers: Headers, data: unknown): Record<string, unknown> | undefined {
  try {
    const attributes = Object.entries(headers)
      .filter(([name]) => name.startsWith('ce-'))
      .map(([name, value]): [string, unknown] => [
        name.slice(3),
        typeof value === 'string' ? decodeURIComponent(value) : value,
      ]);
    return { ...Object.fromEntries(attributes), ...(data !== undefined && { data }) };
  } catch {
    return undefined;
  }
}

/** Whether reading an event rejected it. */
export function isRejection(read: MeteredEvent | EventRejection): read is EventRejection {
  return 'code' in read;
}

/**
 * The aggregates of a period, as stored for hours and months. `min` is missing if it was not recorded;
 * `level` is the increment to the month's time-weighted average, `percentile` that of its samples.
 */
export type Rollup = {
  readonly eventCount: bigint;
  readonly sum: string;
  readonly max: string;
  readonly min?: string | null;
  readonly lastValue: string;
  readonly distinct?: bigint;
  readonly level?: string;
  readonly percentile?: string;
};

/** The quantity that a meter computes from the aggregates of a period. */
export function quantityOf(rollup: Rollup | undefined, aggregation: MeterAggregation): Decimal {
  if (!rollup) return zero;
  switch (aggregation) {
    case 'sum':
      return decimal(rollup.sum);
    case 'count':
      return decimal(rollup.eventCount);
    case 'max':
      return decimal(rollup.max);
    case 'min':
      return decimal(rollup.min ?? '0');
    case 'avg':
      return averageOf(decimal(rollup.sum), rollup.eventCount);
    case 'latest':
      return decimal(rollup.lastValue);
    case 'unique_count':
      return decimal(rollup.distinct ?? 0n);
    case 'time_weighted_average':
      return decimal(rollup.level ?? '0');
    case 'percentile':
      return decimal(rollup.percentile ?? '0');
  }
}

/**
 * The quantity from the first day of the month through each day; a day's cost is the difference between two
 * of them. For distinct counts, a day counts only values that no earlier day had.
 */
export function cumulativeQuantities(
  days: readonly (Rollup | undefined)[],
  aggregation: Aggregation,
): Decimal[] {
  let runningTotal: Decimal = zero;
  let seen = false;
  return days.map((day) => {
    if (!day) return runningTotal;
    const quantity = quantityOf(day, aggregation);
    if (aggregation === 'latest') runningTotal = quantity;
    else if (aggregation !== 'max') runningTotal = runningTotal.plus(quantity);
    else runningTotal = seen && runningTotal.gt(quantity) ? runningTotal : quantity;
    seen = true;
    return runningTotal;
  });
}

/** The months of a range whose days so far are all in it; `today` is a day of the month `now`. */
export function monthsOfDays(
  from: LocalDay,
  to: LocalDay,
  today: LocalDay,
  now: BillingMonth,
): BillingMonth[] {
  return eachMonth(monthOfDay(from), monthOfDay(to)).filter(
    (month) => from <= firstDayOf(month) && month <= now && to >= (month === now ? today : lastDayOf(month)),
  );
}

/** The trend of monthly costs: `percent` is the change per month in percent of the mean. */
export type Trend = { readonly trend: (typeof trends)[number]; readonly percent: number };
const stableWithinPercent = 5;

/**
 * Fits a least-squares line to the given months, oldest first; stable within ±5 % a month (domain.md,
 * "Usage").
 */
export function trendOf(costs: readonly Decimal[]): Trend {
  const count = costs.length;
  const mean = count === 0 ? zero : divide(sumDecimals(costs), decimal(BigInt(count)), 18);
  if (count < 2 || isZero(mean)) return { trend: 'stable', percent: 0 };
  // slope = Σ (x − x̄)(y − ȳ) / Σ (x − x̄)²; x is doubled so that the mean of an even count is an integer.
  const middle = BigInt(count - 1);
  let above = zero;
  let below = 0n;
  costs.forEach((cost, index) => {
    const x = 2n * BigInt(index) - middle;
    above = above.plus(decimal(x).times(cost.minus(mean)));
    below += x * x;
  });
  const slope = divide(above.times('2'), decimal(below), 18);
  // Relative to the absolute mean, so that a growing credit counts as a decrease.
  const percent = Number(divide(slope.times('100'), mean.abs(), 1).toFixed());
  if (Math.abs(percent) <= stableWithinPercent) return { trend: 'stable', percent };
  return { trend: percent > 0 ? 'increasing' : 'decreasing', percent };
}

/** A projected sum with the range that contains two thirds of such sums. */
export type Projection = { readonly expected: Decimal; readonly low: Decimal; readonly high: Decimal };

type PastDay = { readonly weekday: number; readonly cost: Decimal };

/**
 * The average cost of a weekday, or of all days if the weekday has not occurred yet. `past` must not be
 * empty.
 */
function weekdayMean(past: readonly PastDay[], weekday: number): Decimal {
  const sameWeekday = past.filter((each) => each.weekday === weekday);
  const of = sameWeekday.length === 0 ? past : sameWeekday;
  return divide(sumDecimals(of.map((each) => each.cost)), decimal(BigInt(of.length)), 18);
}

/** The expected cost of the rest of today: its weekday's average minus what today has cost so far. */
export function restOfDay(past: readonly PastDay[], { weekday, cost }: PastDay): Decimal {
  if (past.length === 0) return zero;
  const usual = weekdayMean(past, weekday);
  return usual.gt(cost) ? usual.minus(cost) : zero;
}

/**
 * Projects a month's cost: the cost so far plus the weekday-weighted pace for the rest of today and the days
 * after it (domain.md, "Usage"). `past` are complete days with their weekday (0–6); without any, no further
 * cost is expected. The range is one standard deviation of a day times the square root of the number of days
 * left.
 */
export function project(
  soFar: Decimal,
  past: readonly PastDay[],
  daysLeft: readonly number[],
  today?: PastDay,
): Projection {
  if (past.length === 0) return { expected: soFar, low: soFar, high: soFar };
  const count = decimal(BigInt(past.length));
  const mean = divide(sumDecimals(past.map((each) => each.cost)), count, 18);
  const rest = today ? restOfDay(past, today) : zero;
  const expected = daysLeft.reduce((sum, weekday) => sum.plus(weekdayMean(past, weekday)), soFar.plus(rest));
  const variance = divide(
    sumDecimals(past.map((each) => each.cost.minus(mean).times(each.cost.minus(mean)))),
    count,
    18,
  );
  const spread = variance.times(decimal(BigInt(daysLeft.length + (today ? 1 : 0)))).sqrt();
  const low = expected.minus(spread);
  // The low end is not below the cost so far, unless corrections are expected to reduce it.
  const least = expected.lt(soFar) ? expected : soFar;
  return { expected, low: low.lt(least) ? least : low, high: expected.plus(spread) };
}

export type RangeMistake = 'usage.start_after_end' | 'usage.range_too_long';

/** Why a range of days is invalid (R-USE-05): it starts after its end or spans more than three months. */
export function rangeMistake(from: string, to: string, lastAllowed: string): RangeMistake | undefined {
  if (from > to) return 'usage.start_after_end';
  return to > lastAllowed ? 'usage.range_too_long' : undefined;
}
