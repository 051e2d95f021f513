// A bill and its lines as returned by the API.
import * as z from 'zod/mini';
import type { Id } from '#kernel/ids.ts';
import type { Money } from '#kernel/money.ts';
import { currency, day, exactDecimal, id, instant, moneyShape, month } from '#kernel/shape.ts';
import { FeeShare } from '#features/selling/rating/contract.ts';
import { chargeKinds, ChargeName } from '#features/selling/subscriptions/contract.ts';
import { LineTax } from '#features/invoicing/taxes/contract.ts';

export const billStates = ['open', 'paid', 'void'] as const;
/** The payment status shown to users, derived from the state, the paid amount and the due date. */
export const paymentStatuses = ['unpaid', 'partially_paid', 'processing', 'paid', 'overdue', 'void'] as const;
/** Lines of an organization's terms, in their order on a bill. */
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
/** A bill for a month, for a one-off charge alone, or for usage before the end of its month. */
export const billKinds = ['month', 'one_off', 'interim'] as const;
/** What the price of a line depends on if it has no unit price. */
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

/** How a discount is computed: a percentage of each line it covers, or an amount spread over them. */
export const Reduction = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('percent'), percent: exactDecimal, maximum: z.nullable(moneyShape) }),
  z.strictObject({ kind: z.literal('fixed'), amount: moneyShape }),
]);
export type Reduction = z.output<typeof Reduction>;

/**
 * The term that a line is based on: a redeemed discount, a one-off charge, a commitment, a credit grant or a
 * minimum spend. For an interim bill, its threshold; where it is deducted, the interim bill itself.
 */
export const LineTerm = z.strictObject({
  id: z.string(),
  name: z.strictObject({ zhTW: z.string(), enUS: z.string() }),
  /** For a discount. */
  reduction: z.optional(Reduction),
  /** For the rates of a commitment: the percentage of the price that is charged. */
  percent: z.optional(exactDecimal),
  /** For a commitment's true-up: its period, first and last month. */
  period: z.optional(z.strictObject({ from: month, to: month })),
  /**
   * What a discount, a rate or promotional credit took from which lines of the bill; the shares add up to its
   * amount.
   */
  shares: z.optional(z.array(z.strictObject({ lineId: z.string(), amount: moneyShape }))),
});
export type LineTerm = z.output<typeof LineTerm>;

export const BillLine = z.strictObject({
  /** Its position on the bill, which is its id there. */
  id: z.string(),
  kind: z.enum(lineKinds),
  /** Null for an organization's term without a subscription. */
  subscriptionId: z.nullable(id('sub')),
  /** Empty without a subscription: the term has a name. */
  serviceName: z.string(),
  /** The term, for lines of {@link termKinds}. */
  term: z.optional(LineTerm),
  /** The charge of the rate card. */
  charge: z.optional(ChargeName),
  quantity: exactDecimal,
  unit: z.string(),
  /** Null if there is no single unit price: tiers, packages, rates, percentages. */
  unitPrice: z.nullable(exactDecimal),
  /** What the price depends on if there is no unit price. */
  pricedBy: z.optional(z.enum(pricedBys)),
  /** The exact price before rounding. */
  exact: z.string(),
  /** The line's amount: the exact price rounded once, half away from zero. */
  total: moneyShape,
  /**
   * For a base fee or its refund: the charged share (in days or seconds) of the plan's period, and the number
   * of units. Older bills have the quantity only.
   */
  share: z.optional(FeeShare),
  /** For an adjustment: the month that late usage changed. */
  forMonth: z.optional(month),
});
export type BillLine = z.output<typeof BillLine>;

/**
 * A tax of a bill: its category and rate, the amount it applies to, and the lines that make up that amount
 * after discounts and the like.
 */
export const BillTax = z.extend(LineTax, { net: moneyShape, tax: moneyShape, lines: z.array(z.string()) });
export type BillTax = z.output<typeof BillTax>;

export const totals = {
  currency,
  net: moneyShape,
  /** The standard rate. */
  taxRate: exactDecimal,
  tax: moneyShape,
  total: moneyShape,
  /** Each tax by category and rate; missing if one rate applies to everything. */
  taxes: z.optional(z.array(BillTax)),
};
/**
 * Why a bill differs from the previous one: subscriptions that started or ended, more or less usage, other
 * prices, other charged days, late usage, discounts and other terms, tax.
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
  /** The services that changed the bill most, by absolute change. */
  movers: z.array(z.strictObject({ serviceName: z.string(), difference: moneyShape })),
  /**
   * The whole difference by cause, largest first and tax last; services beyond the first ten of a cause are
   * summed up.
   */
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
  /** The organization that the bill is addressed to, which owes and pays it. */
  organizationId: id('org'),
  organization: z.string(),
  /** The organization whose usage it charges, if different; with its name at the time of issue. */
  usedBy: z.optional(z.strictObject({ organizationId: id('org'), organization: z.string() })),
  /**
   * Whether its payer pays for single subscriptions only: the using organization's terms are then not on it.
   */
  bySubscription: z.optional(z.literal(true)),
  /** The consolidated bill that lists it, if any. */
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
  /** Only for a bill due in installments: what to pay next (including missed installments), and by when. */
  instalment: z.optional(
    z.strictObject({ amount: moneyShape, on: day, number: z.int(), of: z.int(), isMissed: z.boolean() }),
  ),
  ...totals,
});
export type Bill = z.output<typeof Bill>;
/** The organization whose usage a bill charges. */
export const userOf = ({ organizationId, usedBy }: Pick<Bill, 'organizationId' | 'usedBy'>): Id<'org'> =>
  usedBy?.organizationId ?? organizationId;
/** The amount of a bill to pay next: everything due, or its next installment. */
export const dueNext = ({ due, instalment }: Pick<Bill, 'due' | 'instalment'>): Money =>
  instalment?.amount ?? due;
