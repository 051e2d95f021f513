// Business metrics and the operator's finance home: recurring revenue and its movements, cohorts, top
// customers; and receivables, receipts and taxes that add up to the ledger.
import * as z from 'zod/mini';
import { contract, file, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import {
  currency,
  day,
  exactDecimal,
  id,
  instant,
  language,
  moneyShape,
  month,
  pageOf,
  pageQuery,
  queryFlag,
  queryInteger,
} from '#kernel/shape.ts';
import { UsedRate } from '#features/reporting/rates/contract.ts';
import { exchangeRoutes } from './contract-exchange.ts';
import { forecastRoutes } from './contract-forecast.ts';
import { lineKinds } from '#features/invoicing/billing/contract.ts';

/** Why a customer's recurring revenue differs from the previous month. */
export const movementKinds = ['new', 'reactivation', 'expansion', 'contraction', 'churn'] as const;
export type MovementKind = (typeof movementKinds)[number];
/** The nature of a line: a recurring fee, usage, or a one-time charge. */
export const revenueParts = ['recurring', 'usage', 'once'] as const;
export type RevenuePart = (typeof revenueParts)[number];
/** How many days a bill is overdue. */
export const agingBuckets = ['current', 'd30', 'd60', 'd90', 'older'] as const;
export type AgingBucket = (typeof agingBuckets)[number];
export const metricReports = [
  'months',
  'movements',
  'customers',
  'margin',
  'cohorts',
  'forecast',
  'receivables',
  'consolidated',
  'exchange',
  'revenue',
  'receipts',
  'taxes',
] as const;

const percent = z.nullable(exactDecimal);
const Moved = z.strictObject({ kind: z.enum(movementKinds), amount: moneyShape, customers: z.int() });
/** A figure of these pages and the ledger's figure for the same. */
const Proof = z.strictObject({ here: moneyShape, ledger: moneyShape, isEqual: z.boolean() });
export type Proof = z.output<typeof Proof>;

export const MetricMonth = z.strictObject({
  month,
  /** Recurring revenue of the previous month; plus the movements it equals `recurring`. */
  opening: moneyShape,
  movements: z.array(Moved),
  /** The effect of exchange rates on the opening, including rounding; zero in one currency. */
  exchange: moneyShape,
  recurring: moneyShape,
  usage: moneyShape,
  once: moneyShape,
  /** The number of customers with recurring revenue. */
  customers: z.int(),
  /**
   * Net revenue retention: the opening's revenue after expansion, contraction and churn, in percent; null if
   * there was none.
   */
  netRetention: percent,
  /** Churned revenue and churned customers, in percent of the opening. */
  revenueChurn: percent,
  customerChurn: percent,
  /** Recurring revenue per customer who has any. */
  average: z.nullable(moneyShape),
});
export type MetricMonth = z.output<typeof MetricMonth>;

export const MetricSummary = z.strictObject({
  /** The currency of all figures. */
  currency,
  /**
   * Whether all currencies are converted to the reporting currency: months at the rates of their last days,
   * overdue amounts at today's.
   */
  isConsolidated: z.boolean(),
  reportingCurrency: currency,
  /**
   * Months and currencies without a rate into the reporting currency: months up to the last of them are
   * omitted.
   */
  lacking: z.array(z.strictObject({ month, currency })),
  /** The currencies in which bills were issued, the installation's own first. */
  currencies: z.array(currency),
  /** The last closed month; null before the first. */
  lastMonth: z.nullable(month),
  runningMonth: month,
  /** Bills were issued or changed that the figures do not include yet; they will within seconds. */
  isUpdating: z.boolean(),
  /** Oldest first. */
  months: z.array(MetricMonth),
  /**
   * What the customers of a year before the last month pay now, in percent of what they paid then; with the
   * figure of a month before.
   */
  yearRetention: percent,
  previousYearRetention: percent,
  /** The part of the receivables that is overdue today. */
  /** Null if a rate is missing. */
  overdue: z.nullable(moneyShape),
  receivable: z.nullable(moneyShape),
  /** The revenue of all months, including future ones, and the ledger's; null until it is computed. */
  proof: z.nullable(Proof),
});
export type MetricSummary = z.output<typeof MetricSummary>;

const organization = { organizationId: id('org'), organization: z.string() };
export const CustomerMovement = z.strictObject({
  ...organization,
  kind: z.enum(movementKinds),
  before: moneyShape,
  now: moneyShape,
  change: moneyShape,
});
export type CustomerMovement = z.output<typeof CustomerMovement>;

export const CustomerRevenue = z.strictObject({
  ...organization,
  recurring: moneyShape,
  usage: moneyShape,
  once: moneyShape,
  total: moneyShape,
  /** In percent of the month's whole revenue. */
  share: percent,
});
export type CustomerRevenue = z.output<typeof CustomerRevenue>;

/** A line, or a part of one, of a customer's revenue in a month. */
export const RevenueLine = z.strictObject({
  billId: id('bil'),
  billNumber: z.string(),
  billMonth: month,
  position: z.int(),
  kind: z.enum(lineKinds),
  serviceName: z.string(),
  part: z.enum(revenueParts),
  amount: moneyShape,
});
export type RevenueLine = z.output<typeof RevenueLine>;

export const Cohort = z.strictObject({
  /** The month in which its customers first had recurring revenue. */
  month,
  customers: z.int(),
  amount: moneyShape,
  /** Each month since, including the first. */
  kept: z.array(
    z.strictObject({
      month,
      customers: z.int(),
      amount: moneyShape,
      customersPercent: percent,
      amountPercent: percent,
    }),
  ),
});
export type Cohort = z.output<typeof Cohort>;

/** The expected revenue of a future month. */
export const ForecastMonth = z.strictObject({
  month,
  /** Fees of current subscriptions. */
  recurring: moneyShape,
  usage: moneyShape,
  total: moneyShape,
  /** Eight of ten months are expected between these. */
  low: moneyShape,
  high: moneyShape,
});
export type ForecastMonth = z.output<typeof ForecastMonth>;

const aged = z.strictObject({
  total: moneyShape,
  ...(Object.fromEntries(agingBuckets.map((bucket) => [bucket, moneyShape])) as Record<
    AgingBucket,
    typeof moneyShape
  >),
});
export type Aged = z.output<typeof aged>;
export const AgedCustomer = z.extend(aged, organization);
export type AgedCustomer = z.output<typeof AgedCustomer>;

/** The revenue recognized in a month, or a part of it, by cause; reductions are negative. */
export const RevenueMonth = z.strictObject({
  month,
  /** Net amounts of issued bills. */
  billed: moneyShape,
  /**
   * The part of them paid by promotional credit: it is revenue, because the credit was expensed when it was
   * granted.
   */
  promotional: moneyShape,
  /** The part of them deferred to later months. */
  deferred: moneyShape,
  /** Amounts of earlier bills that were deferred to a month that is over now. */
  released: moneyShape,
  /** Credit notes and voids, without the part that was not revenue yet. */
  credited: moneyShape,
  /** Expired prepaid credit. */
  expired: moneyShape,
  total: moneyShape,
});
export type RevenueMonth = z.output<typeof RevenueMonth>;

/** The cash movements of a payment method; outgoing amounts are negative. */
export const Receipt = z.strictObject({
  /** Null if days are summed. */
  day: z.nullable(day),
  method: z.string(),
  kind: z.enum(['received', 'refunded', 'disputed']),
  count: z.int(),
  amount: moneyShape,
  /** Fees withheld by providers: a part of the amount. */
  fee: moneyShape,
});
export type Receipt = z.output<typeof Receipt>;

export const TaxOfRate = z.strictObject({
  /** Empty if a bill had one rate for everything. */
  category: z.string(),
  rate: exactDecimal,
  net: moneyShape,
  tax: moneyShape,
  /** Amounts reversed by credit notes and voids. */
  creditedNet: moneyShape,
  creditedTax: moneyShape,
  total: moneyShape,
});
export type TaxOfRate = z.output<typeof TaxOfRate>;

/** A figure in its own currency and in the reporting currency. */
const consolidatedFigure = {
  /** The day of the rate. */
  day,
  amount: moneyShape,
  /** Null for the reporting currency itself, and if no rates lead to it. */
  rate: z.nullable(UsedRate),
  /** Rounded once; null if no rates lead to the reporting currency. */
  converted: z.nullable(moneyShape),
};
export const Consolidated = z.strictObject(consolidatedFigure);
export type Consolidated = z.output<typeof Consolidated>;

export const marginSpans = ['month', 'year'] as const;
export type MarginSpan = (typeof marginSpans)[number];
export const marginLists = ['customer', 'service'] as const;
export type MarginBy = (typeof marginLists)[number];
/**
 * What was charged and what it cost. Cost and margin are exact, in major units of the currency, and null if
 * no cost is known.
 */
const marginSums = {
  /** Of bills that are not voided, before tax, less credit notes. */
  revenue: moneyShape,
  /** The part of it with a known cost: that of subscriptions whose cost was imported for the month. */
  knownRevenue: moneyShape,
  /** In percent of the revenue. */
  knownShare: percent,
  /** In the currency of the bills, at the rates used for the sale. */
  cost: z.nullable(exactDecimal),
  /** Revenue with a known cost less that cost. */
  margin: z.nullable(exactDecimal),
  /** In percent of the revenue with a known cost. */
  percent,
  /** Whether some cost has no rate into the currency, and is in none of these figures. */
  isCostLacking: z.boolean(),
};
export const MarginSums = z.strictObject(marginSums);
export type MarginSums = z.output<typeof MarginSums>;
export const MarginRow = z.strictObject({
  /** The id of a customer or a service; '' for revenue without a service. */
  id: z.string(),
  name: z.string(),
  ...marginSums,
});
export type MarginRow = z.output<typeof MarginRow>;
export const MarginLine = z.strictObject({
  billId: id('bil'),
  billNumber: z.string(),
  month,
  position: z.int(),
  kind: z.enum(lineKinds),
  serviceName: z.string(),
  amount: moneyShape,
  isCostKnown: z.boolean(),
});
export type MarginLine = z.output<typeof MarginLine>;
/**
 * The cost of a cloud service in a month; `lacking` is the part without a rate into the currency of the bill.
 */
export const MarginCost = z.strictObject({
  month,
  service: z.string(),
  cost: z.nullable(exactDecimal),
  lacking: z.array(z.strictObject({ currency: z.string(), amount: exactDecimal })),
});
export type MarginCost = z.output<typeof MarginCost>;

const admin = { roles: ['Admin'] } as const;
const paged = { limit: pageQuery.limit, cursor: pageQuery.cursor, sort: pageQuery.sort, q: pageQuery.q };
const ofMonth = { currency, month };
const period = { from: day, to: day };
const ofMargin = {
  ...ofMonth,
  /** The month, or the twelve months up to it. */
  span: z.optional(z.enum(marginSpans)),
  /** `none`: revenue without a service. */
  serviceId: z.optional(z.union([id('svc'), z.literal('none')])),
};

export const metrics = contract({
  summary: route({
    method: 'GET',
    path: '/admin/metrics',
    access: admin,
    summary: 'Get business metrics',
    description:
      'Recurring revenue with its movements, usage, retention, and churn of closed months, and overdue receivables.',
    input: z.strictObject({
      currency: z.optional(currency),
      months: z.optional(queryInteger(1, 60)),
      /** All currencies, in the reporting currency. */
      consolidated: z.optional(queryFlag),
    }),
    output: MetricSummary,
  }),
  movements: route({
    method: 'GET',
    path: '/admin/metrics/movements',
    access: admin,
    summary: 'List revenue movements',
    description: 'Customers whose recurring revenue in a month differs from the month before.',
    input: z.strictObject({ ...ofMonth, kind: z.optional(z.enum(movementKinds)), ...paged }),
    output: pageOf(CustomerMovement),
  }),
  customers: route({
    method: 'GET',
    path: '/admin/metrics/customers',
    access: admin,
    summary: 'List customers by revenue',
    description: 'What each was charged for a month, the largest first.',
    input: z.strictObject({ ...ofMonth, ...paged }),
    output: z.extend(pageOf(CustomerRevenue), {
      /** The whole month, and the share of its 1, 5 and 10 largest customers in percent. */
      whole: moneyShape,
      concentration: z.array(z.strictObject({ customers: z.int(), percent })),
    }),
  }),
  lines: route({
    method: 'GET',
    path: '/admin/metrics/lines',
    access: admin,
    summary: 'List a customer’s revenue lines',
    description: 'The lines of bills and credit notes behind a customer’s revenue in a month.',
    input: z.strictObject({ ...ofMonth, organizationId: id('org') }),
    output: z.strictObject({ items: z.array(RevenueLine) }),
  }),
  margin: route({
    method: 'GET',
    path: '/admin/metrics/margin',
    access: admin,
    summary: 'Get margin',
    description:
      'What customers or services were charged for a month or the twelve months up to it, what they cost as far as known, and the margin.',
    input: z.strictObject({
      ...ofMargin,
      by: z.optional(z.enum(marginLists)),
      organizationId: z.optional(id('org')),
      ...paged,
    }),
    output: z.extend(pageOf(MarginRow), {
      from: month,
      /** The totals of all rows, including those that a search excludes. */
      totals: MarginSums,
      /**
       * The revenue of the months: equal to that of all rows if neither a customer nor a service is given.
       */
      billed: moneyShape,
    }),
  }),
  marginLines: route({
    method: 'GET',
    path: '/admin/metrics/margin/lines',
    access: admin,
    summary: 'List a customer’s margin lines',
    description: 'The lines behind a customer’s revenue, and what its subscriptions cost by cloud service.',
    input: z.strictObject({ ...ofMargin, organizationId: id('org') }),
    output: z.strictObject({ lines: z.array(MarginLine), costs: z.array(MarginCost) }),
  }),
  cohorts: route({
    method: 'GET',
    path: '/admin/metrics/cohorts',
    access: admin,
    summary: 'Get cohorts',
    description: 'Customers by the month of their first recurring revenue, and what’s left of them since.',
    input: z.strictObject({ currency, months: z.optional(queryInteger(1, 60)) }),
    output: z.strictObject({ items: z.array(Cohort) }),
  }),
  forecast: route({
    method: 'GET',
    path: '/admin/metrics/forecast',
    access: admin,
    summary: 'Forecast revenue',
    description:
      'Expected recurring revenue and usage for the three months after the last closed one, with a range.',
    input: z.strictObject({ currency }),
    output: z.strictObject({
      /** The number of closed months that a forecast needs, and the number that exist. */
      neededMonths: z.int(),
      knownMonths: z.int(),
      /**
       * When recurring revenue was last planned from subscriptions; null until it was, after a month close.
       */
      workedOutAt: z.nullable(instant),
      /** Empty while there are too few closed months, or nothing is planned yet. */
      months: z.array(ForecastMonth),
    }),
  }),
  receivables: route({
    method: 'GET',
    path: '/admin/metrics/receivables',
    access: admin,
    summary: 'Get receivables',
    description: 'What customers owed at the end of a day by how late it was, and the ledger’s receivables.',
    input: z.strictObject({ currency, day: z.optional(day), ...paged }),
    output: z.extend(pageOf(AgedCustomer), { day, totals: aged, proof: Proof }),
  }),
  revenue: route({
    method: 'GET',
    path: '/admin/metrics/revenue',
    access: admin,
    summary: 'Get recognized revenue',
    description:
      'A period’s revenue by the month in which it was recognized and by source, and the movement of the ledger’s revenue.',
    input: z.strictObject({ currency, ...period }),
    output: z.strictObject({ items: z.array(RevenueMonth), proof: Proof }),
  }),
  consolidated: route({
    method: 'GET',
    path: '/admin/metrics/consolidated',
    access: admin,
    summary: 'Get consolidated figures',
    description:
      'Revenue by month and receivables of all currencies in the reporting currency, with the rates; optionally as known at a given time.',
    input: z.strictObject({ ...period, knownAt: z.optional(instant) }),
    output: z.strictObject({
      currency,
      knownAt: instant,
      revenue: z.array(z.strictObject({ month, ...consolidatedFigure })),
      /** Null if a figure has no rate. */
      revenueTotal: z.nullable(moneyShape),
      receivables: z.array(Consolidated),
      receivablesTotal: z.nullable(moneyShape),
    }),
  }),
  ...exchangeRoutes,
  ...forecastRoutes,
  receipts: route({
    method: 'GET',
    path: '/admin/metrics/receipts',
    access: admin,
    summary: 'Get receipts',
    description:
      'Cash in and out in a period by method, by day on request, and the movement of the ledger’s cash.',
    input: z.strictObject({ currency, ...period, daily: z.optional(queryFlag) }),
    output: z.strictObject({ items: z.array(Receipt), proof: Proof }),
  }),
  taxes: route({
    method: 'GET',
    path: '/admin/metrics/taxes',
    access: admin,
    summary: 'Get taxes',
    description:
      'Tax on bills and credit notes of a period by rate, and the movement of the ledger’s tax account.',
    input: z.strictObject({ currency, ...period }),
    output: z.strictObject({ items: z.array(TaxOfRate), proof: Proof }),
  }),
  export: route({
    method: 'GET',
    path: '/admin/metrics/export',
    access: admin,
    atOnce: 2,
    summary: 'Export a report',
    description: 'Any of these reports as CSV or Excel.',
    input: z.strictObject({
      report: z.enum(metricReports),
      currency,
      /** For the months: all currencies, in the reporting currency. */
      consolidated: z.optional(queryFlag),
      month: z.optional(month),
      day: z.optional(day),
      from: z.optional(day),
      to: z.optional(day),
      span: z.optional(z.enum(marginSpans)),
      by: z.optional(z.enum(marginLists)),
      format: z.enum(['csv', 'xlsx']),
      language: z.optional(language),
    }),
    output: file,
  }),
});

export const metricsErrors = {
  'metrics.range_reversed': 422,
  'metrics.month_missing': 422,
  'metrics.range_missing': 422,
} as const satisfies ErrorTable;
