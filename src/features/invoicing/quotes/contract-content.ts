// The content of a quote, as the seller writes it and as it is stored, and its estimate.
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

/** The maximum number of services in a quote, and of each kind of terms. */
export const maxEntries = 20;
/** The maximum number of charges in one commitment. */
const maxCommitmentCharges = 100;
/** The maximum duration of a contract or a term, in months. */
export const maxQuoteMonths = 120;

const names = z.strictObject({ zhTW: text(80), enUS: text(80) });
const months = z.int().check(z.minimum(1), z.maximum(maxQuoteMonths));
const upTo = <T extends z.core.SomeType>(entry: T) => z.array(entry).check(z.maxLength(maxEntries));
/** A percentage such as "12.5", or a number; the rules report errors at its field. */
const typed = z.string().check(z.trim(), z.minLength(1), z.maxLength(60));

/**
 * A service to subscribe to. `usage` is the expected usage of a whole month, by charge; it determines the
 * estimate and is not binding.
 */
export const QuoteItem = z.strictObject({
  serviceId: id('svc'),
  quantity: z.optional(planQuantity),
  /** The quantities of single charges. */
  quantities: z.optional(chargeQuantities),
  usage: EstimateInput.shape.usage,
});
export type QuoteItem = z.output<typeof QuoteItem>;

/** Charged once, on the first bill; `serviceId` is one of the items’ if it belongs to one. */
export const QuoteOneOff = z.strictObject({
  name: names,
  quantity: z.optional(typed),
  unitPrice: typed,
  serviceId: z.optional(z.nullable(id('svc'))),
});
export type QuoteOneOff = z.output<typeof QuoteOneOff>;

/**
 * Either `percent`, optionally with a `maximum` per month, or `fixed`, an amount per month. `months` null:
 * one bill.
 */
export const QuoteDiscount = z.strictObject({
  name: names,
  percent: z.optional(typed),
  fixed: z.optional(acceptedMoney),
  maximum: z.optional(z.nullable(acceptedMoney)),
  /** One of the items’; null or missing: everything on the bill. */
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
  /** Renewed every month; a month's remainder is kept with `rollover`. Null or missing: granted once. */
  monthly: z.optional(z.nullable(z.strictObject({ rollover: z.boolean() }))),
});
export type QuoteGrant = z.output<typeof QuoteGrant>;

/** The committed spend, from the month of acceptance on. */
export const QuoteCommitment = z.strictObject({
  name: names,
  /** A multiple of the period’s months. */
  months,
  period: z.enum(commitmentPeriods),
  /** One for each period, or one for all of them. */
  amounts: z.array(acceptedMoney).check(z.minLength(1), z.maxLength(maxQuoteMonths)),
  /** The percentage of the price until a period’s amount is used up; defaults to 100. */
  committedPercent: z.optional(typed),
  /** The percentage of the price beyond it; defaults to 100. */
  overagePercent: z.optional(typed),
  scope: z.optional(
    z.strictObject({
      /** Of the items’; null for all. */
      services: z.nullable(z.array(id('svc')).check(z.minLength(1), z.maxLength(maxEntries))),
      /**
       * For a service listed here, only these charges; without `services`, they are everything that is
       * covered.
       */
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
  /** How many months the estimate sums up as the contract’s value. */
  months,
  items: upTo(QuoteItem),
  oneOffs: upTo(QuoteOneOff),
  discounts: upTo(QuoteDiscount),
  grants: upTo(QuoteGrant),
  /** The minimum amount of a month, before tax; `months` null: until further notice. */
  minimumSpend: z.nullable(z.strictObject({ amount: acceptedMoney, months: z.nullable(months) })),
  /** The seller's message, in both languages. */
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
  /** The changes by commitment rates, and the true-ups at the end of periods. */
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
    /** The day of acceptance in this calculation; the first month counts from then on. */
    asOf: day,
    /** In percent. */
    taxRate: exactDecimal,
    /** Set if services are taxed differently: the rate is that of most. */
    hasSeveralRates: z.optional(z.literal(true)),
    first: MonthEstimate,
    /** The first whole month. */
    full: MonthEstimate,
    /** Before tax. */
    oneOffs: moneyShape,
    months: z.int(),
    /** The sum of the bills of this many months. */
    contract: Figures,
  });
};

/** An estimate as it is stored with a version. */
export const StoredEstimate = estimateOf(z.extend(BillLine, { steps: z.array(LineStep) }));
export type StoredEstimate = z.output<typeof StoredEstimate>;

/** A line of a month for display, in the language of the request. */
const ShownLine = z.strictObject({
  name: z.string(),
  /** The kind of line; empty if the name already says it. */
  kind: z.string(),
  quantity: z.string(),
  unitPrice: z.string(),
  amount: moneyShape,
  /** How the amount is computed, if there is no unit price. */
  steps: z.array(z.string()),
});
export type ShownLine = z.output<typeof ShownLine>;
export const ShownEstimate = estimateOf(ShownLine);
export type ShownEstimate = z.output<typeof ShownEstimate>;

/** A service as a version offers it: its prices do not follow changes of the catalogue. */
export const OfferedService = z.strictObject({
  serviceId: id('svc'),
  name: z.string(),
  /** The unit of each charge's usage, by key. */
  units: z.record(z.string(), z.string()),
  charges: z.array(Charge),
  minimum: z.optional(z.string()),
  maximum: z.optional(z.string()),
  trialDays: z.int(),
  /** The price in force and the known later ones. */
  priceVersionIds: z.array(id('prv')),
});
export type OfferedService = z.output<typeof OfferedService>;

/** A service with its prices as text. */
export const ShownItem = z.strictObject({
  name: z.string(),
  /** The quantity of the service. */
  quantity: z.string(),
  /** Free days at the start; 0 for none. */
  trialDays: z.int(),
  charges: z.array(
    z.strictObject({
      name: z.string(),
      /** The quantity of this charge; empty if it has none. */
      quantity: z.string(),
      price: z.string(),
      details: z.array(z.string()),
      /** The expected usage of a month; empty if there is none. */
      usage: z.string(),
    }),
  ),
});
export type ShownItem = z.output<typeof ShownItem>;

/** A further term: its name and what it grants, in the language of the request. */
export const ShownTerm = z.strictObject({
  kind: z.enum(['one_off', 'discount', 'grant', 'minimum_spend', 'commitment']),
  name: z.string(),
  terms: z.string(),
});
export type ShownTerm = z.output<typeof ShownTerm>;
