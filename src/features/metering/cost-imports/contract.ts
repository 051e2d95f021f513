// Cost imports: the operator's cloud costs, read from the clouds' exports and resold to customers with a
// mark-up. Both sides are stored.
import * as z from 'zod/mini';
import { contract, file, nothing, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import { payerTargets } from '#features/metering/connectors/contract.ts';
import {
  currency,
  day,
  exactDecimal,
  id,
  instant,
  language,
  month,
  optionalText,
  pageOf,
  pageQuery,
  text,
  unsignedDecimal,
} from '#kernel/shape.ts';

/** The formats, detected by their columns. */
export const costFormats = ['focus', 'aws_cur', 'azure', 'gcp', 'oci'] as const;
export type CostFormat = (typeof costFormats)[number];
/** The kinds of lines in an export. The cloud's taxes are neither cost nor resold. */
export const lineKinds = ['usage', 'purchase', 'credit', 'discount', 'refund', 'adjustment', 'tax'] as const;
export type LineKind = (typeof lineKinds)[number];

/** The event type, meter key and charge key under which resold cost is metered. */
export const resoldType = 'cloud.resold';
export const resoldKey = 'resold-cloud';

export const maxSources = 100;
export const maxRules = 500;
export const maxUploadBytes = 64 * 1024 * 1024;

export const scopeFields = [
  'provider',
  'account',
  'subAccount',
  'subAccountName',
  'resourceGroup',
  'tag',
] as const;
/**
 * Decides who owns a line: the first rule whose field has the value applies. A trailing `*` matches any
 * ending; `tag` is the tag's name if the field is a tag.
 */
export const AssignRule = z.strictObject({
  field: z.enum(scopeFields),
  tag: optionalText(200),
  value: text(500),
  /** null: the cost is deliberately assigned to no one, for example shared cost that the operator bears. */
  subscriptionId: z.nullable(id('sub')),
});
export type AssignRule = z.output<typeof AssignRule>;

const percent = z.string().check(z.regex(/^-?\d{1,4}(\.\d{1,12})?$/));
/**
 * A mark-up; the most specific one applies: a subscription's before an organization's before everyone's, then
 * one service's before all services'.
 */
export const MarkUp = z.strictObject({
  organizationId: z.nullable(id('org')),
  subscriptionId: z.nullable(id('sub')),
  /** A cloud service's name; '' for all. */
  service: optionalText(300),
  /** In percent of the cost, not below -100. */
  percent,
  /**
   * The minimum margin per subscription and billing period, in its billing currency; null for none. Only in
   * rules for all services.
   */
  minimumFee: z.nullable(unsignedDecimal),
});
export type MarkUp = z.output<typeof MarkUp>;

export const costBases = ['billed', 'effective'] as const;
export const sellBases = ['cost', 'list'] as const;
export const Selling = z.strictObject({
  /** What counts as cost: as invoiced, or with commitments amortized over the usage they cover. */
  costBasis: z.enum(costBases),
  /**
   * What the mark-up is applied to: the cost, or the list price, with which the operator keeps the cloud's
   * discounts.
   */
  sellBasis: z.enum(sellBases),
  /** Whether the cloud's credits and discounts are passed on; otherwise the operator keeps them. */
  passesCredits: z.boolean(),
  markUps: z.array(MarkUp).check(z.maxLength(maxRules)),
});
export type Selling = z.output<typeof Selling>;

const secret = z.string().check(z.regex(/^[\x21-\x7e]{1,200}$/));
const prefix = z.string().check(z.maxLength(500), z.regex(/^[^\\\p{Cc}]*$/u));
/** Where files come from. A bucket's secret key is sealed and never returned. */
export const Place = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('upload') }),
  z.strictObject({ kind: z.literal('folder'), path: prefix }),
  z.strictObject({
    kind: z.literal('bucket'),
    bucket: z.string().check(z.regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/)),
    prefix,
    region: z.string().check(z.regex(/^[a-z0-9-]{1,40}$/)),
    endpoint: z.nullable(z.string().check(z.maxLength(500))),
    /** null: the bucket is public. */
    accessKeyId: z.nullable(secret),
  }),
]);
export type Place = z.output<typeof Place>;

const Payer = z.strictObject({ id: id('sub'), name: z.string(), organization: z.string() });
const Amount = z.strictObject({ amount: exactDecimal, currency: z.string() });
export type Amount = z.output<typeof Amount>;
const Failure = z.strictObject({
  code: z.string(),
  /** The reason as a sentence. */
  message: z.string(),
  /** The line of the file or the row of the table that caused it, if any. */
  row: z.nullable(z.int()),
  column: z.nullable(z.string()),
});

