// Billing: the running month, issued bills, their lines and the origin of each figure.
import * as z from 'zod/mini';
import { contract, file, nothing, route } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import type { Money } from '#kernel/money.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import {
  day,
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
import { FeeShare, PriceStep } from '#features/selling/rating/contract.ts';
import { taxStatuses } from '#features/access/identity/contract.ts';
import { chargeKinds, ChargeName } from '#features/selling/subscriptions/contract.ts';
import { LineTax } from '#features/invoicing/taxes/contract.ts';
import { focusVersions } from '#features/metering/insights/contract.ts';
import { interimErrors, interimRoutes } from './contract-interim.ts';
import { BillToSimulate, SimulatedBill } from './contract-simulation.ts';

export const billStates = ['open', 'paid', 'void'] as const;
/** The payment status for users: derived from the state, the paid amount and the due date. */
export const paymentStatuses = ['unpaid', 'partially_paid', 'processing', 'paid', 'overdue', 'void'] as const;
/** Lines of what was agreed with an organization, in the order in which they come on a bill. */
export const termKinds = [
  'one_off',
  'discount',
  'committed_rate',
  'overage_rate',
  'true_up',
  'minimum_spend',
  'promotional_credit',
  'interim',
  'interim_deduction',
] as const;
export const lineKinds = [...chargeKinds, 'adjustment', ...termKinds] as const;
/** A bill of a month, of a one-off charge alone, or of usage before the end of its month. */
export const billKinds = ['month', 'one_off', 'interim'] as const;
/** What the price of a line depends on where no unit price says it. */
export const pricedBys = [
  'tiers',
  'packages',
  'rates',
  'percentage',
  'events',
  'allowance',
  'quantity',
] as const;
export const changeDirections = ['increase', 'decrease', 'flat'] as const;

/** How much a discount takes: a part of each line that it covers, or an amount spread over them. */
export const Reduction = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('percent'), percent: exactDecimal, maximum: z.nullable(moneyShape) }),
  z.strictObject({ kind: z.literal('fixed'), amount: moneyShape }),
]);
export type Reduction = z.output<typeof Reduction>;

/** What a line was agreed by: a redeemed discount, a one-off charge, a commitment, a credit grant or a minimum spend; for an interim bill its threshold, and where it is taken off the bill itself. */
export const LineTerm = z.strictObject({
  id: z.string(),
  name: z.strictObject({ zhTW: z.string(), enUS: z.string() }),
  /** Of a discount. */
  reduction: z.optional(Reduction),
  /** Of the rates of a commitment: what is charged of the price, in percent. */
  percent: z.optional(exactDecimal),
  /** Of what is missing of a commitment: its period, first and last month. */
  period: z.optional(z.strictObject({ from: month, to: month })),
  /** What a discount, a rate or promotional credit took from which lines of the bill; the parts add up to its amount. */
  shares: z.optional(z.array(z.strictObject({ lineId: z.string(), amount: moneyShape }))),
});
export type LineTerm = z.output<typeof LineTerm>;

export const BillLine = z.strictObject({
  /** Its place on the bill, and its id there. */
  id: z.string(),
  kind: z.enum(lineKinds),
  /** Null for what was agreed with the organization and is for no subscription. */
  subscriptionId: z.nullable(id('sub')),
  /** Empty where there is no subscription: the term has a name. */
  serviceName: z.string(),
  /** What was agreed, for the lines of {@link termKinds}. */
  term: z.optional(LineTerm),
  /** The charge of a rate card that it is for. */
  charge: z.optional(ChargeName),
  quantity: exactDecimal,
  unit: z.string(),
  /** Null where one price does not say it: tiers, packages, rates, percentages. */
  unitPrice: z.nullable(exactDecimal),
  /** What the price depends on where there is no unit price. */
  pricedBy: z.optional(z.enum(pricedBys)),
  /** The exact price before rounding. */
  exact: z.string(),
  /** The line's amount: the exact price rounded once, half away from zero. */
  total: moneyShape,
  /**
   * For a base fee or its refund: the charged part (in days or seconds) of the plan's period, and the number
   * of units. Older bills have the quantity only.
   */
  share: z.optional(FeeShare),
  /** Of an adjustment: the month that late usage changed. */
  forMonth: z.optional(month),
});
export type BillLine = z.output<typeof BillLine>;

