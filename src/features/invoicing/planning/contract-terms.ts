// The contract simulation: what closed months would have cost on proposed terms.
import * as z from 'zod/mini';
import { acceptedMoney, currency, id, moneyShape, month } from '#kernel/shape.ts';
import { grantKinds } from '#features/invoicing/credit-grants/contract.ts';
import { commitmentPeriods } from '#features/invoicing/commitments/contract.ts';
import { chargeKey } from '#features/selling/rating/contract.ts';
import { discountOrders } from '#features/invoicing/discounts/contract.ts';

/** The number of closed months in a simulation. */
export const simulatedMonths = { least: 3, most: 12 } as const;
/** The maximum number of discounts, and of credits, in a proposal. */
export const maxTerms = 20;
/** The maximum number of commitments in a proposal. */
export const maxCommitments = 5;
/** The maximum number of services that one discount, credit or commitment may name. */
export const maxTermServices = 50;
/** The maximum number of charges that one credit or commitment may name. */
export const maxTermCharges = 100;
/** In percent: usage is at least a tenth and at most eleven times its actual value. */
export const growthRange = { least: '-90', most: '1000' } as const;

/** In percent: "5" is 5 %. The rules check the range, so that the error can state it. */
const percentage = z.string().check(z.regex(/^-?\d{1,9}(\.\d{1,4})?$/));
const services = z.optional(z.array(id('svc')).check(z.meta({ maxItems: maxTermServices })));
/** For a service listed here, only these charges; without `services`, they are everything that is covered. */
const charges = z.optional(
  z.array(z.strictObject({ serviceId: id('svc'), chargeKey })).check(z.meta({ maxItems: maxTermCharges })),
);

/** Either `percent`, optionally with a `maximum` per month, or `fixed`, an amount per month. */
export const ProposedDiscount = z.strictObject({
  percent: z.optional(percentage),
  fixed: z.optional(acceptedMoney),
  maximum: z.optional(acceptedMoney),
  /** Defaults to everything. */
  services,
});
export type ProposedDiscount = z.output<typeof ProposedDiscount>;

/**
 * Granted once, before the first month, or renewed every month; a month's remainder is kept only with
 * `rollover`.
 */
export const ProposedCredit = z.strictObject({
  kind: z.enum(grantKinds),
  amount: acceptedMoney,
  monthly: z.boolean(),
  rollover: z.optional(z.boolean()),
  usageOnly: z.optional(z.boolean()),
  services,
  charges,
});
export type ProposedCredit = z.output<typeof ProposedCredit>;

/** From the first simulated month on, for as many whole periods as cover the simulated months. */
export const ProposedCommitment = z.strictObject({
  /** `contract`: all simulated months. */
  period: z.enum(commitmentPeriods),
  /** One for each period of the requested months, or one for all of them; before tax. */
  amounts: z.array(acceptedMoney).check(z.meta({ minItems: 1, maxItems: simulatedMonths.most })),
  /** The percentage of the price until a period’s amount is used up; defaults to 100. */
  committedPercent: z.optional(percentage),
  /** The percentage of the price beyond it; defaults to 100. */
  overagePercent: z.optional(percentage),
  usageOnly: z.optional(z.boolean()),
  services,
  charges,
});
export type ProposedCommitment = z.output<typeof ProposedCommitment>;

export const ProposedTerms = z.strictObject({
  discounts: z.array(ProposedDiscount).check(z.meta({ maxItems: maxTerms })),
  /** Defaults to the setting for bills. */
  discountOrder: z.optional(z.enum(discountOrders)),
  /** Used in this order, promotional credit before tax and prepaid credit after it. */
  credits: z.array(ProposedCredit).check(z.meta({ maxItems: maxTerms })),
  /**
   * Applied after discounts. A line draws from the first one that covers it, those for specific services
   * before those for all.
   */
  commitments: z.optional(z.array(ProposedCommitment).check(z.meta({ maxItems: maxCommitments }))),
  /** Per month, before tax. */
  minimumSpend: z.optional(acceptedMoney),
  /** The change in usage before it is priced: "20" is 20 % more. Fees are unchanged. */
  growthPercent: z.optional(percentage),
});
export type ProposedTerms = z.output<typeof ProposedTerms>;

export const ContractToSimulate = z.strictObject({
  organizationId: id('org'),
  /** How many of the last closed months to simulate. */
  months: z.int().check(z.minimum(simulatedMonths.least), z.maximum(simulatedMonths.most)),
  currency,
  terms: ProposedTerms,
});
export type ContractToSimulate = z.output<typeof ContractToSimulate>;

const Totals = z.strictObject({ net: moneyShape, tax: moneyShape, total: moneyShape });
const compared = {
  /** The totals of the month's bill; null without a bill in force. */
  billed: z.nullable(Totals),
  /**
   * The part of `billed`, before tax, that a simulation does not include: one-off charges and adjustments of
   * other months.
   */
  onlyBilled: moneyShape,
  /** The same months and growth without any terms. */
  withoutTerms: Totals,
  /** `net` = `withoutTerms.net` − `discount` + `commitment` + `minimum` − `promotional`; `prepaid` is paid out of `total`. */
  simulated: z.strictObject({
    net: moneyShape,
    discount: moneyShape,
    promotional: moneyShape,
    /** The changes by commitment rates, and the true-ups at the end of periods. */
    commitment: moneyShape,
    minimum: moneyShape,
    tax: moneyShape,
    total: moneyShape,
    prepaid: moneyShape,
  }),
  /** `simulated.total` minus `billed.total`; negative: the customer would have paid less. */
  difference: moneyShape,
};

export const SimulatedContract = z.strictObject({
  /** Oldest first; fewer than requested if fewer are closed, and none before the first subscription. */
  months: z.array(z.strictObject({ month, ...compared })),
  sums: z.strictObject(compared),
  /** Each proposed credit by index: `given` = `used` + `left` + `expired`. */
  credits: z.array(
    z.strictObject({
      index: z.int(),
      given: moneyShape,
      used: moneyShape,
      left: moneyShape,
      expired: moneyShape,
    }),
  ),
  /** Each proposed commitment by index. */
  commitments: z.array(
    z.strictObject({
      index: z.int(),
      /** Those that start within the simulated months, in order. */
      periods: z.array(
        z.strictObject({
          firstMonth: month,
          /** May be after the simulated months. */
          lastMonth: month,
          amount: moneyShape,
          /** What the simulated months drew from the amount. */
          used: moneyShape,
          /** The true-up charged with the last month. */
          trueUp: moneyShape,
          /** Whether the period ends within the simulated months. */
          isSettled: z.boolean(),
          /** For an unsettled period: the shortfall so far, which would be charged without further draws. */
          missing: moneyShape,
        }),
      ),
    }),
  ),
});
export type SimulatedContract = z.output<typeof SimulatedContract>;
export type SimulatedMonth = SimulatedContract['months'][number];