export const Rate = z.strictObject({
  periodStart: day,
  from: z.string(),
  to: currency,
  rate: exactDecimal,
  asOf: day,
});
export type Rate = z.output<typeof Rate>;

export const CostPeriod = z.strictObject({
  periodStart: day,
  periodEnd: day,
  version: z.int(),
  importId: id('cim'),
  importedAt: instant,
  rows: z.int(),
  /** The total cost of the files by currency, without the cloud's taxes. */
  cost: z.array(Amount),
  tax: z.array(Amount),
  assigned: z.array(Amount),
  unassigned: z.array(Amount),
  ignored: z.array(Amount),
  sold: z.array(Amount),
  /** What could not be sold, with the reason: a missing rate, or a subscription that had not started. */
  notSold: z.array(z.strictObject({ reason: z.string(), message: z.string(), ...Amount.shape })),
  /** Whether rules or selling settings changed after it was sold. */
  isOutdated: z.boolean(),
});
export type CostPeriod = z.output<typeof CostPeriod>;

export const CostSource = z.strictObject({
  id: id('csr'),
  name: z.string(),
  place: Place,
  /** The currency of rows without one; null rejects such rows. */
  assumedCurrency: z.nullable(currency),
  isPaused: z.boolean(),
  rules: z.array(AssignRule),
  selling: Selling,
  /** The subscriptions that its rules and mark-ups name. */
  payers: z.array(Payer),
  /** The organizations that its mark-ups name. */
  organizations: z.array(z.strictObject({ id: id('org'), name: z.string() })),
  periods: z.array(CostPeriod),
  rates: z.array(Rate),
  nextPullAt: z.nullable(instant),
  lastPullAt: z.nullable(instant),
  failure: z.nullable(Failure),
  version: z.int(),
  createdAt: instant,
});
export type CostSource = z.output<typeof CostSource>;

export const importStates = [
  'waiting',
  'reading',
  'ready',
  'applied',
  'superseded',
  'failed',
  'cancelled',
] as const;
export const CostImport = z.strictObject({
  id: id('cim'),
  sourceId: id('csr'),
  name: z.string(),
  state: z.enum(importStates),
  format: z.nullable(z.enum(costFormats)),
  bytes: z.int(),
  bytesRead: z.int(),
  rows: z.int(),
  /**
   * The number of rows without a currency, and the source's currency they were given; null if there are none.
   */
  assumed: z.nullable(z.strictObject({ rows: z.int(), currency })),
  periods: z.array(day),
  cost: z.array(Amount),
  failure: z.nullable(Failure),
  createdAt: instant,
  endedAt: z.nullable(instant),
});
export type CostImport = z.output<typeof CostImport>;

const Owner = {
  provider: z.string(),
  account: z.string(),
  subAccount: z.string(),
  subAccountName: z.string(),
};
export const Preview = z.strictObject({
  /** For a file that was read but not imported yet, or for the imported data. */
  periods: z.array(
    z.strictObject({
      periodStart: day,
      cost: z.array(Amount),
      tax: z.array(Amount),
      assigned: z.array(Amount),
      unassigned: z.array(Amount),
      ignored: z.array(Amount),
      subscriptions: z.array(
        z.strictObject({
          subscription: Payer,
          cost: z.array(Amount),
          sold: z.nullable(Amount),
          /** Why some of it cannot be sold. */
          message: z.nullable(z.string()),
          services: z.int(),
        }),
      ),
      /**
       * Unassigned cost by account (sub-account, else billing account, else vendor), largest first; lists at
       * most 100, but counts all.
       */
      unassignedAccounts: z.array(
        z.strictObject({
          ...Owner,
          cost: z.array(Amount),
          /** The rule condition that matches the whole account; null if the file does not name one. */
          by: z.nullable(z.omit(AssignRule, { subscriptionId: true })),
          /** Its parts by resource group and tags, largest first; lists at most 20, but counts all. */
          scopes: z.array(
            z.strictObject({
              ...Owner,
              resourceGroup: z.string(),
              tags: z.record(z.string(), z.string()),
              ...Amount.shape,
            }),
          ),
          scopeCount: z.int(),
        }),
      ),
      unassignedCount: z.int(),
    }),
  ),
  /** The amounts that each rule, by its index, matches. */
  perRule: z.array(z.array(Amount)),
});
export type Preview = z.output<typeof Preview>;

