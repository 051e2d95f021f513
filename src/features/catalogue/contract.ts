// Catalogue: services, their prices and how they are metered.
import * as z from 'zod/mini';
import { contract, nothing, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/refusal.ts';
import { currency, decimalWire, id, instant, moneyShape, optionalText, pageOf, pageQuery, text, unsignedDecimal } from '#kernel/shape.ts';

export const serviceStatuses = ['active', 'inactive'] as const;
export const releaseStates = ['Active', 'Beta', 'Coming Soon'] as const;
export const billingCycles = ['monthly', 'yearly'] as const;
/** What a base fee is divided by when a plan changes within its period: calendar days (domain.md), or seconds. */
export const prorations = ['day', 'second'] as const;
export const aggregations = ['sum', 'count', 'max', 'unique_count', 'latest'] as const;
export type Aggregation = (typeof aggregations)[number];

/** How usage is measured: which events count, and how many of them become one quantity. */
export const Meter = z.strictObject({
  eventType: text(200),
  aggregation: z.enum(aggregations),
  /** For unique_count: the property of an event's data whose different values are counted. */
  property: z.optional(text(100)),
  unit: text(60),
});
export type Meter = z.output<typeof Meter>;

/** One step of a tiered price; the last one has no upper end. `flatFee` is charged once the step is entered. */
export const Tier = z.strictObject({ upTo: z.nullable(unsignedDecimal), unitPrice: unsignedDecimal, flatFee: z.optional(unsignedDecimal) });
export type Tier = z.output<typeof Tier>;

/** `minimum` is what a month costs at least (the rest is topped up), `maximum` at most; both count base fee and usage. */
const common = { currency, baseFee: z.optional(unsignedDecimal), minimum: z.optional(unsignedDecimal), maximum: z.optional(unsignedDecimal) };
/** How much of a month's quantity the base fee pays for already; the price looks at what goes beyond. */
const included = z.optional(unsignedDecimal);
const tiers = z.array(Tier).check(z.minLength(1), z.maxLength(100));
/** What a quantity costs. All figures are decimals in major units with up to 12 fraction digits. */
export const Pricing = z.discriminatedUnion('model', [
  z.strictObject({ model: z.literal('flat'), ...common }),
  z.strictObject({ model: z.literal('per_unit'), ...common, included, unitPrice: unsignedDecimal }),
  z.strictObject({ model: z.literal('graduated'), ...common, included, tiers }),
  z.strictObject({ model: z.literal('volume'), ...common, included, tiers }),
  z.strictObject({ model: z.literal('package'), ...common, packageSize: unsignedDecimal, packagePrice: unsignedDecimal, freeUnits: z.optional(unsignedDecimal) }),
]);
export type Pricing = z.output<typeof Pricing>;

export const pricingModels = ['flat', 'per_unit', 'graduated', 'volume', 'package'] as const;

export const Quota = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('unlimited') }),
  z.strictObject({ type: z.enum(['soft', 'hard']), limit: unsignedDecimal }),
]);
export type Quota = z.output<typeof Quota>;

export const Service = z.strictObject({
  id: id('svc'),
  name: z.string(),
  type: z.string(),
  category: z.string(),
  description: z.string(),
  status: z.enum(serviceStatuses),
  releaseState: z.enum(releaseStates),
  pricing: Pricing,
  priceVersionId: id('prv'),
  priceEffectiveFrom: instant,
  meter: Meter,
  billingCycle: z.enum(billingCycles),
  proration: z.enum(prorations),
  /** Days from the start on which nothing is charged; 0 for none. */
  trialDays: z.int(),
  /** Services of one family are plans that a subscription may change between; empty: none. */
  family: z.string(),
  quota: Quota,
  features: z.array(z.string()),
  tags: z.array(z.string()),
  popular: z.boolean(),
  recommended: z.boolean(),
  /** Grows with every change; a change that names an older one is refused. */
  version: z.int(),
  createdAt: instant,
});
export type Service = z.output<typeof Service>;

/** The part of a period that a base fee is for, in days or seconds, and how many of the plan it is for. */
export const FeeShare = z.strictObject({ part: z.int(), whole: z.int(), unit: z.enum(prorations), units: decimalWire });
export type FeeShare = z.output<typeof FeeShare>;

/** One step of how an exact price comes about; amounts are exact decimals before rounding. A minimum's or maximum's unit price is the agreed limit, its amount what it adds or takes off; an included step's quantity is what was free. */
export const PriceStep = z.strictObject({
  kind: z.enum(['base', 'unit', 'tier', 'flat_fee', 'package', 'minimum', 'included', 'maximum']),
  /** Where a tier begins and ends; null where there is no end. */
  from: z.nullable(decimalWire),
  upTo: z.nullable(decimalWire),
  /** An exact decimal; a count of tiny packages may have more digits than a quantity. */
  quantity: z.string(),
  unitPrice: decimalWire,
  amount: z.string(),
  share: z.optional(FeeShare),
});
export type PriceStep = z.output<typeof PriceStep>;