/** A tax of a bill: its category and rate, what it is on, and the lines that make that up after discounts and the like. */
export const BillTax = z.extend(LineTax, { net: moneyShape, tax: moneyShape, lines: z.array(z.string()) });
export type BillTax = z.output<typeof BillTax>;

const totals = {
  currency,
  net: moneyShape,
  /** Of the lines that are taxed as usual. */
  taxRate: exactDecimal,
  tax: moneyShape,
  total: moneyShape,
  /** Each tax by category and rate; left out where one rate was for everything. */
  taxes: z.optional(z.array(BillTax)),
};
/**
 * Why a bill differs from the one before: subscriptions that began or ended, more or less usage, other
 * prices, other charged days, late usage, discounts and what else was agreed, tax.
 */
export const changeCauses = [
  'started',
  'ended',
  'volume',
  'price',
  'proration',
  'late',
  'terms',
  'tax',
] as const;
export const BillChange = z.strictObject({
  previousTotal: moneyShape,
  difference: moneyShape,
  percent: z.nullable(z.number()),
  direction: z.enum(changeDirections),
  /** The services that moved the bill most, by absolute change. */
  movers: z.array(z.strictObject({ serviceName: z.string(), difference: moneyShape })),
  /** The whole difference by cause, the biggest first and tax last; services beyond the first ten of a cause are summed up. */
  causes: z.array(
    z.strictObject({
      cause: z.enum(changeCauses),
      difference: moneyShape,
      services: z.array(z.strictObject({ serviceName: z.string(), difference: moneyShape })),
      others: moneyShape,
    }),
  ),
});
export type BillChange = z.output<typeof BillChange>;

/** An issued bill without its lines. */
export const Bill = z.strictObject({
  id: id('bil'),
  kind: z.enum(billKinds),
  number: z.string(),
  /** Whom the bill is for, who owes and pays it. */
  organizationId: id('org'),
  organization: z.string(),
  /** Who used what it charges, where that is another organization; the name as it was when the bill was issued. */
  usedBy: z.optional(z.strictObject({ organizationId: id('org'), organization: z.string() })),
  month,
  state: z.enum(billStates),
  paymentStatus: z.enum(paymentStatuses),
  issuedAt: instant,
  dueAt: instant,
  paidAt: z.nullable(instant),
  paid: moneyShape,
  /** The amount by which credit notes reduced what is due. */
  credited: moneyShape,
  /** The paid amount that credit notes returned to the balance. */
  returned: moneyShape,
  /** Total minus paid and credited amounts; zero once the bill is paid or void. */
  due: moneyShape,
  /** Only of a bill that is due in parts: what is to be paid next (missed parts together), and by when. */
  instalment: z.optional(
    z.strictObject({ amount: moneyShape, on: day, number: z.int(), of: z.int(), isMissed: z.boolean() }),
  ),
  ...totals,
});
export type Bill = z.output<typeof Bill>;
/** The organization that used what a bill charges. */
export const userOf = ({ organizationId, usedBy }: Pick<Bill, 'organizationId' | 'usedBy'>): Id<'org'> =>
  usedBy?.organizationId ?? organizationId;
/** What is to be paid of a bill next: all that is due, or its next instalment. */
export const dueNext = ({ due, instalment }: Pick<Bill, 'due' | 'instalment'>): Money =>
  instalment?.amount ?? due;

const lighterTaxes = taxStatuses.filter((status) => status !== 'standard');
/**
 * The buyer at the time of issue. Purchase order and custom text only where the organization has them; the
 * tax treatment only where it is not the standard rate.
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
 * A bill that another organization pays, as those see it who used what it charges: what it cost them. Nothing of what became of it, nor of
 * the payer but its name.
 */
export const CoveredBill = z.strictObject({
  id: id('bil'),
  kind: z.enum(billKinds),
  number: z.string(),
  month,
  issuedAt: instant,
  isVoid: z.boolean(),
  /** Who pays it. */
  payer: z.string(),
  ...totals,
});
export type CoveredBill = z.output<typeof CoveredBill>;
export const CoveredBillDetail = z.extend(CoveredBill, {
  lines: z.array(BillLine),
  change: z.nullable(BillChange),
});
export type CoveredBillDetail = z.output<typeof CoveredBillDetail>;

/** The running month, computed live: no number, and nothing is due yet. */
export const CurrentBill = z.strictObject({
  month,
  asOf: instant,
  periodEnd: instant,
  bills: z.array(
    z.strictObject({
      ...totals,
      /** What prepaid credit would pay of the total. */
      prepaid: moneyShape,
      lines: z.array(BillLine),
      change: z.nullable(BillChange),
    }),
  ),
});
export type CurrentBill = z.output<typeof CurrentBill>;

