// Usage: events in, statistics out.
import * as z from 'zod/mini';
import { contract, noInput, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import { chargeKey, ChargeIdentity, Dimensions } from '#features/selling/rating/contract.ts';
import { chargeKinds } from '#features/selling/subscriptions/contract.ts';
import {
  currency,
  day,
  exactDecimal,
  id,
  instant,
  moneyShape,
  month,
  queryInteger,
  text,
} from '#kernel/shape.ts';

/**
 * The result of a batch: `accepted` events are durable, `duplicates` were accepted before, and each of
 * `rejected` has its reason.
 */
export const Ingested = z.strictObject({
  accepted: z.int(),
  duplicates: z.int(),
  rejected: z.array(
    z.strictObject({ index: z.int(), id: z.nullable(z.string()), code: z.string(), message: z.string() }),
  ),
});
export type Ingested = z.output<typeof Ingested>;

export const trends = ['increasing', 'decreasing', 'stable'] as const;

/** An exact cost in one currency; a decimal before rounding. */
export const Cost = z.strictObject({ currency, amount: z.string() });

/**
 * A cost as bills round it: the sum of its lines, each rounded separately. Use it wherever a whole month is
 * shown.
 */
const billed = moneyShape;

/** The values of a meter's dimensions; null stands for all values that are not listed separately. */
const cellValues = z.nullable(Dimensions);

/**
 * What one charge of a rate card cost in a month, computed from the lines of the bill: the charges of a
 * service add up to its cost exactly. `key` and `name` are null for amounts without a charge: a month's
 * minimum and maximum, and a single price in force for part of the month.
 */
export const ChargeMonth = z.strictObject({
  key: z.nullable(chargeKey),
  name: z.nullable(ChargeIdentity.shape.name),
  kind: z.enum(chargeKinds),
  /** The key of the meter of a usage charge. */
  meter: z.optional(z.string()),
  unit: z.string(),
  quantity: exactDecimal,
  /** The price of one unit, if there is a single one. */
  unitPrice: z.nullable(exactDecimal),
  cost: Cost,
  billed,
  /** Usage by the values of the meter's dimensions, largest first; missing for a meter without dimensions. */
  cells: z.optional(z.array(z.strictObject({ dimensions: Dimensions, quantity: exactDecimal }))),
});
export type ChargeMonth = z.output<typeof ChargeMonth>;

export const ServiceUsage = z.strictObject({
  subscriptionId: id('sub'),
  serviceId: id('svc'),
  serviceName: z.string(),
  unit: z.string(),
  quantity: exactDecimal,
  previousQuantity: exactDecimal,
  /** The part that the base fee includes; null if usage is not priced. */
  included: z.nullable(exactDecimal),
  /** The part beyond it. */
  billable: exactDecimal,
  cost: Cost,
  billed,
  share: z.number(),
  /** The total of each charge of a rate card, in the order of the card; missing for a single price. */
  charges: z.optional(z.array(ChargeMonth)),
});

/** The figures of one month (R-USE-01). Costs are sums over services in the organization's main currency. */
export const Statistics = z.strictObject({
  month,
  asOf: instant,
  currency,
  /** The number of the month's events: the one figure that adds up across units. */
  events: z.int(),
  totalCost: Cost,
  billed,
  averageDailyCost: Cost,
  projectedCost: z.strictObject({ currency, amount: z.string(), low: z.string(), high: z.string() }),
  previousCost: Cost,
  previousBilled: billed,
  peakDay: z.nullable(z.strictObject({ day, cost: Cost })),
  trend: z.enum(trends),
  /** The change per month of the six-month trend line, in percent of its mean. */
  trendPercent: z.number(),
  sixMonths: z.array(z.strictObject({ month, cost: Cost, billed, events: z.int() })),
  services: z.array(ServiceUsage),
});
export type Statistics = z.output<typeof Statistics>;

/** A usage charge by day: its meter's quantity for each day separately. */
export const DailyCharge = z.strictObject({
  key: chargeKey,
  name: ChargeIdentity.shape.name,
  meter: z.optional(z.string()),
  unit: z.string(),
  quantities: z.array(exactDecimal),
  /** Null if the price is known for whole months only: prices of single events, and of percentiles. */
  costs: z.nullable(z.array(exactDecimal)),
  /**
   * The nine largest combinations of the values of the meter's dimensions, and all others as one entry
   * without values; only if a service is given. Quantities are null if they do not add up, costs if they
   * cannot be split.
   */
  cells: z.optional(
    z.array(
      z.strictObject({
        dimensions: cellValues,
        quantities: z.nullable(z.array(exactDecimal)),
        costs: z.nullable(z.array(exactDecimal)),
      }),
    ),
  ),
});
export type DailyCharge = z.output<typeof DailyCharge>;

/**
 * How the days of a month lead to its bill, before discounts and tax. A day costs what it adds to the price of
 * the month so far, at the price in force then; what only the whole month decides is listed beside the days.
 * All amounts before `billed` are exact and add up to it.
 */
const sumsOfMonth = {
  month,
  days: exactDecimal,
  /**
   * Usage that is in no day: percentiles, prices of single events, and minimums of charges.
   */
  wholeMonth: exactDecimal,
  /** Fees, and credits for them. */
  fees: exactDecimal,
  /** What the service's minimum adds, or its maximum deducts. */
  limits: exactDecimal,
  /** The difference that rounding each line makes. */
  rounding: exactDecimal,
  billed,
};
export const MonthSum = z.strictObject(sumsOfMonth);
export type MonthSum = z.output<typeof MonthSum>;

export const DailyUsage = z.strictObject({
  from: day,
  to: day,
  days: z.array(day),
  series: z.array(
    z.strictObject({
      subscriptionId: id('sub'),
      serviceId: id('svc'),
      serviceName: z.string(),
      unit: z.string(),
      currency,
      /** Quantities of the service's own meter. */
      quantities: z.array(exactDecimal),
      /** Costs of all usage whose cost is known by day. */
      costs: z.array(z.string()),
      /** The months whose days so far are all in the range. */
      months: z.array(MonthSum),
      /** The usage charges of a rate card, in the card's order. */
      charges: z.optional(z.array(DailyCharge)),
    }),
  ),
});
export type DailyUsage = z.output<typeof DailyUsage>;

/** The expected cost of the rest of the current month, in one currency. */
export const ExpectedDays = z.strictObject({
  currency,
  /** The expected cost of the rest of today. */
  restOfToday: z.strictObject({ day, expected: exactDecimal }),
  /**
   * The days after today, each with its expected cost and the range that contains two thirds of such days.
   */
  days: z.array(z.strictObject({ day, expected: exactDecimal, low: exactDecimal, high: exactDecimal })),
});
export type ExpectedDays = z.output<typeof ExpectedDays>;

export const UsageEvent = z.strictObject({
  source: z.string(),
  id: z.string(),
  subscriptionId: id('sub'),
  time: instant,
  value: exactDecimal,
  receivedAt: instant,
  /** The API key that sent the event; null for imports. */
  keyId: z.nullable(id('key')),
  /** The event's data without its value. */
  properties: z.nullable(z.record(z.string(), z.unknown())),
  /** For a correction: the id of the event that it cancels. */
  voids: z.nullable(z.string()),
  /** Whether the event was canceled. */
  voided: z.boolean(),
});

const readable = { roles: ['User', 'ReadOnly'], apiKey: 'read' } as const;

export const usage = contract({
  ingest: route({
    method: 'POST',
    path: '/usage/events',
    access: { roles: [], apiKey: 'metering' },
    status: 202,
    summary: 'Send usage events',
    description:
      'Takes one CloudEvents 1.0 event or a batch. Once acknowledged, events are durable. Repeats have no effect, and one invalid event never rejects the others.',
    raw: {
      types: ['application/cloudevents+json', 'application/cloudevents-batch+json', 'application/json'],
      maxBytes: 4 * 1024 * 1024,
    },
    input: noInput,
    output: Ingested,
  }),
  statistics: route({
    method: 'GET',
    path: '/usage/statistics',
    access: readable,
    isBatchable: true,
    summary: 'Get usage statistics',
    description: 'The figures for one month.',
    input: z.strictObject({ month: z.optional(month) }),
    output: Statistics,
  }),
  charges: route({
    method: 'GET',
    path: '/usage/charges',
    access: readable,
    isBatchable: true,
    summary: 'List charges of a subscription',
    description: 'What each charge came to in a month, by default the current one.',
    input: z.strictObject({ subscriptionId: id('sub'), month: z.optional(month) }),
    output: z.strictObject({
      month,
      asOf: instant,
      cost: Cost,
      /** Empty for a service with a single price. */
      charges: z.array(ChargeMonth),
    }),
  }),
  daily: route({
    method: 'GET',
    path: '/usage/daily',
    access: readable,
    summary: 'Get daily usage',
    description: 'Usage by day and service, for up to three months.',
    input: z.strictObject({ from: day, to: day, serviceId: z.optional(id('svc')) }),
    output: DailyUsage,
  }),
  events: route({
    method: 'GET',
    path: '/usage/events',
    access: readable,
    summary: 'List usage events',
    description:
      'The events behind a figure, newest first. Name a key, a member, or the value of a property or dimension to see one group.',
    input: z.strictObject({
      subscriptionId: id('sub'),
      from: z.optional(day),
      to: z.optional(day),
      /** Instead of days: all hours that begin in [start, end). */
      start: z.optional(instant),
      end: z.optional(instant),
      /**
       * One of the organization's own API keys, `platform` for the platform's keys, or `none` for events sent
       * without a key.
       */
      apiKeyId: z.optional(text(60)),
      /** The user who created the keys. */
      memberId: z.optional(id('usr')),
      /**
       * With `value` as JSON text (`none`: events without the property; `other`: values beyond the limit of
       * separately counted ones).
       */
      property: z.optional(text(60)),
      /**
       * With `value`, the JSON text of a value of this meter dimension: matches events that carry it as text,
       * number or boolean.
       */
      dimension: z.optional(text(60)),
      value: z.optional(text(220)),
      limit: z.optional(queryInteger(1, 200)),
      cursor: z.optional(text(500)),
    }),
    output: z.strictObject({
      items: z.array(UsageEvent),
      nextCursor: z.nullable(z.string()),
      total: z.int(),
    }),
  }),
  usageMonths: route({
    method: 'GET',
    path: '/usage/months',
    access: readable,
    isBatchable: true,
    summary: 'List months with usage',
    description: 'Newest first.',
    input: noInput,
    output: z.strictObject({
      months: z.array(month),
      /** The organization's time zone, in which its days and months begin. */
      timeZone: z.string(),
      /** All usage that the organization has ever recorded. */
      subscriptions: z.array(
        z.strictObject({ id: id('sub'), serviceId: id('svc'), serviceName: z.string(), unit: z.string() }),
      ),
    }),
  }),
});

export const usageErrors = {
  'usage.malformed': 400,
  'usage.batch_too_large': 413,
  'usage.event_malformed': 422,
  'usage.subscription_unknown': 422,
  'usage.subscription_not_running': 422,
  'usage.sent_to_add_on': 422,
  'usage.event_type_unknown': 422,
  'usage.filter_not_met': 422,
  'usage.dimension_value': 422,
  'usage.too_many_values': 422,
  'usage.no_rate': 422,
  'usage.time_in_future': 422,
  'usage.value_no_decimal': 422,
  'usage.only_adds': 422,
  'usage.too_old': 422,
  'usage.credit_used_up': 422,
  'usage.void_unnamed': 422,
  'usage.void_unknown': 422,
  'usage.voided_already': 409,
  'usage.value_inexact': 422,
  'usage.value_too_large': 422,
  'usage.value_negative': 422,
  'usage.property_too_long': 422,
  'usage.data_not_json': 422,
  'usage.data_schema': 422,
  'usage.conflict': 409,
  'usage.start_after_end': 422,
  'usage.range_too_long': 422,
  'usage.subscription_not_found': 404,
  'usage.events_deleted': 409,
  'usage.archive_unreadable': 503,
  'usage.event_store_unavailable': 503,
} as const satisfies ErrorTable;

export const usagePaths = { statistics: '/usage/statistics' } as const;
