// What a quote offers, as the seller writes it and as it is stored, and what it is expected to come to.
import * as z from 'zod/mini';
import {
  acceptedMoney,
  day,
  exactDecimal,
  id,
  moneyShape,
  month,
  optionalText,
  text,
} from '#kernel/shape.ts';
import { BillLine, LineStep } from '#features/invoicing/billing/contract.ts';
import { commitmentPeriods } from '#features/invoicing/commitments/contract.ts';
import { Charge, chargeKey } from '#features/selling/rating/contract.ts';
import { EstimateInput } from '#features/selling/catalogue/contract.ts';
import { chargeQuantities, planQuantity } from '#features/selling/subscriptions/contract.ts';

/** The most services of a quote, and the most of each kind of terms. */
export const maxEntries = 20;
/** The most charges of one commitment. */
const maxCommitmentCharges = 100;
/** The longest contract, and the longest time of a term, in months. */
export const maxQuoteMonths = 120;

const names = z.strictObject({ zhTW: text(80), enUS: text(80) });
const months = z.int().check(z.minimum(1), z.maximum(maxQuoteMonths));
const upTo = <T extends z.core.SomeType>(entry: T) => z.array(entry).check(z.maxLength(maxEntries));
/** A percentage, "12.5", or a figure; the rules say what is wrong with one at its field. */
const typed = z.string().check(z.trim(), z.minLength(1), z.maxLength(60));

/** A service to subscribe to. `usage` is what a whole month is expected to use, by charge; it makes the estimate and binds nobody. */
export const QuoteItem = z.strictObject({
  serviceId: id('svc'),
  quantity: z.optional(planQuantity),
  /** How many of single charges. */
  quantities: z.optional(chargeQuantities),
  usage: EstimateInput.shape.usage,
});
export type QuoteItem = z.output<typeof QuoteItem>;

/** Charged once, on the first bill; `serviceId` is one of the items’ where it belongs to one. */
export const QuoteOneOff = z.strictObject({
  name: names,
  quantity: z.optional(typed),
  unitPrice: typed,
  serviceId: z.optional(z.nullable(id('svc'))),
});
export type QuoteOneOff = z.output<typeof QuoteOneOff>;

/** Either `percent` with a `maximum` a month where there is one, or `fixed`, an amount a month. `months` null: one bill. */
export const QuoteDiscount = z.strictObject({
  name: names,
  percent: z.optional(typed),
  fixed: z.optional(acceptedMoney),
  maximum: z.optional(z.nullable(acceptedMoney)),
  /** One of the items’; null or left out: everything on the bill. */
  serviceId: z.optional(z.nullable(id('svc'))),
  months: z.nullable(months),
});
export type QuoteDiscount = z.output<typeof QuoteDiscount>;

/** Promotional credit. `months` null: without an end. */
export const QuoteGrant = z.strictObject({
  name: names,
  amount: acceptedMoney,
  months: z.nullable(months),
  usageOnly: z.optional(z.boolean()),
  /** Given anew every month; what a month leaves is kept with `rollover`. Null or left out: given once. */
  monthly: z.optional(z.nullable(z.strictObject({ rollover: z.boolean() }))),
});
export type QuoteGrant = z.output<typeof QuoteGrant>;

/** What is committed to spend, from the month of acceptance on. */
export const QuoteCommitment = z.strictObject({
  name: names,
  /** A multiple of the period’s months. */
  months,
  period: z.enum(commitmentPeriods),
  /** One for each period, or one for all of them. */
  amounts: z.array(acceptedMoney).check(z.minLength(1), z.maxLength(maxQuoteMonths)),
  /** Of the price, in percent, until a period’s amount is used up; 100 when left out. */
  committedPercent: z.optional(typed),
  /** Of the price, in percent, beyond it; 100 when left out. */
  overagePercent: z.optional(typed),
  scope: z.optional(
    z.strictObject({
      /** Of the items’; null: all. */
      services: z.nullable(z.array(id('svc')).check(z.minLength(1), z.maxLength(maxEntries))),
      /** Of a service that is named here, these charges alone; without `services` they are all that it covers. */
      charges: z.optional(
        z.nullable(
          z
            .array(z.strictObject({ serviceId: id('svc'), chargeKey }))
            .check(z.minLength(1), z.maxLength(maxCommitmentCharges)),
        ),
      ),
      usageOnly: z.boolean(),
    }),
  ),
});
export type QuoteCommitment = z.output<typeof QuoteCommitment>;