/**
 * A step of a line's calculation. An adjustment has the month's cost now (`recounted`) and the part that was
 * `billed` before; a minimum spend what was `agreed`, and what was `charged` of it; what is missing of a commitment
 * what was `committed`, and what was `drawn` of it; an interim bill what was `used`, and what credit will have `covered` of it.
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

/** How a line is split by a commitment that is used up with it. */
export const LineSplit = z.strictObject({
  id: id('cmt'),
  name: z.strictObject({ zhTW: z.string(), enUS: z.string() }),
  within: moneyShape,
  beyond: moneyShape,
  /** What is charged of each, in percent. */
  committedPercent: exactDecimal,
  overagePercent: exactDecimal,
});
export type LineSplit = z.output<typeof LineSplit>;

/** The explanation of a line. */
export const LineExplanation = z.strictObject({
  line: BillLine,
  /** Null for what was agreed apart from prices. */
  priceVersionId: z.nullable(id('prv')),
  priceEffectiveFrom: z.nullable(instant),
  steps: z.array(LineStep),
  /** Of a discount or promotional credit: the lines that it took from. */
  shares: z.array(
    z.strictObject({
      line: BillLine,
      amount: moneyShape,
      /** Of the rates of a commitment: what of a split line the rate is for. */
      part: z.optional(moneyShape),
    }),
  ),
  /** The commitment that the line is partly within, partly beyond: amounts after discounts, before the rates of either. */
  split: z.nullable(LineSplit),
  /** Usage by day that adds up to the quantity. */
  days: z.array(z.strictObject({ day: z.string(), quantity: exactDecimal, events: z.int() })),
  events: z.int(),
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
 * Why a bill of a preview needs a look: it is negative, has no predecessor, is missing, or rose or fell by
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
  /** Organizations that could not be billed, as they are now. */
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
/** A line's place on its bill. */
const lineId = z.string().check(z.regex(/^\d{1,6}$/));

/** How bills leave as a file. */
export const billExportFormats = ['csv', 'xlsx', 'focus'] as const;
const exported = {
  format: z.enum(billExportFormats),
  version: z.optional(z.enum(focusVersions)),
  q: z.optional(text(200)),
  state: z.optional(z.enum(billStates)),
  month: z.optional(month),
  language: z.optional(language),
};

/** How many bills one archive holds; beyond, month packs hold them. */
export const mostDocuments = 200;

export const billing = contract({
  ...interimRoutes,
  listBills: route({
    method: 'GET',
    path: '/bills',
    access: readable,
    isBatchable: true,
    summary: 'The own organization’s bills, the newest first.',
    input: z.strictObject({ ...pageQuery, state: z.optional(z.enum(billStates)), month: z.optional(month) }),
    output: pageOf(Bill),
  }),
  currentBill: route({
    method: 'GET',
    path: '/bills/current',
    access: readable,
    isBatchable: true,
    summary: 'The running month as it would be billed now.',
    input: z.strictObject({}),
    output: CurrentBill,
  }),
  getBill: route({
    method: 'GET',
    path: '/bills/:billId',
    access: readable,
    summary: 'One bill with its lines.',
    input: oneBill,
    output: BillDetail,
  }),
  exportBills: route({
    method: 'GET',
    path: '/bills/export',
    access: readable,
    atOnce: 2,
    perMinute: 30,
    summary:
      'The own organization’s bills, a row for each line and each tax: as a table or in the columns of FOCUS 1.2 or 1.3.',
    input: z.strictObject({ ...exported }),
    output: file,
  }),
  billsOfYear: route({
    method: 'GET',
    path: '/bills/documents',
    access: readable,
    atOnce: 1,
    perMinute: 10,
    summary: `The own organization’s valid bills of a year as PDF, in one zip archive; up to ${mostDocuments}.`,
    input: z.strictObject({ year: z.string().check(z.regex(/^2\d{3}$/)), language: z.optional(language) }),
    output: file,
  }),
  billPdf: route({
    method: 'GET',
    path: '/bills/:billId/pdf',
    access: readable,
    atOnce: 2,
    summary: 'The bill as PDF.',
    input: z.strictObject({ billId: id('bil'), language: z.optional(language) }),
    output: file,
  }),
  billCsv: route({
    method: 'GET',
    path: '/bills/:billId/csv',
    access: readable,
    atOnce: 2,
    summary: 'The bill’s lines as CSV.',
    input: z.strictObject({ billId: id('bil'), language: z.optional(language) }),
    output: file,
  }),
  explainLine: route({
    method: 'GET',
    path: '/bills/:billId/lines/:lineId/explain',
    access: readable,
    summary: 'Price version, arithmetic and usage behind a line.',
    input: z.strictObject({ billId: id('bil'), lineId }),
    output: LineExplanation,
  }),
  explainCurrentLine: route({
    method: 'GET',
    path: '/bills/current/explain',
    access: readable,
    summary: 'Price version, arithmetic and usage behind a line of the running month.',
    input: z.strictObject({ currency, lineId }),
    output: LineExplanation,
  }),
  listCoveredBills: route({
    method: 'GET',
    path: '/covered-bills',
    access: readable,
    isBatchable: true,
    summary: 'Bills of what the own organization used that another one pays, the newest first.',
    input: z.strictObject({ ...pageQuery, month: z.optional(month) }),
    output: pageOf(CoveredBill),
  }),
  getCoveredBill: route({
    method: 'GET',
    path: '/covered-bills/:billId',
    access: readable,
    summary: 'What a bill that another organization pays charges for the own one.',
    input: oneBill,
    output: CoveredBillDetail,
  }),
  explainCoveredLine: route({
    method: 'GET',
    path: '/covered-bills/:billId/lines/:lineId/explain',
    access: readable,
    summary: 'Price version, arithmetic and usage behind a line of a bill that another organization pays.',
    input: z.strictObject({ billId: id('bil'), lineId }),
    output: LineExplanation,
  }),

  subscriptionLines: route({
    method: 'GET',
    path: '/subscriptions/:subscriptionId/bill-lines',
    access: readable,
    summary: 'What a subscription was charged on issued bills, the newest month first.',
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
    summary: 'Issues the bills of a month that has ended. Safe to repeat.',
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
    summary: 'Works out what closing a month would issue now, and issues nothing.',
    input: z.strictObject({ month }),
    output: z.strictObject({ runId: id('run') }),
  }),
  getPreview: route({
    method: 'GET',
    path: '/admin/billing/preview',
    access: admin,
    isBatchable: true,
    summary: 'The newest preview of a month, when there is one.',
    input: z.strictObject({ month }),
    output: z.strictObject({ run: z.nullable(CloseRun), preview: z.nullable(ClosePreview) }),
  }),
  simulateBill: route({
    method: 'POST',
    path: '/admin/billing/simulate',
    access: admin,
    atOnce: 2,
    summary:
      'What lines, discounts, taxes and credits come to on a bill that does not exist, by the functions of a real bill.',
    input: BillToSimulate,
    output: SimulatedBill,
  }),
  stopCloseRun: route({
    method: 'POST',
    path: '/admin/billing/runs/:runId/stop',
    access: admin,
    summary:
      'Asks a running close or preview to stop after the organizations it is at. What is issued stays issued.',
    input: z.strictObject({ runId: id('run') }),
    output: nothing,
  }),
  listCloseRuns: route({
    method: 'GET',
    path: '/admin/billing/runs',
    access: admin,
    isBatchable: true,
    summary: 'Month closes, the newest first.',
    input: z.strictObject({}),
    output: z.strictObject({ items: z.array(CloseRun) }),
  }),
  adminListBills: route({
    method: 'GET',
    path: '/admin/bills',
    access: admin,
    isBatchable: true,
    summary: 'All bills.',
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
    summary: 'Bills of a filter, a row for each line and each tax.',
    input: z.strictObject({ ...exported, organizationId: z.optional(id('org')) }),
    output: file,
  }),
  adminExplainLine: route({
    method: 'GET',
    path: '/admin/bills/:billId/lines/:lineId/explain',
    access: admin,
    summary: 'Price version, arithmetic and usage behind a line of any organization’s bill.',
    input: z.strictObject({ billId: id('bil'), lineId }),
    output: LineExplanation,
  }),
  adminGetBill: route({
    method: 'GET',
    path: '/admin/bills/:billId',
    access: admin,
    summary: 'One bill with its lines.',
    input: oneBill,
    output: BillDetail,
  }),
});

export const billingErrors = {
  ...interimErrors,
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