export const Estimate = z.strictObject({ amount: moneyShape, exact: z.string(), lines: z.array(PriceStep) });
export type Estimate = z.output<typeof Estimate>;

const serviceFields = {
  name: text(160), type: text(80), category: text(80), description: z.optional(optionalText(2000)), releaseState: z.optional(z.enum(releaseStates)),
  billingCycle: z.optional(z.enum(billingCycles)), proration: z.optional(z.enum(prorations)), trialDays: z.optional(z.int().check(z.minimum(0), z.maximum(730))), family: z.optional(optionalText(80)), quota: z.optional(Quota), features: z.optional(z.array(text(200)).check(z.maxLength(50))),
  tags: z.optional(z.array(text(60)).check(z.maxLength(30))), popular: z.optional(z.boolean()), recommended: z.optional(z.boolean()),
};
const admin = { roles: ['Admin'] } as const;
const quantityInput = unsignedDecimal;

export const catalogue = contract({
  listServices: route({
    method: 'GET', path: '/services', access: { roles: ['User'] }, summary: 'What is on sale.',
    input: z.strictObject({ ...pageQuery, tab: z.optional(z.enum(['all', 'popular', 'new', 'recommended'])), type: z.optional(text(80)) }), output: pageOf(Service),
  }),
  getService: route({ method: 'GET', path: '/services/:serviceId', access: { roles: ['User'] }, summary: 'One service.', input: z.strictObject({ serviceId: id('svc') }), output: Service }),
  estimate: route({ method: 'POST', path: '/services/:serviceId/estimate', access: { roles: ['User'] }, summary: 'What a month with this quantity costs.', input: z.strictObject({ serviceId: id('svc'), quantity: quantityInput }), output: Estimate }),
  serviceTypes: route({ method: 'GET', path: '/service-types', access: { roles: ['Admin', 'User'] }, summary: 'Types and categories in use, for filters.', input: z.strictObject({}), output: z.strictObject({ types: z.array(z.string()), categories: z.array(z.string()) }) }),

  adminListServices: route({
    method: 'GET', path: '/admin/services', access: admin, summary: 'All services, searched and filtered.',
    input: z.strictObject({ ...pageQuery, type: z.optional(text(80)), category: z.optional(text(80)), status: z.optional(z.enum(serviceStatuses)) }), output: pageOf(Service),
  }),
  adminGetService: route({ method: 'GET', path: '/admin/services/:serviceId', access: admin, summary: 'One service.', input: z.strictObject({ serviceId: id('svc') }), output: Service }),
  createService: route({ method: 'POST', path: '/admin/services', access: admin, status: 201, idempotent: true, summary: 'Makes a service with its first price.', input: z.strictObject({ ...serviceFields, pricing: Pricing, meter: Meter, status: z.optional(z.enum(serviceStatuses)) }), output: Service }),
  updateService: route({
    method: 'PATCH', path: '/admin/services/:serviceId', access: admin, summary: 'Changes a service. A new pricing becomes a new price version from now on; what was stays priced as it was.',
    input: z.strictObject({ serviceId: id('svc'), ...Object.fromEntries(Object.entries(serviceFields).map(([name, shape]) => [name, z.optional(shape)])) as { [K in keyof typeof serviceFields]: z.ZodMiniOptional<(typeof serviceFields)[K]> }, pricing: z.optional(Pricing), status: z.optional(z.enum(serviceStatuses)) }),
    output: Service,
  }),
  batchServices: route({
    method: 'POST', path: '/admin/services/batch', access: admin, summary: 'Activates, deactivates or deletes services; one that is subscribed cannot be deleted and is named.',
    input: z.strictObject({ ids: z.array(id('svc')).check(z.minLength(1), z.maxLength(200)), action: z.enum(['activate', 'deactivate', 'delete']) }),
    output: z.strictObject({ changed: z.int(), refused: z.array(z.strictObject({ id: id('svc'), code: z.string(), message: z.string() })) }),
  }),
  deleteService: route({ method: 'DELETE', path: '/admin/services/:serviceId', access: admin, summary: 'Deletes a service nobody ever subscribed to.', input: z.strictObject({ serviceId: id('svc') }), output: nothing }),
  previewPricing: route({ method: 'POST', path: '/admin/pricing/preview', access: admin, summary: 'What a quantity costs with a pricing that need not exist yet.', input: z.strictObject({ pricing: Pricing, quantity: quantityInput, currency: z.optional(currency) }), output: Estimate }),
});

export const catalogueErrors = {
  'catalogue.service_not_found': 404,
  'catalogue.tiers_wrong': 422,
  'catalogue.package_size_zero': 422,
  'catalogue.maximum_below_minimum': 422,
  'catalogue.property_needed': 422,
  'catalogue.quota_zero': 422,
  'catalogue.still_used': 409,
} as const satisfies ErrorTable;