export const QuoteContent = z.strictObject({
  /** For how many months the estimate adds up the contract’s value. */
  months,
  items: upTo(QuoteItem),
  oneOffs: upTo(QuoteOneOff),
  discounts: upTo(QuoteDiscount),
  grants: upTo(QuoteGrant),
  /** What a month costs at least, before tax; `months` null: until further notice. */
  minimumSpend: z.nullable(z.strictObject({ amount: acceptedMoney, months: z.nullable(months) })),
  /** What the seller wants to say, in both languages. */
  message: z.optional(z.strictObject({ zhTW: optionalText(1000), enUS: optionalText(1000) })),
  commitments: z.optional(upTo(QuoteCommitment)),
});
export type QuoteContent = z.output<typeof QuoteContent>;

const net = { net: moneyShape, tax: moneyShape, total: moneyShape };
const Totals = z.strictObject(net);
/** `net` = `before.net` − `discount` + `commitment` + `minimum` − `promotional`. */
const figures = {
  /** Without discounts, commitments, minimum and credit. */
  before: Totals,
  discount: moneyShape,
  /** What the rates of commitments change, and what is missing of their amounts at the end of periods. */
  commitment: moneyShape,
  minimum: moneyShape,
  promotional: moneyShape,
  ...net,
};
export const Figures = z.strictObject(figures);
export type Figures = z.output<typeof Figures>;

const estimateOf = <L extends z.core.SomeType>(line: L) => {
  const MonthEstimate = z.strictObject({ month, lines: z.array(line), ...figures });
  return z.strictObject({
    /** The day on which it is accepted in this calculation; the first month counts from then on. */
    asOf: day,
    /** In percent. */
    taxRate: exactDecimal,
    /** Where services are taxed differently: the rate is that of most. */
    hasSeveralRates: z.optional(z.literal(true)),
    first: MonthEstimate,
    /** The first whole month. */
    full: MonthEstimate,
    /** Before tax. */
    oneOffs: moneyShape,
    months: z.int(),
    /** The bills of so many months together. */
    contract: Figures,
  });
};

/** An estimate as it is stored with a version. */
export const StoredEstimate = estimateOf(z.extend(BillLine, { steps: z.array(LineStep) }));
export type StoredEstimate = z.output<typeof StoredEstimate>;

/** A line of a month as a reader sees it, in the language of the request. */
const ShownLine = z.strictObject({
  name: z.string(),
  /** What kind of line it is; empty where the name says it. */
  kind: z.string(),
  quantity: z.string(),
  unitPrice: z.string(),
  amount: moneyShape,
  /** How the amount comes about where no unit price says it. */
  steps: z.array(z.string()),
});
export type ShownLine = z.output<typeof ShownLine>;
export const ShownEstimate = estimateOf(ShownLine);
export type ShownEstimate = z.output<typeof ShownEstimate>;

/** A service as a version offers it: the prices do not change with the catalogue. */
export const OfferedService = z.strictObject({
  serviceId: id('svc'),
  name: z.string(),
  /** In what the usage of each charge is measured, by its key. */
  units: z.record(z.string(), z.string()),
  charges: z.array(Charge),
  minimum: z.optional(z.string()),
  maximum: z.optional(z.string()),
  trialDays: z.int(),
  /** The price in force and those that follow it, as they were known. */
  priceVersionIds: z.array(id('prv')),
});
export type OfferedService = z.output<typeof OfferedService>;

/** A service with its prices in words. */
export const ShownItem = z.strictObject({
  name: z.string(),
  /** How many of it. */
  quantity: z.string(),
  /** Days that are free at first; 0 for none. */
  trialDays: z.int(),
  charges: z.array(
    z.strictObject({
      name: z.string(),
      /** How many of this charge; empty where it has no quantity. */
      quantity: z.string(),
      price: z.string(),
      details: z.array(z.string()),
      /** What a month is expected to use; empty where nothing is. */
      usage: z.string(),
    }),
  ),
});
export type ShownItem = z.output<typeof ShownItem>;

/** What else was agreed: its name and what it gives, in the language of the request. */
export const ShownTerm = z.strictObject({
  kind: z.enum(['one_off', 'discount', 'grant', 'minimum_spend', 'commitment']),
  name: z.string(),
  terms: z.string(),
});
export type ShownTerm = z.output<typeof ShownTerm>;