export const MarginRow = z.strictObject({
  organization: z.string(),
  organizationId: id('org'),
  /** A cloud service; '' for the rest of the bill: rounding, minimums, adjustments. */
  service: z.string(),
  currency,
  /** Both in the currency of the bill. */
  sold: exactDecimal,
  cost: exactDecimal,
  margin: exactDecimal,
  /** In percent of the sales; null if there are none. */
  percent: z.nullable(exactDecimal),
  /** Whether the bill is issued; the sold amount is then the bill's. */
  isIssued: z.boolean(),
});
export type MarginRow = z.output<typeof MarginRow>;
export const Margin = z.strictObject({
  month,
  rows: z.array(MarginRow),
  totals: z.array(
    z.strictObject({
      currency,
      sold: exactDecimal,
      cost: exactDecimal,
      margin: exactDecimal,
      percent: z.nullable(exactDecimal),
    }),
  ),
  unassigned: z.array(Amount),
});
export type Margin = z.output<typeof Margin>;

const admin = { roles: ['Admin'] } as const;
const one = { sourceId: id('csr') };
const oneImport = { importId: id('cim') };
const settings = {
  name: text(80),
  place: Place,
  /** For files whose rows have no currency, such as excerpts. Rows with a currency keep it. */
  assumedCurrency: z.optional(z.nullable(currency)),
  /** Required with an access key, and again when the bucket changes. */
  secretAccessKey: z.optional(secret),
  rules: z.array(AssignRule).check(z.maxLength(maxRules)),
  selling: Selling,
};

