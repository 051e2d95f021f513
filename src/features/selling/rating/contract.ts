// Rating: the charges of a rate card, and the calculation steps of a price.
import * as z from 'zod/mini';
import { currency, day, exactDecimal, text, unsignedDecimal } from '#kernel/shape.ts';
import type { ErrorTable } from '#kernel/errors.ts';

/**
 * The unit in which a fee is prorated when a plan changes within its period: calendar days (domain.md), or
 * seconds.
 */
export const prorations = ['day', 'second'] as const;

/** The share of a period that a fee covers, in days or seconds, and the number of units of the plan. */
export const FeeShare = z.strictObject({
  part: z.int(),
  whole: z.int(),
  unit: z.enum(prorations),
  units: exactDecimal,
  /** The first day of the period, for rate card charges: one bill may contain several of their periods. */
  from: z.optional(day),
});
export type FeeShare = z.output<typeof FeeShare>;

/**
 * The values that a price depends on, by the name of the property in an event's data: `{ "region": "tpe" }`.
 */
export const Dimensions = z.record(z.string(), z.string());
export type Dimensions = z.output<typeof Dimensions>;

/**
 * One calculation step of an exact price; amounts are exact decimals before rounding. For a minimum or
 * maximum, the unit price is the agreed limit and the amount its effect; for an included or free step, the
 * quantity is the free part; for a percentage, the unit price is a fraction of one (1.5 % is 0.015).
 */
export const PriceStep = z.strictObject({
  kind: z.enum([
    'base',
    'unit',
    'tier',
    'flat_fee',
    'package',
    'minimum',
    'included',
    'maximum',
    'percentage',
    'free_events',
    'event_fee',
    'event_minimum',
    'event_maximum',
    'dynamic',
  ]),
  /** The bounds of a tier; null if unbounded. */
  from: z.nullable(exactDecimal),
  upTo: z.nullable(exactDecimal),
  /** An exact decimal; a count of tiny packages may have more digits than a quantity. */
  quantity: z.string(),
  unitPrice: exactDecimal,
  amount: z.string(),
  share: z.optional(FeeShare),
  /** The conditions of the matrix rate, or the dimension values, that the step applies to. */
  when: z.optional(Dimensions),
});
export type PriceStep = z.output<typeof PriceStep>;

/** One tier of a tiered price; the last one is unbounded. `flatFee` is charged once the tier is entered. */
export const Tier = z.strictObject({
  upTo: z.nullable(unsignedDecimal),
  unitPrice: unsignedDecimal,
  flatFee: z.optional(unsignedDecimal),
});
export type Tier = z.output<typeof Tier>;
const tiers = z.array(Tier).check(z.minLength(1), z.maxLength(100));

/** One tier of a graduated percentage: a percentage of the amounts that fall into it. */
export const PercentageTier = z.strictObject({
  upTo: z.nullable(unsignedDecimal),
  ratePercent: unsignedDecimal,
  flatFee: z.optional(unsignedDecimal),
});
export type PercentageTier = z.output<typeof PercentageTier>;

/** How a started package counts: fully, or not at all. */
export const packageRoundings = ['up', 'down'] as const;
const packageFields = {
  packageSize: unsignedDecimal,
  packagePrice: unsignedDecimal,
  freeUnits: z.optional(unsignedDecimal),
  rounding: z.optional(z.enum(packageRoundings)),
};
/**
 * Whether tiers count all usage of the charge, or the usage of each combination of dimension values
 * separately.
 */
export const tierScopes = ['overall', 'per_value'] as const;
const tierScope = z.optional(z.enum(tierScopes));
const tierModels = ['graduated', 'volume'] as const;

/** The allowed names of dimensions, which are properties of events. */
export const dimensionName = text(60);
const when = z.record(dimensionName, text(100)).check(z.refine((names) => Object.keys(names).length <= 5));
/**
 * One price of a matrix: for events whose dimensions have these values; without conditions, for all others.
 */
export const MatrixRate = z.union([
  z.strictObject({ when, unitPrice: unsignedDecimal }),
  z.strictObject({ when, tiers, tierModel: z.optional(z.enum(tierModels)) }),
  z.strictObject({ when, package: z.strictObject(packageFields) }),
]);
export type MatrixRate = z.output<typeof MatrixRate>;
/**
 * What happens to an event without a matching matrix rate: it is rejected with the reason, before it is
 * counted.
 */
export const unmatchedWays = ['reject'] as const;
/** The maximum number of rates in a matrix. */
export const maxRates = 500;

export const chargeKinds = ['recurring', 'usage', 'one_time'] as const;
/** When a fee is charged: in the month in which its period starts, or in the one in which it ends. */
export const chargeTimings = ['advance', 'arrears'] as const;
export const chargeCycles = ['week', 'month', 'quarter', 'half_year', 'year'] as const;
/** Where cycles start: by the calendar, or on the day on which the subscription started. */
export const chargeAnchors = ['calendar', 'anniversary'] as const;
/**
 * The unit in which a partial period is measured; none: a period that is served at all costs the full price.
 */
