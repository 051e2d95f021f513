// A simulated bill: the result of lines, discounts, taxes and credits (rating.md, "API").
import * as z from 'zod/mini';
import { currency, moneyShape } from '#kernel/shape.ts';
import { discountOrders } from '#features/invoicing/discounts/contract.ts';

export const lineNatures = ['fee', 'usage'] as const;
/** Where tax is rounded: once per rate on the bill, or for each line and rate. */
export const taxRoundings = ['invoice_total', 'per_line_per_rate'] as const;
/** What credits may settle: the whole total, or the lines of usage with their tax. */
export const creditTargets = ['all', 'usage'] as const;

/** The maximum number of entries in each list of a simulated bill. */
export const simulationLimits = { lines: 1000, discounts: 50, credits: 100, taxRates: 10 } as const;

/** An exact amount in major units; as many digits as an exact price can have. */
const exactAmount = z.string().check(z.regex(/^-?\d{1,24}(\.\d{1,40})?$/));
/** In percent: "5" is 5 %. The rules check the range, so that the error can state it. */
const percentage = z.string().check(z.regex(/^-?\d{1,24}(\.\d{1,12})?$/));
const listOf = <T extends z.core.SomeType>(item: T, maxItems: number) =>
  z.array(item).check(z.meta({ maxItems }));

/** Either `percent`, from 0 to 100, or `fixed` in the bill's currency, which `currency` may repeat. */
export const SimulatedDiscount = z.strictObject({
  percent: z.optional(percentage),
  fixed: z.optional(exactAmount),
  currency: z.optional(currency),
});
export type SimulatedDiscount = z.output<typeof SimulatedDiscount>;
const discounts = z.optional(listOf(SimulatedDiscount, simulationLimits.discounts));

export const BillToSimulate = z.strictObject({
  currency,
  taxRate: percentage,
  taxRounding: z.optional(z.enum(taxRoundings)),
  lines: listOf(
    z.strictObject({
      /** Rounded once to the currency's digits, half away from zero; negative for a refund. */
      amount: exactAmount,
      kind: z.enum(lineNatures),
      /** Overrides the bill's rate: each is a separate tax on the same amount. Empty: no tax. */
      taxRates: z.optional(listOf(percentage, simulationLimits.taxRates)),
      discounts,
    }),
    simulationLimits.lines,
  ),
  discounts,
  discountOrder: z.optional(z.enum(discountOrders)),
  credits: z.optional(listOf(exactAmount, simulationLimits.credits)),
  creditsApplyTo: z.optional(z.enum(creditTargets)),
});
export type BillToSimulate = z.output<typeof BillToSimulate>;

/** `total` = `subtotal` − `discountTotal` + `taxTotal` − `creditsApplied`. */
export const SimulatedBill = z.strictObject({
  subtotal: moneyShape,
  discountTotal: moneyShape,
  taxTotal: moneyShape,
  creditsApplied: moneyShape,
  creditsLeft: moneyShape,
  total: moneyShape,
  /** In the order given; `taxable` = `amount` − `discount`, `total` = `taxable` + `tax`, before credits. */
  lines: z.array(
    z.strictObject({
      amount: moneyShape,
      discount: moneyShape,
      taxable: moneyShape,
      tax: moneyShape,
      total: moneyShape,
    }),
  ),
});
export type SimulatedBill = z.output<typeof SimulatedBill>;
