// A bill and its lines as they come in answers.
import * as z from 'zod/mini';
import type { Id } from '#kernel/ids.ts';
import type { Money } from '#kernel/money.ts';
import { currency, day, exactDecimal, id, instant, moneyShape, month } from '#kernel/shape.ts';
import { FeeShare } from '#features/selling/rating/contract.ts';
import { chargeKinds, ChargeName } from '#features/selling/subscriptions/contract.ts';
import { LineTax } from '#features/invoicing/taxes/contract.ts';

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

export const totals = {
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
  /** Whether its payer pays for single subscriptions alone: what was agreed with who used them is not on it. */
  bySubscription: z.optional(z.literal(true)),
  /** The consolidated bill that lists it, where there is one. */
  consolidatedId: z.optional(id('cbl')),
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
