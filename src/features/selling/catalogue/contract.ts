// Catalogue: services, their prices and how they are metered.
import * as z from 'zod/mini';
import { decimalPattern } from '#kernel/decimal.ts';
import { contract, file, noInput, nothing, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import {
  currency,
  id,
  instant,
  language,
  moneyShape,
  optionalText,
  pageOf,
  pageQuery,
  queryFlag,
  text,
  unsignedDecimal,
} from '#kernel/shape.ts';
import { aggregations, DataSchema, NewMeter } from '#features/selling/meters/contract.ts';
import {
  Charge,
  ChargeIdentity,
  chargeKey,
  DraftCharge,
  Dimensions,
  PriceStep,
  prorations,
  RateCard,
  Tier,
} from '#features/selling/rating/contract.ts';
import { planId } from '#kernel/file-plan.ts';
import { CataloguePlan, fileVersion, maxFileMeters, maxFileServices } from './contract-file.ts';

export const serviceStatuses = ['active', 'inactive'] as const;
export const releaseStates = ['Active', 'Beta', 'Coming Soon'] as const;
export const billingCycles = ['monthly', 'yearly'] as const;
/** How usage is measured: which events count, and how they become one quantity. */
export const Meter = z.strictObject({
  eventType: text(200),
  aggregation: z.enum(aggregations),
  /** For unique_count: the property of an event's data whose distinct values are counted. */
  property: z.optional(text(100)),
  unit: text(60),
  /**
   * An event whose data does not match is rejected. Unlike the rest of the meter it may change; accepted
   * events are unaffected.
   */
  dataSchema: z.optional(DataSchema),
});
export type Meter = z.output<typeof Meter>;
export type Aggregation = Meter['aggregation'];

/**
 * `minimum` is the minimum cost of a month (the difference is added), `maximum` the maximum; both include
 * base fee and usage.
 */
const common = {
  currency,
  baseFee: z.optional(unsignedDecimal),
  minimum: z.optional(unsignedDecimal),
  maximum: z.optional(unsignedDecimal),
};
/** The part of a month's quantity that the base fee includes; the price applies to the rest. */
const included = z.optional(unsignedDecimal);
const tiers = z.array(Tier).check(z.minLength(1), z.maxLength(100));
export const Pricing = z.discriminatedUnion('model', [
  z.strictObject({ model: z.literal('flat'), ...common }),
  z.strictObject({ model: z.literal('per_unit'), ...common, included, unitPrice: unsignedDecimal }),
  z.strictObject({ model: z.literal('graduated'), ...common, included, tiers }),
  z.strictObject({ model: z.literal('volume'), ...common, included, tiers }),
  z.strictObject({
    model: z.literal('package'),
    ...common,
    packageSize: unsignedDecimal,
    packagePrice: unsignedDecimal,
    freeUnits: z.optional(unsignedDecimal),
  }),
  /** Several charges instead of one price. */
  z.strictObject({ model: z.literal('rate_card'), ...RateCard.shape }),
]);
export type Pricing = z.output<typeof Pricing>;
/** A price with one fee and one meter. */
export type SinglePricing = Exclude<Pricing, { model: 'rate_card' }>;
export type RateCardPricing = Extract<Pricing, { model: 'rate_card' }>;

export const pricingModels = ['flat', 'per_unit', 'graduated', 'volume', 'package'] as const;

const unlimited = z.strictObject({ type: z.literal('unlimited') });
const limited = {
  type: z.enum(['soft', 'hard']),
  limit: unsignedDecimal,
  /** The key of the limited meter, over all values of its dimensions; by default the service's own meter. */
  meter: z.optional(text(60)),
};
export const Quota = z.discriminatedUnion('type', [unlimited, z.strictObject(limited)]);
export type Quota = z.output<typeof Quota>;
/** A limit as returned by the API: with the unit of the meter that it names. */
export const ShownQuota = z.discriminatedUnion('type', [
  unlimited,
  z.strictObject({ ...limited, unit: z.optional(z.string()) }),
]);
export type ShownQuota = z.output<typeof ShownQuota>;

export const Service = z.strictObject({
  id: id('svc'),
  name: z.string(),
  type: z.string(),
  category: z.string(),
  description: z.string(),
  status: z.enum(serviceStatuses),
  releaseState: z.enum(releaseStates),
  pricing: Pricing,
  /** The parts of its price: the charges of its rate card, or the fee and the usage of its single price. */
  charges: z.array(Charge),
  priceVersionId: id('prv'),
  priceEffectiveFrom: instant,
  meter: Meter,
  /**
   * The units of the meters that its usage charges name, or named in earlier prices, by the meter's key. A
   * single price is in the unit of `meter`.
   */
  meterUnits: z.record(z.string(), z.string()),
  billingCycle: z.enum(billingCycles),
  proration: z.enum(prorations),
  /** How many days from the start are free; 0 for none. */
  trialDays: z.int(),
  /** Services of one family are plans between which a subscription can change; empty for none. */
  family: z.string(),
  /** The plan families whose subscriptions it can be added to; empty: it is subscribed to on its own. */
  addOnTo: z.array(z.string()),
  quota: ShownQuota,
  features: z.array(z.string()),
  tags: z.array(z.string()),
  popular: z.boolean(),
  recommended: z.boolean(),
  /** Usage is metered only while the organization has prepaid credit that covers the service. */
  requiresPrepaidCredit: z.boolean(),
  /** Incremented with every change; a change based on an older version is rejected. */
  version: z.int(),
  createdAt: instant,
});
export type Service = z.output<typeof Service>;

/** A service for an Admin: with the number of its subscriptions and of users waiting for it. */
export const AdminService = z.strictObject({
  ...Service.shape,
  /** Subscriptions that have not ended. */
  subscribers: z.int(),
  /** How many users asked to be notified when it becomes available. */
  interested: z.int(),
});
export type AdminService = z.output<typeof AdminService>;

/** A price's state in time. */
export const priceStates = ['past', 'current', 'scheduled'] as const;
/** One version of a service's list price; never edited, only succeeded. */
export const PriceVersionView = z.strictObject({
  id: id('prv'),
  pricing: Pricing,
  state: z.enum(priceStates),
  effectiveFrom: instant,
  /** When the next one starts; null for the last. */
  until: z.nullable(instant),
  createdAt: instant,
  /** The author's name; null for the console itself, or a deleted user. */
  createdBy: z.nullable(z.string()),
});
export type PriceVersionView = z.output<typeof PriceVersionView>;

/** A price that one organization pays instead of the list price for a period. */
export const PriceOverride = z.strictObject({
  id: id('prv'),
  organizationId: id('org'),
  organization: z.string(),
  /**
   * What the organization pays; for an agreement on single charges, including the current price of the
   * others.
   */
  pricing: Pricing,
  /** The charges that were agreed on; null for the whole price. */
  charges: z.nullable(z.array(Charge)),
  state: z.enum(priceStates),
  effectiveFrom: instant,
  /** null: until further notice. */
  until: z.nullable(instant),
  reason: z.string(),
  createdAt: instant,
  createdBy: z.nullable(z.string()),
});
export type PriceOverride = z.output<typeof PriceOverride>;

/** The effects of a batch. */
export const ServiceImpact = z.strictObject({
  id: id('svc'),
  name: z.string(),
  /** Subscriptions that have not ended. */
  subscribers: z.int(),
  /** Usage events of the current months that are not on any bill yet. */
  events: z.int(),
  /** Whether it never had a subscription; for a deletion, whether it can be deleted. */
  canDelete: z.boolean(),
  /** Whether the action would change anything. */
  changes: z.boolean(),
});
export type ServiceImpact = z.output<typeof ServiceImpact>;

export const exportFormats = ['csv', 'xlsx'] as const;
export const importActions = ['create', 'update', 'unchanged', 'refused'] as const;
/** The result of an import for a row of its file, or the planned one. */
export const ImportedRow = z.strictObject({
  /** The line's number in the file; the header is row 1. */
  row: z.int(),
  name: z.string(),
  action: z.enum(importActions),
  newPrice: z.boolean(),
  errors: z.array(z.strictObject({ column: z.string(), code: z.string(), message: z.string() })),
});
export const ServiceImport = z.strictObject({
  /** Whether anything was written: not for a preview, and not if an error in one row blocks all others. */
  applied: z.boolean(),
  created: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  refused: z.int(),
  rows: z.array(ImportedRow),
});
export type ServiceImport = z.output<typeof ServiceImport>;
/** The maximum number of rows in one import. */
export const maxImportedRows = 5000;

/** The cost of one charge of a rate card in a month, or once. */
const ChargeEstimate = z.strictObject({
  ...z.pick(ChargeIdentity, { key: true, name: true, kind: true }).shape,
  amount: moneyShape,
  exact: z.string(),
  lines: z.array(PriceStep),
});
export const Estimate = z.strictObject({
  amount: moneyShape,
  exact: z.string(),
  lines: z.array(PriceStep),
  /** Charge by charge, for a rate card; together with its limits they make up the amount. */
  charges: z.optional(z.array(ChargeEstimate)),
  /** One-time fees, in addition to the month's amount. */
  once: z.optional(moneyShape),
});
export type Estimate = z.output<typeof Estimate>;

/** An event of a preview: its value, and the dimensions that the charge's price depends on. */
const PreviewEvent = z.strictObject({
  value: z.string().check(z.regex(decimalPattern)),
  dimensions: z.optional(Dimensions),
});
/** The maximum number of events in one preview. */
export const maxPreviewEvents = 10_000;

const serviceFields = {
  name: text(160),
  type: text(80),
  category: text(80),
  description: z.optional(optionalText(2000)),
  releaseState: z.optional(z.enum(releaseStates)),
  billingCycle: z.optional(z.enum(billingCycles)),
  proration: z.optional(z.enum(prorations)),
  trialDays: z.optional(z.int().check(z.minimum(0), z.maximum(730))),
  family: z.optional(optionalText(80)),
  quota: z.optional(Quota),
  features: z.optional(z.array(text(200)).check(z.maxLength(50))),
  tags: z.optional(z.array(text(60)).check(z.maxLength(30))),
  popular: z.optional(z.boolean()),
  recommended: z.optional(z.boolean()),
  requiresPrepaidCredit: z.optional(z.boolean()),
};
/** The plan families whose subscriptions a service can be added to. */
const addOnTo = z.optional(z.array(text(80)).check(z.maxLength(50)));
/** A service as a table row represents it. */
export const TableServiceInput = z.strictObject({
  ...serviceFields,
  pricing: Pricing,
  meter: Meter,
  addOnTo,
  status: z.optional(z.enum(serviceStatuses)),
});

/** A rate card instead of a pricing: its charges, and the fields that apply to all of them. */
const cardFields = {
  charges: z.optional(RateCard.shape.charges),
  currency: z.optional(currency),
  minimum: RateCard.shape.minimum,
  maximum: RateCard.shape.maximum,
};
/** A service in the catalogue file: identified by the file's own reference, or by its id if it has none. */
export const CatalogueFileService = z.strictObject({
  ref: z.optional(text(200)),
  id: z.optional(id('svc')),
  ...serviceFields,
  addOnTo,
  status: z.optional(z.enum(serviceStatuses)),
  pricing: z.optional(Pricing),
  ...cardFields,
  meter: z.optional(Meter),
  /** When a changed price starts; now if it is missing or in the past. */
  effectiveFrom: z.optional(instant),
});
export type CatalogueFileService = z.output<typeof CatalogueFileService>;
/** The whole catalogue, or part of it, as one file. */
export const CatalogueFile = z.strictObject({
  skytallyCatalogue: z.literal(fileVersion),
  /** Meters that the services' usage charges name; missing ones are created. */
  meters: z.optional(z.array(NewMeter).check(z.maxLength(maxFileMeters))),
  services: z.array(CatalogueFileService).check(z.maxLength(maxFileServices)),
});
export type CatalogueFile = z.output<typeof CatalogueFile>;
const admin = { roles: ['Admin'] } as const;
const quantityInput = unsignedDecimal;
/** The input of an estimate: the quantity of the service or of single charges, and their usage. */
export const EstimateInput = z.strictObject({
  quantity: z.optional(quantityInput),
  quantities: z.optional(z.record(chargeKey, quantityInput)),
  usage: z.optional(
    z.record(chargeKey, z.union([quantityInput, z.array(PreviewEvent).check(z.maxLength(maxPreviewEvents))])),
  ),
});
export type EstimateInput = z.output<typeof EstimateInput>;
const oneService = { serviceId: id('svc') };
const listFilters = {
  type: z.optional(text(80)),
  category: z.optional(text(80)),
  status: z.optional(z.enum(serviceStatuses)),
  releaseState: z.optional(z.enum(releaseStates)),
  tag: z.optional(text(60)),
  /** Only services measured by this meter. */
  meterId: z.optional(id('mtr')),
};
/**
 * The maximum number of services that one request may name, and of rows in one response; use a filter for
 * more.
 */
export const maxNamed = 500;
const batchFilter = { q: z.optional(optionalText(200)), ...listFilters };
/**
 * Either services by id, or all that match a filter with their expected number; rejected if the number has
 * changed.
 */
const batch = z.strictObject({
  action: z.enum(['activate', 'deactivate', 'delete']),
  ids: z.optional(z.array(id('svc')).check(z.minLength(1), z.maxLength(maxNamed))),
  filter: z.optional(z.strictObject(batchFilter)),
  expected: z.optional(z.int()),
});

export const catalogue = contract({
  listServices: route({
    method: 'GET',
    path: '/services',
    access: { roles: ['User'] },
    isBatchable: true,
    expand: {
      types: '/service-types',
      interests: '/service-interests',
    },
    summary: 'List services on sale',
    input: z.strictObject({
      ...pageQuery,
      tab: z.optional(z.enum(['all', 'popular', 'new', 'recommended'])),
      type: z.optional(text(80)),
    }),
    output: pageOf(Service),
  }),
  getService: route({
    method: 'GET',
    path: '/services/:serviceId',
    access: { roles: ['User'] },
    summary: 'Get a service on sale',
    input: z.strictObject({ serviceId: id('svc') }),
    output: Service,
  }),
  estimate: route({
    method: 'POST',
    path: '/services/:serviceId/estimate',
    access: { roles: ['User'] },
    summary: 'Estimate a month’s cost',
    description: 'What a month costs with the given quantity.',
    input: z.strictObject({ serviceId: id('svc'), ...EstimateInput.shape }),
    output: Estimate,
  }),
  serviceTabs: route({
    method: 'GET',
    path: '/service-tabs',
    access: { roles: ['User'] },
    isBatchable: true,
    summary: 'Count services by tab',
    description: 'How many services each tab of the list has, with the same search and type.',
    input: z.strictObject({ q: pageQuery.q, type: z.optional(text(80)) }),
    output: z.strictObject({ all: z.int(), popular: z.int(), new: z.int(), recommended: z.int() }),
  }),
  serviceTypes: route({
    method: 'GET',
    path: '/service-types',
    access: { roles: ['Admin', 'User'] },
    isBatchable: true,
    summary: 'List service types',
    description: 'Types and categories in use, for filters.',
    input: z.strictObject({}),
    output: z.strictObject({
      types: z.array(z.string()),
      categories: z.array(z.string()),
      tags: z.array(z.string()),
      families: z.array(z.string()),
    }),
  }),
  listInterests: route({
    method: 'GET',
    path: '/service-interests',
    access: { roles: ['User'] },
    isBatchable: true,
    summary: 'List services you’re waiting for',
    description: 'The upcoming services that you asked to be notified about.',
    input: noInput,
    output: z.strictObject({ serviceIds: z.array(id('svc')) }),
  }),
  showInterest: route({
    method: 'POST',
    path: '/services/:serviceId/interest',
    access: { roles: ['User'] },
    summary: 'Ask to be notified about a service',
    description: 'Sends one notification when the upcoming service becomes available.',
    input: z.strictObject(oneService),
    output: nothing,
  }),
  withdrawInterest: route({
    method: 'DELETE',
    path: '/services/:serviceId/interest',
    access: { roles: ['User'] },
    summary: 'Stop waiting for a service',
    input: z.strictObject(oneService),
    output: nothing,
  }),

  adminListServices: route({
    method: 'GET',
    path: '/admin/services',
    access: admin,
    summary: 'List all services',
    input: z.strictObject({ ...pageQuery, ...listFilters }),
    output: pageOf(AdminService),
  }),
  adminGetService: route({
    method: 'GET',
    path: '/admin/services/:serviceId',
    access: admin,
    expand: {
      prices: '/admin/services/:serviceId/prices',
      overrides: '/admin/services/:serviceId/overrides',
    },
    summary: 'Get a service',
    input: z.strictObject(oneService),
    output: AdminService,
  }),
  createService: route({
    method: 'POST',
    path: '/admin/services',
    access: admin,
    status: 201,
    idempotent: true,
    summary: 'Create a service',
    description: 'Includes its first price.',
    input: z.strictObject({
      ...serviceFields,
      pricing: z.optional(Pricing),
      /** How usage is measured; required unless all charges of a rate card are fees. */
      meter: z.optional(Meter),
      ...cardFields,
      addOnTo,
      status: z.optional(z.enum(serviceStatuses)),
    }),
    output: Service,
  }),
  updateService: route({
    method: 'PATCH',
    path: '/admin/services/:serviceId',
    access: admin,
    summary: 'Update a service',
    description:
      'New pricing becomes a new price version, effective now or later. Earlier usage keeps its price.',
    input: z.strictObject({
      serviceId: id('svc'),
      ...(Object.fromEntries(
        Object.entries(serviceFields).map(([name, shape]) => [name, z.optional(shape)]),
      ) as { [K in keyof typeof serviceFields]: z.ZodMiniOptional<(typeof serviceFields)[K]> }),
      pricing: z.optional(Pricing),
      ...cardFields,
      addOnTo,
      status: z.optional(z.enum(serviceStatuses)),
      /** The schema of future events' data; null for any data. */
      dataSchema: z.optional(z.nullable(DataSchema)),
      /** When the pricing starts; by default now. */
      effectiveFrom: z.optional(instant),
      /** The version that the change is based on; an outdated one is rejected. */
      version: z.optional(z.int()),
    }),
    output: Service,
  }),
  listPrices: route({
    method: 'GET',
    path: '/admin/services/:serviceId/prices',
    access: admin,
    summary: 'List price versions',
    description: 'All versions of a service’s list price, newest first.',
    input: z.strictObject(oneService),
    output: z.strictObject({ items: z.array(PriceVersionView) }),
  }),
  withdrawPrice: route({
    method: 'DELETE',
    path: '/admin/services/:serviceId/prices/:priceVersionId',
    access: admin,
    summary: 'Withdraw a price',
    description: 'Only if it hasn’t started yet.',
    input: z.strictObject({ ...oneService, priceVersionId: id('prv') }),
    output: nothing,
  }),
  listOverrides: route({
    method: 'GET',
    path: '/admin/services/:serviceId/overrides',
    access: admin,
    summary: 'List agreed prices',
    description: 'What individual organizations pay instead of the list price, newest first.',
    input: z.strictObject(oneService),
    output: z.strictObject({ items: z.array(PriceOverride) }),
  }),
  addOverride: route({
    method: 'POST',
    path: '/admin/services/:serviceId/overrides',
    access: admin,
    status: 201,
    summary: 'Create an agreed price',
    description:
      'Gives one organization its own price, starting now or later, for a period or until further notice.',
    input: z.strictObject({
      ...oneService,
      organizationId: id('org'),
      /**
       * The whole price; or `charges`, single ones of the service's rate card, while the others follow the
       * list price.
       */
      pricing: z.optional(Pricing),
      charges: z.optional(RateCard.shape.charges),
      effectiveFrom: z.optional(instant),
      until: z.optional(z.nullable(instant)),
      reason: text(500),
    }),
    output: PriceOverride,
  }),
  endOverride: route({
    method: 'DELETE',
    path: '/admin/services/:serviceId/overrides/:overrideId',
    access: admin,
    summary: 'End an agreed price',
    description: 'Ends it now. A price that hasn’t started is withdrawn.',
    input: z.strictObject({ ...oneService, overrideId: id('prv') }),
    output: nothing,
  }),
  countServices: route({
    method: 'GET',
    path: '/admin/services/count',
    access: admin,
    summary: 'Count services',
    description: 'The exact number of services that match a filter.',
    input: z.strictObject(batchFilter),
    output: z.strictObject({ total: z.int() }),
  }),
  batchImpact: route({
    method: 'POST',
    path: '/admin/services/batch/impact',
    access: admin,
    summary: 'Preview a bulk change of services',
    description:
      'Its impact: subscribers, unbilled usage, and what can’t be deleted. The first 500 are listed; all are counted.',
    input: batch,
    output: z.strictObject({ services: z.array(ServiceImpact), total: z.int(), blocked: z.int() }),
  }),
  exportServices: route({
    method: 'GET',
    path: '/admin/services/export',
    access: admin,
    atOnce: 2,
    summary: 'Export services',
    description: 'All services that match a filter, as CSV or Excel.',
    input: z.strictObject({
      q: pageQuery.q,
      sort: pageQuery.sort,
      ...listFilters,
      format: z.enum(exportFormats),
      language: z.optional(language),
    }),
    output: file,
  }),
  importServices: route({
    method: 'POST',
    path: '/admin/services/import',
    access: admin,
    atOnce: 1,
    raw: { types: ['text/csv'], maxBytes: 8 * 1024 * 1024 },
    summary: 'Import services',
    description:
      'Creates and updates services from a CSV file in the format of the export. With `dryRun`, only shows what would happen. Safe to repeat.',
    input: z.strictObject({
      dryRun: z.optional(queryFlag),
      badRows: z.optional(z.enum(['refuseAll', 'leaveOut'])),
    }),
    output: ServiceImport,
  }),
  exportCatalogue: route({
    method: 'GET',
    path: '/admin/catalogue',
    access: admin,
    summary: 'Export the catalog',
    description: 'The whole catalog as one file for version control.',
    input: noInput,
    output: CatalogueFile,
  }),
  planCatalogue: route({
    method: 'POST',
    path: '/admin/catalogue/plan',
    access: admin,
    atOnce: 1,
    summary: 'Plan changes from a catalog file',
    description: 'Shows what applying the file would do, without changing anything.',
    input: z.strictObject({ file: CatalogueFile }),
    output: CataloguePlan,
  }),
  applyCatalogue: route({
    method: 'POST',
    path: '/admin/catalogue/apply',
    access: admin,
    atOnce: 1,
    summary: 'Apply a catalog file',
    description:
      'Makes the changes that its plan showed. Services that the file doesn’t name stay. Safe to repeat.',
    input: z.strictObject({ file: CatalogueFile, planId }),
    output: CataloguePlan,
  }),
  batchServices: route({
    method: 'POST',
    path: '/admin/services/batch',
    access: admin,
    summary: 'Change services in bulk',
    description:
      'Activates, deactivates, or deletes the named services, or all that match a filter. Services with subscriptions can’t be deleted: the first 500 of those are named and all are counted. `changedIds` holds the first 500 that changed.',
    input: batch,
    output: z.strictObject({
      changed: z.int(),
      changedIds: z.array(id('svc')),
      refusedCount: z.int(),
      refused: z.array(
        z.strictObject({ id: id('svc'), name: z.string(), code: z.string(), message: z.string() }),
      ),
    }),
  }),
  deleteService: route({
    method: 'DELETE',
    path: '/admin/services/:serviceId',
    access: admin,
    summary: 'Delete a service',
    description: 'Only if nobody ever subscribed to it.',
    input: z.strictObject({ serviceId: id('svc') }),
    output: nothing,
  }),
  previewPricing: route({
    method: 'POST',
    path: '/admin/pricing/preview',
    access: admin,
    summary: 'Preview pricing',
    description:
      'What a quantity or a set of events costs with a pricing or a charge that doesn’t have to exist yet, or quantities and usage by charge with a rate card. Events must be in chronological order.',
    input: z.strictObject({
      pricing: z.optional(Pricing),
      charge: z.optional(DraftCharge),
      /** The charge's currency; a pricing has its own. */
      currency: z.optional(currency),
      /** For a rate card as pricing: quantities and usage by charge, as in the estimate of a service. */
      ...EstimateInput.shape,
      events: z.optional(z.array(PreviewEvent).check(z.maxLength(maxPreviewEvents))),
    }),
    output: Estimate,
  }),
});

export const catalogueErrors = {
  'catalogue.service_not_found': 404,
  'catalogue.nothing_named': 422,
  'catalogue.count_changed': 409,
  'catalogue.tiers_wrong': 422,
  'catalogue.package_size_zero': 422,
  'catalogue.maximum_below_minimum': 422,
  'catalogue.property_needed': 422,
  'catalogue.quota_zero': 422,
  'catalogue.quota_unmetered': 422,
  'catalogue.add_on_price': 422,
  'catalogue.add_on_limit': 422,
  'catalogue.quota_meter_unknown': 422,
  'catalogue.quota_of_avg': 422,
  'catalogue.quota_of_min': 422,
  'catalogue.quota_of_percentile': 422,
  'catalogue.quota_of_time_weighted_average': 422,
  'catalogue.schema_wrong': 422,
  'catalogue.cycle_fixed': 409,
  'catalogue.still_used': 409,
  'catalogue.changed_meanwhile': 409,
  'catalogue.currency_differs': 422,
  'catalogue.moment_past': 422,
  'catalogue.price_there': 409,
  'catalogue.price_not_found': 404,
  'catalogue.price_in_force': 409,
  'catalogue.override_not_found': 404,
  'catalogue.override_ended': 409,
  'catalogue.override_overlaps': 409,
  'catalogue.override_until_wrong': 422,
  'catalogue.organization_unknown': 422,
  'catalogue.not_coming': 409,
  'catalogue.plan_changed': 409,
  'catalogue.file_ref_or_id': 422,
  'catalogue.file_named_twice': 422,
  'catalogue.file_meter_fixed': 409,
  'catalogue.file_meter_differs': 409,
  'catalogue.pricing_or_charges': 422,
  'catalogue.charges_currency_needed': 422,
  'catalogue.meter_needed': 422,
  'catalogue.charge_fixed': 409,
  'catalogue.preview_pricing_or_charge': 422,
  'catalogue.preview_currency_needed': 422,
  'catalogue.import_unreadable': 422,
  'catalogue.import_no_utf8': 422,
  'catalogue.import_too_long': 422,
  'catalogue.import_too_wide': 422,
} as const satisfies ErrorTable;