export const chargeProrations = ['day', 'second', 'none'] as const;

/** The first units of a period are included; the price applies to the rest. */
const included = z.optional(unsignedDecimal);
/** A number of events, as a JSON number or as text. */
const eventCount = z.union([
  z.int().check(z.minimum(0), z.maximum(1_000_000_000)),
  z.string().check(z.regex(/^\d{1,9}$/)),
]);
/** The minimum and maximum cost of a charge in one of its periods. */
const limits = { minimum: z.optional(unsignedDecimal), maximum: z.optional(unsignedDecimal) };

/** The price of a charge by its model; `identity` are the charge's other fields. */
const chargeOf = <F extends Readonly<Record<string, z.core.SomeType>>>(identity: F) =>
  z.discriminatedUnion('model', [
    z.strictObject({ ...identity, ...limits, model: z.literal('flat'), amount: unsignedDecimal }),
    z.strictObject({
      ...identity,
      ...limits,
      model: z.literal('per_unit'),
      included,
      unitPrice: unsignedDecimal,
    }),
    z.strictObject({ ...identity, ...limits, model: z.literal('graduated'), included, tiers, tierScope }),
    z.strictObject({ ...identity, ...limits, model: z.literal('volume'), included, tiers, tierScope }),
    z.strictObject({ ...identity, ...limits, model: z.literal('package'), ...packageFields }),
    z.strictObject({
      ...identity,
      ...limits,
      model: z.literal('percentage'),
      ratePercent: unsignedDecimal,
      fixedPerEvent: z.optional(unsignedDecimal),
      freeEvents: z.optional(eventCount),
      freeAmount: z.optional(unsignedDecimal),
      minPerEvent: z.optional(unsignedDecimal),
      maxPerEvent: z.optional(unsignedDecimal),
    }),
    z.strictObject({
      ...identity,
      ...limits,
      model: z.literal('graduated_percentage'),
      tiers: z.array(PercentageTier).check(z.minLength(1), z.maxLength(100)),
    }),
    z.strictObject({ ...identity, ...limits, model: z.literal('dynamic') }),
    z.strictObject({
      ...identity,
      ...limits,
      model: z.literal('matrix'),
      rates: z.array(MatrixRate).check(z.minLength(1), z.maxLength(maxRates)),
      /**
       * What happens to events without a matching rate. A matrix defines it, or has a rate without
       * conditions.
       */
      unmatched: z.optional(z.enum(unmatchedWays)),
      tierScope,
    }),
  ]);

/** The key of a charge in the API and the catalogue file; it never changes. */
export const chargeKey = z.string().check(z.regex(/^[A-Za-z][A-Za-z0-9_.-]{0,59}$/));
const identity = {
  key: chargeKey,
  name: z.strictObject({ zhTW: text(120), enUS: text(120) }),
  kind: z.enum(chargeKinds),
  /** The key of the meter whose usage is priced. */
  meter: z.optional(text(60)),
  timing: z.optional(z.enum(chargeTimings)),
  cycle: z.optional(z.enum(chargeCycles)),
  prorate: z.optional(z.enum(chargeProrations)),
  anchor: z.optional(z.enum(chargeAnchors)),
  taxCategory: z.optional(text(40)),
};
/** The fields of a charge other than its price. */
export const ChargeIdentity = z.strictObject(identity);
/** One charge of a rate card. */
export const Charge = chargeOf(identity);
export type Charge = z.output<typeof Charge>;
/** A charge that is only tried out: everything but its price is optional. */
export const DraftCharge = chargeOf({
  key: z.optional(identity.key),
  name: z.optional(identity.name),
  kind: z.optional(identity.kind),
  meter: identity.meter,
  timing: identity.timing,
  cycle: identity.cycle,
  prorate: identity.prorate,
  anchor: identity.anchor,
  taxCategory: identity.taxCategory,
});
export type DraftCharge = z.output<typeof DraftCharge>;
/** The maximum number of charges in a rate card. */
export const maxCharges = 50;
/** All charges of a service, and their minimum and maximum total per month. */
export const RateCard = z.strictObject({
  currency,
  charges: z.array(Charge).check(z.minLength(1), z.maxLength(maxCharges)),
  ...limits,
});
export type RateCard = z.output<typeof RateCard>;

export const ratingErrors = {
  'rating.tiers_wrong': 422,
  'rating.package_size_zero': 422,
  'rating.maximum_below_minimum': 422,
  'rating.event_maximum_below_minimum': 422,
  'rating.rate_twice': 422,
  'rating.no_way_out': 422,
  'rating.unmatched_priced': 422,
  'rating.no_rate': 422,
  'rating.key_twice': 422,
  'rating.meter_needed': 422,
  'rating.meter_unwanted': 422,
  'rating.meter_unknown': 422,
  'rating.dimension_unknown': 422,
  'rating.model_needs_usage': 422,
  'rating.advance_needs_fee': 422,
  'rating.usage_missing': 422,
  'rating.charge_unknown': 422,
} as const satisfies ErrorTable;
