// Billing: the current month, issued bills, their lines and the origin of each figure.
import * as z from 'zod/mini';
import { contract, file, nothing, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import {
  currency,
  exactDecimal,
  id,
  instant,
  language,
  moneyShape,
  month,
  pageOf,
  pageQuery,
  queryInteger,
  text,
} from '#kernel/shape.ts';
import { PriceStep } from '#features/selling/rating/contract.ts';
import { taxStatuses } from '#features/access/identity/contract.ts';
import { focusVersions } from '#features/metering/insights/contract.ts';
import { Bill, BillChange, BillLine, billKinds, billStates, totals } from './contract-bill.ts';
import { consolidatedErrors, consolidatedRoutes } from './contract-consolidated.ts';
import { interimErrors, interimRoutes } from './contract-interim.ts';
import { BillToSimulate, SimulatedBill } from './contract-simulation.ts';

export {
  Bill,
  BillChange,
  BillLine,
  BillTax,
  billStates,
  changeCauses,
  changeDirections,
  dueNext,
  lineKinds,
  LineTerm,
  pricedBys,
  Reduction,
  termKinds,
  userOf,
} from './contract-bill.ts';

/**
 * The longest wait for late usage after a month's end, in hours: 31 days, so that it can last until the next
 * month has ended, too.
 */
export const maxGraceHours = 744;

const lighterTaxes = taxStatuses.filter((status) => status !== 'standard');
/**
 * The buyer at the time of issue. Purchase order and custom text only if the organization has them; the tax
 * treatment only if it is not the standard rate.
 */
export const Buyer = z.strictObject({
  name: z.string(),
  taxId: z.string(),
  address: z.string(),
  email: z.string(),
  purchaseOrder: z.optional(z.string()),
  reference: z.optional(z.string()),
  taxStatus: z.optional(z.enum(lighterTaxes)),
  country: z.optional(z.string()),
  vatId: z.optional(z.string()),
  electronicAddress: z.optional(z.string()),
});
export const BillDetail = z.extend(Bill, {
  buyer: Buyer,
  lines: z.array(BillLine),
  change: z.nullable(BillChange),
});
export type BillDetail = z.output<typeof BillDetail>;

/**
 * A bill paid by another organization, as the organization that used the services sees it: what it cost,
 * without its payment status, and with only the payer's name.
 */
export const CoveredBill = z.strictObject({
  id: id('bil'),
  kind: z.enum(billKinds),
  number: z.string(),
  month,
  issuedAt: instant,
  isVoid: z.boolean(),
  /** The paying organization. */
  payer: z.string(),
  ...totals,
});
export type CoveredBill = z.output<typeof CoveredBill>;
export const CoveredBillDetail = z.extend(CoveredBill, {
  lines: z.array(BillLine),
  change: z.nullable(BillChange),
});
export type CoveredBillDetail = z.output<typeof CoveredBillDetail>;

/** The current month, computed live: without a number, and nothing is due yet. */
export const CurrentBill = z.strictObject({
  month,
  asOf: instant,
  periodEnd: instant,
  bills: z.array(
    z.strictObject({
      ...totals,
      /** The part of the total that prepaid credit would pay. */
      prepaid: moneyShape,
      lines: z.array(BillLine),
      change: z.nullable(BillChange),
    }),
  ),
  /** Bills to other organizations that pay for single subscriptions; the bills above include none of it. */
  paidByOthers: z.array(z.strictObject({ payer: z.string(), services: z.array(z.string()), ...totals })),
});
export type CurrentBill = z.output<typeof CurrentBill>;

/**
 * A step of a line's calculation. An adjustment has the month's current cost (`recounted`) and the part
 * `billed` before. A minimum spend has the `agreed` amount and what was `charged` of it. A commitment's
 * true-up has the amount `committed` and what was `drawn`. An interim bill has what was `used`, and what
 * credit will have `covered`.
 */
export const LineStep = z.extend(PriceStep, {
  kind: z.enum([
    ...PriceStep.shape.kind.options,
    'recounted',
    'billed',
    'agreed',
    'charged',
    'committed',
    'drawn',
    'used',
    'covered',
  ]),
});
export type LineStep = z.output<typeof LineStep>;

/** How a line is split by a commitment that it uses up. */
export const LineSplit = z.strictObject({
  id: id('cmt'),
  name: z.strictObject({ zhTW: z.string(), enUS: z.string() }),
  within: moneyShape,
  beyond: moneyShape,
  /** The percentage charged for each part. */
  committedPercent: exactDecimal,
  overagePercent: exactDecimal,
});
export type LineSplit = z.output<typeof LineSplit>;

/** The explanation of a line. */
export const LineExplanation = z.strictObject({
  line: BillLine,
  /** Null for terms, which have no price version. */
  priceVersionId: z.nullable(id('prv')),
  priceEffectiveFrom: z.nullable(instant),
  steps: z.array(LineStep),
  /** For a discount or promotional credit: the lines that it took from. */
  shares: z.array(
    z.strictObject({
      line: BillLine,
      amount: moneyShape,
      /** For the rates of a commitment: the part of a split line that the rate applies to. */
      part: z.optional(moneyShape),
    }),
  ),
  /**
   * The commitment that the line is partly within and partly beyond: amounts after discounts, before either
   * rate.
   */
  split: z.nullable(LineSplit),
  /** Usage by day. */
  days: z.array(z.strictObject({ day: z.string(), quantity: exactDecimal, events: z.int() })),
  events: z.int(),
  /**
   * Whether the days are those that were billed. If not, usage has changed since, and its month has more than
   * 200,000 events or they are no longer stored: the days are today’s, and do not explain the quantity.
   */
  areDaysBilled: z.boolean(),
  /**
   * By how much days have changed since the bill was issued: late events and corrections, which later bills
   * settle. Empty for the current month.
   */
  later: z.array(z.strictObject({ day: z.string(), quantity: exactDecimal, events: z.int() })),
});
export type LineExplanation = z.output<typeof LineExplanation>;

/** What a subscription was charged on issued bills. */
export const ChargedLine = z.strictObject({
  billId: id('bil'),
  billNumber: z.string(),
  month,
  line: BillLine,
});

/**
 * Why a bill in a preview needs review: it is negative, has no predecessor, is missing, or rose or fell by
 * half or more.
 */
export const standOuts = ['negative', 'missing', 'fall', 'rise', 'first'] as const;
/** What a close would issue. */
export const ClosePreview = z.strictObject({
  totals: z.array(
    z.strictObject({
      currency,
      bills: z.int(),
      net: moneyShape,
      tax: moneyShape,
      total: moneyShape,
      previousBills: z.int(),
      previousTotal: moneyShape,
      difference: moneyShape,
    }),
  ),
  /** For each kind: the number of bills, and those with the largest change. */
  standOuts: z.array(
    z.strictObject({
      kind: z.enum(standOuts),
      currency,
      count: z.int(),
      bills: z.array(
        z.strictObject({
          organizationId: id('org'),
          organization: z.string(),
          total: z.nullable(moneyShape),
          previousTotal: z.nullable(moneyShape),
        }),
      ),
    }),
  ),
  /** Organizations that currently cannot be billed. */
  failing: z.array(
    z.strictObject({ organizationId: id('org'), organization: z.string(), reason: z.string() }),
  ),
});
export type ClosePreview = z.output<typeof ClosePreview>;

export const CloseRun = z.strictObject({
  id: id('run'),
  month,
  kind: z.enum(['close', 'preview']),
  /**
   * `interrupted`: the run was running and has reported no progress for minutes; the next close continues it.
   */
  state: z.enum(['running', 'done', 'stopped', 'interrupted']),
  organizationsTotal: z.int(),
  organizationsDone: z.int(),
  issued: z.int(),
  skipped: z.int(),
  parked: z.array(
    z.strictObject({ organizationId: id('org'), organization: z.string(), reason: z.string() }),
  ),
  startedAt: instant,
  finishedAt: z.nullable(instant),
});
export type CloseRun = z.output<typeof CloseRun>;

const readable = { roles: ['User', 'ReadOnly'], apiKey: 'read' } as const;
const admin = { roles: ['Admin'] } as const;
const oneBill = z.strictObject({ billId: id('bil') });
/** A line's position on its bill. */
const lineId = z.string().check(z.regex(/^\d{1,6}$/));

/** The file formats for exporting bills. */
export const billExportFormats = ['csv', 'xlsx', 'focus'] as const;
const exported = {
  format: z.enum(billExportFormats),
  version: z.optional(z.enum(focusVersions)),
  q: z.optional(text(200)),
  state: z.optional(z.enum(billStates)),
  month: z.optional(month),
  language: z.optional(language),
};

/** The maximum number of bills in one archive; use month packs for more. */
export const mostDocuments = 200;

export const billing = contract({
  ...interimRoutes,
  ...consolidatedRoutes,
  listBills: route({
    method: 'GET',
    path: '/bills',
    access: readable,
    isBatchable: true,
    expand: {
      current: '/bills/current',
      balance: '/billing/balance',
      dunning: '/dunning',
    },
    summary: 'List your bills',
    description: 'Newest first.',
    input: z.strictObject({ ...pageQuery, state: z.optional(z.enum(billStates)), month: z.optional(month) }),
    output: pageOf(Bill),
  }),
  currentBill: route({
    method: 'GET',
    path: '/bills/current',
    access: readable,
    isBatchable: true,
    summary: 'Get the current bill',
    description: 'The current month as it would be billed now.',
    input: z.strictObject({}),
    output: CurrentBill,
  }),
  getBill: route({
    method: 'GET',
    path: '/bills/:billId',
    access: readable,
    expand: {
      history: '/bills/:billId/history',
      einvoices: '/bills/:billId/einvoices',
      collection: '/bills/:billId/collection',
      lateFees: '/bills/:billId/late-fees',
      paymentPlan: '/bills/:billId/payment-plan',
    },
    summary: 'Get a bill',
    description: 'Includes its lines.',
    input: oneBill,
    output: BillDetail,
  }),
  exportBills: route({
    method: 'GET',
    path: '/bills/export',
    access: readable,
    atOnce: 2,
    perMinute: 30,
    summary: 'Export your bills',
    description: 'One row for each line and each tax, as a table or in the columns of FOCUS 1.2 or 1.3.',
    input: z.strictObject({ ...exported }),
    output: file,
  }),
  billsOfYear: route({
    method: 'GET',
    path: '/bills/documents',
    access: readable,
    atOnce: 1,
    perMinute: 10,
    summary: 'Download a year’s bills',
    description: 'Your valid bills of a year as PDFs in one zip archive, up to 200.',
    input: z.strictObject({ year: z.string().check(z.regex(/^2\d{3}$/)), language: z.optional(language) }),
    output: file,
  }),
  billPdf: route({
    method: 'GET',
    path: '/bills/:billId/pdf',
    access: readable,
    atOnce: 2,
    summary: 'Download a bill as PDF',
    input: z.strictObject({ billId: id('bil'), language: z.optional(language) }),
    output: file,
  }),
  billCsv: route({
    method: 'GET',
    path: '/bills/:billId/csv',
    access: readable,
    atOnce: 2,
    summary: 'Download a bill as CSV',
    description: 'One row for each line.',
    input: z.strictObject({ billId: id('bil'), language: z.optional(language) }),
    output: file,
  }),
  explainLine: route({
    method: 'GET',
    path: '/bills/:billId/lines/:lineId/explain',
    access: readable,
    summary: 'Explain a bill line',
    description: 'The price version, calculation, and usage behind it.',
    input: z.strictObject({ billId: id('bil'), lineId }),
    output: LineExplanation,
  }),
  explainCurrentLine: route({
    method: 'GET',
    path: '/bills/current/explain',
    access: readable,
    summary: 'Explain a line of the current bill',
    description: 'The price version, calculation, and usage behind it.',
    input: z.strictObject({ currency, lineId }),
    output: LineExplanation,
  }),
  listCoveredBills: route({
    method: 'GET',
    path: '/covered-bills',
    access: readable,
    isBatchable: true,
    summary: 'List bills that others pay for you',
    description: 'Bills for what your organization used that another organization pays, newest first.',
    input: z.strictObject({ ...pageQuery, month: z.optional(month) }),
    output: pageOf(CoveredBill),
  }),
  getCoveredBill: route({
    method: 'GET',
    path: '/covered-bills/:billId',
    access: readable,
    summary: 'Get a bill that another organization pays',
    description: 'What it charges for your usage.',
    input: oneBill,
    output: CoveredBillDetail,
  }),
  coveredBillPdf: route({
    method: 'GET',
    path: '/covered-bills/:billId/pdf',
    access: readable,
    atOnce: 2,
    summary: 'Download a bill that another organization pays',
    description: 'Its lines, taxes, and totals for your usage as PDF. Of the payer, only the name.',
    input: z.strictObject({ billId: id('bil'), language: z.optional(language) }),
    output: file,
  }),
  explainCoveredLine: route({
    method: 'GET',
    path: '/covered-bills/:billId/lines/:lineId/explain',
    access: readable,
    summary: 'Explain a line that another organization pays',
    description: 'The price version, calculation, and usage behind it.',
    input: z.strictObject({ billId: id('bil'), lineId }),
    output: LineExplanation,
  }),

  subscriptionLines: route({
    method: 'GET',
    path: '/subscriptions/:subscriptionId/bill-lines',
    access: readable,
    summary: 'List a subscription’s bill lines',
    description: 'What it was charged on issued bills, the newest month first.',
    input: z.strictObject({ subscriptionId: id('sub'), limit: z.optional(queryInteger(1, 200)) }),
    output: z.strictObject({ items: z.array(ChargedLine) }),
  }),

  closeMonth: route({
    method: 'POST',
    path: '/admin/billing/close',
    access: admin,
    fresh: true,
    atOnce: 2,
    long: true,
    summary: 'Close a month',
    description: 'Issues the bills of a month that has ended. Safe to repeat.',
    input: z.strictObject({ month }),
    output: z.strictObject({
      runId: id('run'),
      issued: z.int(),
      skipped: z.int(),
      parked: z.int(),
      stopped: z.boolean(),
    }),
  }),
  previewClose: route({
    method: 'POST',
    path: '/admin/billing/preview',
    access: admin,
    atOnce: 1,
    long: true,
    summary: 'Preview a month’s close',
    description: 'Calculates what closing it would issue now. Issues nothing.',
    input: z.strictObject({ month }),
    output: z.strictObject({ runId: id('run') }),
  }),
  getPreview: route({
    method: 'GET',
    path: '/admin/billing/preview',
    access: admin,
    isBatchable: true,
    summary: 'Get a close preview',
    description: 'The latest preview of a month, if there is one.',
    input: z.strictObject({ month }),
    output: z.strictObject({ run: z.nullable(CloseRun), preview: z.nullable(ClosePreview) }),
  }),
  simulateBill: route({
    method: 'POST',
    path: '/admin/billing/simulate',
    access: admin,
    atOnce: 2,
    summary: 'Simulate a bill',
    description: 'What lines, discounts, taxes, and credit come to, calculated exactly as for a real bill.',
    input: BillToSimulate,
    output: SimulatedBill,
  }),
  stopCloseRun: route({
    method: 'POST',
    path: '/admin/billing/runs/:runId/stop',
    access: admin,
    summary: 'Stop a month’s close or preview',
    description: 'Stops after the organizations in progress. Issued bills stay issued.',
    input: z.strictObject({ runId: id('run') }),
    output: nothing,
  }),
  listCloseRuns: route({
    method: 'GET',
    path: '/admin/billing/runs',
    access: admin,
    isBatchable: true,
    summary: 'List month closes',
    description: 'Newest first.',
    input: z.strictObject({}),
    output: z.strictObject({ items: z.array(CloseRun) }),
  }),
  adminListBills: route({
    method: 'GET',
    path: '/admin/bills',
    access: admin,
    isBatchable: true,
    summary: 'List all bills',
    input: z.strictObject({
      ...pageQuery,
      organizationId: z.optional(id('org')),
      state: z.optional(z.enum(billStates)),
      month: z.optional(month),
    }),
    output: pageOf(Bill),
  }),
  adminExportBills: route({
    method: 'GET',
    path: '/admin/bills/export',
    access: admin,
    atOnce: 2,
    summary: 'Export all bills',
    description: 'Those that match a filter, one row for each line and each tax.',
    input: z.strictObject({ ...exported, organizationId: z.optional(id('org')) }),
    output: file,
  }),
  adminExplainLine: route({
    method: 'GET',
    path: '/admin/bills/:billId/lines/:lineId/explain',
    access: admin,
    summary: 'Explain any bill line',
    description: 'The price version, calculation, and usage behind it.',
    input: z.strictObject({ billId: id('bil'), lineId }),
    output: LineExplanation,
  }),
  adminGetBill: route({
    method: 'GET',
    path: '/admin/bills/:billId',
    access: admin,
    expand: {
      history: '/admin/bills/:billId/history',
      einvoices: '/admin/bills/:billId/einvoices',
      collection: '/admin/bills/:billId/collection',
      lateFees: '/admin/bills/:billId/late-fees',
      paymentPlan: '/admin/bills/:billId/payment-plan',
      dunning: '/admin/dunning/bills/:billId',
      organization: '/admin/organizations/:organizationId',
    },
    summary: 'Get any bill',
    description: 'Includes its lines.',
    input: oneBill,
    output: BillDetail,
  }),
});

export const billingErrors = {
  ...interimErrors,
  ...consolidatedErrors,
  'billing.bill_not_found': 404,
  'billing.no_bills_of_year': 404,
  'billing.too_many_documents': 422,
  'billing.line_not_found': 404,
  'billing.subscription_not_found': 404,
  'billing.month_not_over': 409,
  'billing.month_not_begun': 409,
  'billing.run_not_running': 409,
  'billing.amount_too_large': 409,
  'billing.already_paid': 409,
  'billing.bill_void': 409,
  'billing.interim_deducted': 409,
  'billing.time_zone_fixed': 409,
  'billing.too_many_entries': 400,
  'billing.tax_rate_negative': 400,
  'billing.percent_out_of_range': 400,
  'billing.discount_unclear': 400,
  'billing.discount_currency_differs': 400,
  'billing.simulated_amount_negative': 400,
  'billing.simulated_amount_too_large': 400,
  'billing.simulated_total_too_large': 400,
  'billing.too_many_digits': 400,
} as const satisfies ErrorTable;

export const billingPaths = { bills: '/billing/management', admin: '/admin/billing' } as const;
