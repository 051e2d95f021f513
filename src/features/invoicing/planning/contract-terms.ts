// The contract simulation: what closed months would have come to on terms that are only proposed.
import * as z from 'zod/mini';
import { acceptedMoney, currency, id, moneyShape, month } from '#kernel/shape.ts';
import { grantKinds } from '#features/invoicing/credit-grants/contract.ts';
import { commitmentPeriods } from '#features/invoicing/commitments/contract.ts';
import { chargeKey } from '#features/selling/rating/contract.ts';
import { discountOrders } from '#features/invoicing/discounts/contract.ts';

/** How many closed months a simulation takes. */
export const simulatedMonths = { least: 3, most: 12 } as const;
/** The most discounts, and the most credits, of a proposal. */
export const maxTerms = 20;
/** The most commitments of a proposal. */
export const maxCommitments = 5;
/** The most services that one discount, credit or commitment may name. */
export const maxTermServices = 50;
/** The most charges that one credit or commitment may name. */
export const maxTermCharges = 100;
/** In percent: usage is at least a tenth of what it was, and at most eleven times that. */
export const growthRange = { least: '-90', most: '1000' } as const;

/** In percent, "5" is 5 %. The rules say which range is allowed, so that the answer can say it, too. */
const percentage = z.string().check(z.regex(/^-?\d{1,9}(\.\d{1,4})?$/));
const services = z.optional(z.array(id('svc')).check(z.meta({ maxItems: maxTermServices })));
/** Of a service that is named here, these charges alone; without `services` they are all that it covers. */
const charges = z.optional(
  z.array(z.strictObject({ serviceId: id('svc'), chargeKey })).check(z.meta({ maxItems: maxTermCharges })),
);

/** Either `percent` with a `maximum` a month where there is one, or `fixed`, an amount a month. */
export const ProposedDiscount = z.strictObject({
  percent: z.optional(percentage),
  fixed: z.optional(acceptedMoney),
  maximum: z.optional(acceptedMoney),
  /** Left out: everything. */
  services,
});
export type ProposedDiscount = z.output<typeof ProposedDiscount>;

/** Given once, before the first month, or anew every month; what a month leaves is kept with `rollover` only. */
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
  /** One for each period of the months that are asked for, or one for all of them; before tax. */
  amounts: z.array(acceptedMoney).check(z.meta({ minItems: 1, maxItems: simulatedMonths.most })),
  /** Of the price, until a period’s amount is used up; 100 when left out. */
  committedPercent: z.optional(percentage),
  /** Of the price, beyond it; 100 when left out. */
  overagePercent: z.optional(percentage),
  usageOnly: z.optional(z.boolean()),
  services,
  charges,
});
export type ProposedCommitment = z.output<typeof ProposedCommitment>;

export const ProposedTerms = z.strictObject({
  discounts: z.array(ProposedDiscount).check(z.meta({ maxItems: maxTerms })),
  /** Left out: as the setting for bills says. */
  discountOrder: z.optional(z.enum(discountOrders)),
  /** Used up in this order, promotional ones before tax and prepaid ones after it. */
  credits: z.array(ProposedCredit).check(z.meta({ maxItems: maxTerms })),
  /** After discounts. A line draws of the first one that covers it, those for named services before those for all. */
  commitments: z.optional(z.array(ProposedCommitment).check(z.meta({ maxItems: maxCommitments }))),
  /** A month, before tax. */
  minimumSpend: z.optional(acceptedMoney),
  /** What usage is multiplied by before it is priced: "20" is 20 % more. Fees stay. */
  growthPercent: z.optional(percentage),
});
export type ProposedTerms = z.output<typeof ProposedTerms>;

export const ContractToSimulate = z.strictObject({
  organizationId: id('org'),
  /** How many of the last closed months. */
  months: z.int().check(z.minimum(simulatedMonths.least), z.maximum(simulatedMonths.most)),
  currency,
  terms: ProposedTerms,
});
export type ContractToSimulate = z.output<typeof ContractToSimulate>;

const Totals = z.strictObject({ net: moneyShape, tax: moneyShape, total: moneyShape });
const compared = {
  /** What the month's bill says; null without a bill that stands. */
  billed: z.nullable(Totals),
  /** Of `billed`, before tax: one-off charges and adjustments of other months, which a simulation does not have. */
  onlyBilled: moneyShape,
  /** The same months and growth on no terms at all. */
  withoutTerms: Totals,
  /** `net` = `withoutTerms.net` − `discount` + `commitment` + `minimum` − `promotional`; `prepaid` is paid out of `total`. */
  simulated: z.strictObject({
    net: moneyShape,
    discount: moneyShape,
    promotional: moneyShape,
    /** What the rates of commitments change, and what is missing of their amounts at the end of periods. */
    commitment: moneyShape,
    minimum: moneyShape,
    tax: moneyShape,
    total: moneyShape,
    prepaid: moneyShape,
  }),
  /** `simulated.total` less `billed.total`; below zero: the customer would have paid less. */
  difference: moneyShape,
};

export const SimulatedContract = z.strictObject({
  /** The oldest first; fewer than asked for when fewer are closed, and none before the first subscription. */
  months: z.array(z.strictObject({ month, ...compared })),
  sums: z.strictObject(compared),
  /** Of each proposed credit, by its place: `given` = `used` + `left` + `expired`. */
  credits: z.array(
    z.strictObject({
      index: z.int(),
      given: moneyShape,
      used: moneyShape,
      left: moneyShape,
      expired: moneyShape,
    }),
  ),
  /** Of each proposed commitment, by its place. */
  commitments: z.array(
    z.strictObject({
      index: z.int(),
      /** Those that begin within the simulated months, the first one first. */
      periods: z.array(
        z.strictObject({
          firstMonth: month,
          /** May be after the simulated months. */
          lastMonth: month,
          amount: moneyShape,
          /** What the simulated months drew of the amount. */
          used: moneyShape,
          /** Charged with the last month because too little was drawn. */
          trueUp: moneyShape,
          /** Whether the period ends within the simulated months. */
          isSettled: z.boolean(),
          /** Of a period that is not settled: what is missing so far and would be charged if no more was drawn. */
          missing: moneyShape,
        }),
      ),
    }),
  ),
});
export type SimulatedContract = z.output<typeof SimulatedContract>;
export type SimulatedMonth = SimulatedContract['months'][number];
