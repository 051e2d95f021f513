// Insights: usage explored, compared, forecast and exported. Everything is read from rollups; only users'
// verdicts on unusual days are stored.
import * as z from 'zod/mini';
import { contract, file, noInput, nothing, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import { currency, day, exactDecimal, id, instant, language, month, queryFlag } from '#kernel/shape.ts';
import { ChargeIdentity } from '#features/selling/rating/contract.ts';
import { ExpectedDays, MonthSum } from '#features/metering/usage/contract.ts';

export const grains = ['day', 'hour'] as const;
export type Grain = (typeof grains)[number];
/** The maximum number of days for which hours are shown. */
export const maxHourlyDays = 14;

/**
 * How figures are grouped: by service, by charge of a rate card, by the service's tags, by the creator of the API key, by the key, by a
 * dimension of meters, or by a property of the events' data.
 */
export const groupBy = z
  .string()
  .check(z.regex(/^(service|charge|tag|member|apiKey|dimension:.{1,60}|property:.{1,100})$/s));
/**
 * Keys of groups without a value: events without the value, events from an import or sent with a platform
 * key, values beyond the limit of separately counted ones, and costs that cannot be split.
 */
export const specialGroups = ['none', 'untagged', 'import', 'platform', 'other', 'unshared'] as const;
export type SpecialGroup = (typeof specialGroups)[number];

const range = { from: day, to: day, serviceId: z.optional(id('svc')) };

/** A day or an hour, [start, end). */
export const ExploredPlace = z.strictObject({ day, start: instant, end: instant });
export const ExploredSeries = z.strictObject({
  key: z.string(),
  label: z.string(),
  /** Set for a group without a value; its name is a text of the screen. */
  special: z.nullable(z.enum(specialGroups)),
  /** The charge of the service named by `label`, if figures are grouped by charge. */
  charge: z.optional(ChargeIdentity.shape.name),
  currency,
  /** Null if the group mixes units. */
  unit: z.nullable(z.string()),
  /** One for each place; null if the group mixes units. */
  quantities: z.nullable(z.array(exactDecimal)),
  quantity: z.nullable(exactDecimal),
  /**
   * One for each place; null if costs cannot be attributed to the group, because its meters neither add up
   * nor count.
   */
  costs: z.nullable(z.array(exactDecimal)),
  cost: z.nullable(exactDecimal),
  /** The same for the previous period; null without a comparison. */
  previousCost: z.nullable(exactDecimal),
  previousQuantity: z.nullable(exactDecimal),
  subscriptionIds: z.array(id('sub')),
});
export type ExploredSeries = z.output<typeof ExploredSeries>;
export const Explored = z.strictObject({
  from: day,
  to: day,
  grain: z.enum(grains),
  groupBy: z.string(),
  asOf: instant,
  /** The currency in which most services are priced; the chart shows it. */
  currency,
  places: z.array(ExploredPlace),
  /**
   * Charges with usage in the range whose cost is known for whole months only: none of the figures include
   * it.
   */
  monthOnly: z.array(z.strictObject({ serviceName: z.string(), name: ChargeIdentity.shape.name })),
  /** Most expensive first. Groups add up to the totals. */
  series: z.array(ExploredSeries),
  totals: z.array(
    z.strictObject({
      currency,
      costs: z.array(exactDecimal),
      cost: exactDecimal,
      previousCosts: z.nullable(z.array(exactDecimal)),
      previousCost: z.nullable(exactDecimal),
    }),
  ),
  /** For each month whose days so far are all in the range: how they lead to its bills, by currency. */
  months: z.array(z.strictObject({ currency, ...MonthSum.shape })),
  previous: z.nullable(z.strictObject({ from: day, to: day })),
  /** The largest absolute changes in cost; empty without a comparison. */
  movers: z.array(
    z.strictObject({
      key: z.string(),
      label: z.string(),
      special: z.nullable(z.enum(specialGroups)),
      charge: z.optional(ChargeIdentity.shape.name),
      currency,
      before: exactDecimal,
      after: exactDecimal,
      change: exactDecimal,
    }),
  ),
});
export type Explored = z.output<typeof Explored>;

/** The forecast made for a month on the same day of that month, and the month's actual cost. */
export const ForecastMonth = z.strictObject({
  month,
  day,
  said: exactDecimal,
  came: exactDecimal,
  /** In percent of the actual cost; null if that is zero. */
  errorPercent: z.nullable(z.number()),
});
export const Forecast = z.strictObject({
  month,
  asOf: instant,
  ...ExpectedDays.shape,
  /** Up to three complete months, newest first. */
  past: z.array(ForecastMonth),
  /** The mean of the absolute errors, in percent; null without a month to compare. */
  meanErrorPercent: z.nullable(z.number()),
});
export type Forecast = z.output<typeof Forecast>;

export const verdicts = ['expected', 'unexpected'] as const;
export type Verdict = (typeof verdicts)[number];
/** A day that differs from the same weekday of earlier weeks. */
export const UnusualDay = z.strictObject({
  subscriptionId: id('sub'),
  serviceId: id('svc'),
  serviceName: z.string(),
  unit: z.string(),
  day,
  quantity: exactDecimal,
  /** The median of the same weekday, and the range outside of which a day is unusual. */
  expected: exactDecimal,
  low: exactDecimal,
  high: exactDecimal,
  verdict: z.nullable(z.strictObject({ verdict: z.enum(verdicts), by: z.nullable(z.string()), at: instant })),
});
export type UnusualDay = z.output<typeof UnusualDay>;

export const exportFormats = ['csv', 'xlsx', 'focus'] as const;
/** The supported versions of FOCUS; the first one is the default. */
export const focusVersions = ['1.2', '1.3'] as const;

const readable = { roles: ['User', 'ReadOnly'], apiKey: 'read' } as const;
const explored = { ...range, grain: z.optional(z.enum(grains)), groupBy: z.optional(groupBy) };
const unusual = { subscriptionId: id('sub'), day };

export const insights = contract({
  explore: route({
    method: 'GET',
    path: '/usage/explore',
    access: readable,
    isBatchable: true,
    summary: 'Explore usage',
    description:
      'Quantities and exact usage costs by day (up to three months) or hour (up to 14 days), grouped and compared with the period of the same length before.',
    input: z.strictObject({ ...explored, compare: z.optional(queryFlag) }),
    output: Explored,
  }),
  dimensions: route({
    method: 'GET',
    path: '/usage/dimensions',
    access: readable,
    isBatchable: true,
    summary: 'List dimensions',
    description: 'What a period can be grouped by: event properties, meter dimensions, and charges.',
    input: z.strictObject(range),
    output: z.strictObject({
      properties: z.array(z.strictObject({ name: z.string(), events: z.int() })),
      /** The dimensions of the meters that rate cards charge by. */
      dimensions: z.array(z.string()),
      /** Whether there are charges to group by. */
      hasCharges: z.boolean(),
    }),
  }),
  forecast: route({
    method: 'GET',
    path: '/usage/forecast',
    access: readable,
    isBatchable: true,
    summary: 'Forecast the current month',
    description:
      'What the remaining days are expected to cost, and how accurate the same forecast was before.',
    input: noInput,
    output: Forecast,
  }),
  unusualDays: route({
    method: 'GET',
    path: '/usage/unusual-days',
    access: readable,
    isBatchable: true,
    summary: 'List unusual days',
    description:
      'Days on which a service was used far more or less than on the same weekday of the previous eight weeks.',
    input: z.strictObject(range),
    output: z.strictObject({ days: z.array(UnusualDay) }),
  }),
  judgeDay: route({
    method: 'PUT',
    path: '/usage/unusual-days/:subscriptionId/:day',
    access: { roles: ['User'] },
    summary: 'Rate an unusual day',
    description:
      'Records whether a day’s usage was expected. Days that weren’t are left out of later comparisons.',
    input: z.strictObject({ ...unusual, verdict: z.enum(verdicts) }),
    output: nothing,
  }),
  takeBackVerdict: route({
    method: 'DELETE',
    path: '/usage/unusual-days/:subscriptionId/:day',
    access: { roles: ['User'] },
    summary: 'Withdraw a day’s rating',
    input: z.strictObject(unusual),
    output: nothing,
  }),
  exportUsage: route({
    method: 'GET',
    path: '/usage/export',
    access: readable,
    atOnce: 2,
    perMinute: 30,
    summary: 'Export usage',
    description:
      'The explored figures as CSV or Excel, or every charge of the period in the columns of FOCUS 1.2 or 1.3.',
    input: z.strictObject({
      ...explored,
      format: z.enum(exportFormats),
      version: z.optional(z.enum(focusVersions)),
      language: z.optional(language),
    }),
    output: file,
  }),
});

export const insightsErrors = {
  'insights.hours_too_long': 422,
  'insights.subscription_not_found': 404,
  'insights.day_not_judged': 422,
} as const satisfies ErrorTable;