export const costImports = contract({
  listCostSources: route({
    method: 'GET',
    path: '/admin/cost-sources',
    access: admin,
    isBatchable: true,
    summary: 'List cost sources',
    description:
      'Where cost files come from, and what was imported, assigned, and sold in each billing period.',
    input: z.strictObject(pageQuery),
    output: pageOf(CostSource),
  }),
  getCostSource: route({
    method: 'GET',
    path: '/admin/cost-sources/:sourceId',
    access: admin,
    isBatchable: true,
    summary: 'Get a cost source',
    description: 'Its secret key is never returned.',
    input: z.strictObject(one),
    output: CostSource,
  }),
  createCostSource: route({
    method: 'POST',
    path: '/admin/cost-sources',
    access: admin,
    status: 201,
    idempotent: true,
    summary: 'Create a cost source',
    description: 'Uploads, a folder, or a bucket.',
    input: z.strictObject(settings),
    output: CostSource,
  }),
  updateCostSource: route({
    method: 'PATCH',
    path: '/admin/cost-sources/:sourceId',
    access: admin,
    summary: 'Update a cost source',
    description:
      'Rules and markups apply from the next import. What’s already imported is sold again only on request.',
    input: z.strictObject({
      ...one,
      version: z.int(),
      name: z.optional(settings.name),
      place: z.optional(settings.place),
      assumedCurrency: settings.assumedCurrency,
      secretAccessKey: settings.secretAccessKey,
      rules: z.optional(settings.rules),
      selling: z.optional(settings.selling),
      isPaused: z.optional(z.boolean()),
    }),
    output: CostSource,
  }),
  assignCost: route({
    method: 'POST',
    path: '/admin/cost-sources/:sourceId/assignments',
    access: admin,
    idempotent: true,
    summary: 'Assign unassigned cost',
    description:
      'Adds a rule: a subscription pays, existing or created with this call, or nobody does on purpose. It applies to the next import and to what’s sold again.',
    input: z.strictObject({
      ...one,
      by: z.omit(AssignRule, { subscriptionId: true }),
      to: z.discriminatedUnion('kind', [...payerTargets, z.strictObject({ kind: z.literal('nobody') })]),
    }),
    output: CostSource,
  }),
  deleteCostSource: route({
    method: 'DELETE',
    path: '/admin/cost-sources/:sourceId',
    access: admin,
    summary: 'Delete a cost source',
    description: 'Only if nothing from it was ever sold.',
    input: z.strictObject(one),
    output: nothing,
  }),
  pullCostSource: route({
    method: 'POST',
    path: '/admin/cost-sources/:sourceId/pull',
    access: admin,
    status: 202,
    summary: 'Check for cost files now',
    description: 'Looks for new files without waiting for the schedule.',
    input: z.strictObject(one),
    output: CostSource,
  }),
  uploadCostFile: route({
    method: 'POST',
    path: '/admin/cost-sources/:sourceId/files',
    access: admin,
    status: 202,
    atOnce: 2,
    raw: {
      types: ['text/csv', 'application/gzip', 'application/octet-stream', 'application/x-ndjson'],
      maxBytes: maxUploadBytes,
    },
    summary: 'Upload a cost file',
    description: 'CSV, JSON Lines, gzip, or Parquet. It’s read now and sold only once it’s imported.',
    input: z.strictObject({ ...one, name: text(200) }),
    output: CostImport,
  }),
  listCostImports: route({
    method: 'GET',
    path: '/admin/cost-sources/:sourceId/imports',
    access: admin,
    summary: 'List cost files',
    description: 'The files of a source with their state, newest first.',
    input: z.strictObject({ ...pageQuery, ...one }),
    output: pageOf(CostImport),
  }),
  applyCostImport: route({
    method: 'POST',
    path: '/admin/cost-imports/:importId/apply',
    access: admin,
    summary: 'Import a cost file',
    description: 'Replaces the file’s billing periods; what changed is resold.',
    input: z.strictObject(oneImport),
    output: CostImport,
  }),
  cancelCostImport: route({
    method: 'POST',
    path: '/admin/cost-imports/:importId/cancel',
    access: admin,
    summary: 'Cancel a cost import',
    description: 'Stops reading a file, or discards one that was read. Earlier imports stay.',
    input: z.strictObject(oneImport),
    output: CostImport,
  }),
  retryCostImport: route({
    method: 'POST',
    path: '/admin/cost-imports/:importId/retry',
    access: admin,
    status: 202,
    summary: 'Retry a cost import',
    description: 'Rereads a file that couldn’t be read or was discarded.',
    input: z.strictObject(oneImport),
    output: CostImport,
  }),
  previewCosts: route({
    method: 'POST',
    path: '/admin/cost-sources/:sourceId/preview',
    access: admin,
    atOnce: 2,
    summary: 'Preview rules and markups',
    description: 'What they would come to, for a file that was read or for what’s imported. Changes nothing.',
    input: z.strictObject({
      ...one,
      importId: z.optional(id('cim')),
      rules: z.optional(settings.rules),
      selling: z.optional(settings.selling),
    }),
    output: Preview,
  }),
  sellCostPeriod: route({
    method: 'POST',
    path: '/admin/cost-sources/:sourceId/periods/:periodStart/sell',
    access: admin,
    summary: 'Resell a billing period',
    description:
      'Applies the current rules and markups to an imported period. Only differences are recorded.',
    input: z.strictObject({ ...one, periodStart: day }),
    output: CostSource,
  }),
  setCostRate: route({
    method: 'PUT',
    path: '/admin/cost-sources/:sourceId/rates/:periodStart',
    access: admin,
    summary: 'Set a billing period’s exchange rate',
    description: 'One unit of the cost’s currency in the currency of the bill.',
    input: z.strictObject({
      ...one,
      periodStart: day,
      from: currency,
      to: currency,
      rate: unsignedDecimal,
      /** The day of the rate. */
      asOf: day,
    }),
    output: CostSource,
  }),
  createResoldCloud: route({
    method: 'POST',
    path: '/admin/cost-template',
    access: admin,
    status: 201,
    idempotent: true,
    summary: 'Create a resold cloud service',
    description:
      'Creates the meter and a service with a rate card for reselling, where one unit is one unit of its currency.',
    input: z.strictObject({ name: text(120), currency }),
    output: z.strictObject({ serviceId: id('svc'), name: z.string() }),
  }),
  getMargin: route({
    method: 'GET',
    path: '/admin/cost-margin',
    access: admin,
    isBatchable: true,
    summary: 'Get cloud resale margin',
    description: 'What was sold, what it cost, and the margin, by customer and cloud service in a month.',
    input: z.strictObject({ month }),
    output: Margin,
  }),
  exportMargin: route({
    method: 'GET',
    path: '/admin/cost-margin/export',
    access: admin,
    atOnce: 2,
    summary: 'Export cloud resale margin',
    description: 'A month’s margin as CSV.',
    input: z.strictObject({ month, language: z.optional(language) }),
    output: file,
  }),
});

export const costImportsErrors = {
  'costs.not_found': 404,
  'costs.import_not_found': 404,
  'costs.too_many': 409,
  'costs.too_many_rules': 409,
  'costs.changed_meanwhile': 409,
  'costs.was_sold': 409,
  'costs.not_ready': 409,
  'costs.not_repeatable': 409,
  'costs.not_cancellable': 409,
  'costs.no_pull': 409,
  'costs.is_empty': 422,
  // Invalid fields: the response names the field (400).
  'costs.secret_needed': 400,
  'costs.place_fixed': 400,
  'costs.folders_closed': 400,
  'costs.address': 400,
  'costs.path': 400,
  'costs.tag_needed': 400,
  'costs.percent_too_low': 400,
  'costs.minimum_of_service': 400,
  'costs.same_mark_up': 400,
  'costs.subscription_unknown': 400,
  'costs.organization_unknown': 400,
  'costs.period_unknown': 404,
  'costs.rate_zero': 400,
  'costs.same_currency': 400,
} as const satisfies ErrorTable;
