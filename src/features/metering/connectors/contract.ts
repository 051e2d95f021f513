// Connectors: usage that the console pulls from a monitoring system or a cloud's API, without custom code.
import * as z from 'zod/mini';
import { contract, nothing, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import { day, id, instant, optionalText, pageOf, pageQuery, text } from '#kernel/shape.ts';
import { credentialKinds, Credentials, Failure, fieldPath, Options } from './contract-sources.ts';

/**
 * The window lengths a connector can read, in seconds. They divide an hour, so that no window spans two
 * months in any time zone whose offset from UTC is whole hours.
 */
export const windowLengths = [300, 900, 3600] as const;
export const maxConnectors = 100;
export const maxRules = 500;
export const maxMeasures = 10;
export const maxDimensions = 5;
/** How far back usage may be pulled, in days. */
export const longestBackfillDays = 400;

/** A positive decimal that quantities are multiplied or divided by. */
const factor = z.string().check(z.regex(/^(?!0+(\.0+)?$)\d{1,24}(\.\d{1,12})?$/));

/**
 * Decides whose usage a resource is: the first rule whose field has the value applies. A trailing `*` matches
 * any ending.
 */
export const Rule = z.strictObject({ field: fieldPath, value: text(300), subscriptionId: id('sub') });
export type Rule = z.output<typeof Rule>;

/** What counts of a reading: one event of a type. No two measures share a type. */
export const Measure = z.strictObject({
  eventType: text(200),
  /** A JSONata expression over the reading's fields; its result is a number or a decimal text. */
  quantity: text(1000),
  multiplyBy: factor,
  divideBy: factor,
  /** Meter dimension → JSONata expression. */
  dimensions: z.record(text(100), text(1000)),
});
export type Measure = z.output<typeof Measure>;

export const Mapping = z.strictObject({
  /** A field that contains the subscription's id; it takes precedence over the rules. '' for none. */
  subscriptionField: z.union([z.literal(''), fieldPath]),
  rules: z.array(Rule).check(z.maxLength(maxRules)),
  measures: z.array(Measure).check(z.minLength(1), z.maxLength(maxMeasures)),
});
export type Mapping = z.output<typeof Mapping>;

const Payer = z.strictObject({ id: id('sub'), name: z.string(), organization: z.string() });
/** A subscription as shown when choosing who pays: its service and its organization. */
export type Payer = z.output<typeof Payer>;

/**
 * Who pays: an existing subscription, or one that is created with the decision, starting at the beginning of
 * a day in the customer's time zone.
 */
export const payerTargets = [
  z.strictObject({ kind: z.literal('subscription'), subscriptionId: id('sub') }),
  z.strictObject({
    kind: z.literal('new'),
    organizationId: id('org'),
    serviceId: id('svc'),
    startsOn: day,
  }),
] as const;
export type PayerTarget = z.output<(typeof payerTargets)[number]>;

export const connectorStates = ['active', 'paused'] as const;
export const Connector = z.strictObject({
  id: id('con'),
  name: z.string(),
  address: z.string(),
  options: Options,
  credentials: z.enum(credentialKinds),
  state: z.enum(connectorStates),
  windowSeconds: z.int(),
  /** How long after its end a window is read, in seconds, so that late samples are included. */
  settleSeconds: z.int(),
  mapping: Mapping,
  /** The subscriptions that its rules name. */
  payers: z.array(Payer),
  /** Everything before this time was read. */
  readUntil: instant,
  /**
   * How far behind the connector is, in seconds: since the end of the oldest window that is readable but
   * unread; 0 if there is none.
   */
  lagSeconds: z.int(),
  nextPullAt: instant,
  lastPullAt: z.nullable(instant),
  failingSince: z.nullable(instant),
  failure: z.nullable(Failure),
  /** The remaining part of a backfill. */
  backfill: z.nullable(z.strictObject({ from: instant, until: instant })),
  /** Whether its window length can no longer be changed because windows have been read. */
  hasRead: z.boolean(),
  resources: z.int(),
  /** Resources with waiting readings, because nobody pays for them or metering rejected them. */
  waitingResources: z.int(),
  waitingReadings: z.int(),
  events: z.int(),
  version: z.int(),
  createdAt: instant,
});
export type Connector = z.output<typeof Connector>;

export const pullKinds = ['scheduled', 'backfill', 'waiting'] as const;
export const Pull = z.strictObject({
  id: id('cpl'),
  kind: z.enum(pullKinds),
  start: instant,
  end: instant,
  endedAt: instant,
  readings: z.int(),
  accepted: z.int(),
  duplicates: z.int(),
  /** Events that were already counted with a different quantity, which is kept. */
  differing: z.int(),
  /** Readings that wait. */
  waiting: z.int(),
  ignored: z.int(),
  failure: z.nullable(Failure),
});
export type Pull = z.output<typeof Pull>;

/** Why a reading waits, in addition to metering's rejection codes. */
export const waitReasons = ['unmapped', 'quantity', 'rejected'] as const;
export const resourceStates = ['waiting', 'mapped', 'ignored'] as const;
export const Resource = z.strictObject({
  id: z.string(),
  state: z.enum(resourceStates),
  subscription: z.nullable(Payer),
  /** Whether an Admin, rather than a rule, assigned it to its subscription or ignores it. */
  isByHand: z.boolean(),
  reason: z.nullable(z.enum(waitReasons)),
  /** The reason in words. */
  message: z.nullable(z.string()),
  waiting: z.int(),
  firstSeenAt: instant,
  lastSeenAt: instant,
  /** The source's latest data about it, as JSON. */
  fields: z.string(),
});
export type Resource = z.output<typeof Resource>;

export const DryRun = z.strictObject({
  start: instant,
  end: instant,
  failure: z.nullable(Failure),
  resources: z.int(),
  unmapped: z.int(),
  /** How many resources each rule, by its index, would match. */
  perRule: z.array(z.int()),
  /** The first hundred, those that would wait first. */
  rows: z.array(
    z.strictObject({
      resource: z.string(),
      fields: z.string(),
      subscription: z.nullable(Payer),
      reason: z.nullable(z.enum(waitReasons)),
      message: z.nullable(z.string()),
      events: z.array(
        z.strictObject({
          eventType: z.string(),
          quantity: z.string(),
          dimensions: z.record(z.string(), z.string()),
        }),
      ),
    }),
  ),
});
export type DryRun = z.output<typeof DryRun>;

const admin = { roles: ['Admin'] } as const;
const one = { connectorId: id('con') };
const settings = {
  name: text(80),
  address: text(2000),
  options: Options,
  credentials: Credentials,
  windowSeconds: z.literal([...windowLengths]),
  settleSeconds: z.int().check(z.minimum(0), z.maximum(86_400)),
  mapping: Mapping,
};

export const connectors = contract({
  listConnectors: route({
    method: 'GET',
    path: '/admin/connectors',
    access: admin,
    isBatchable: true,
    summary: 'List connectors',
    description: 'Their state, how far they have read, and what’s pending.',
    input: z.strictObject(pageQuery),
    output: pageOf(Connector),
  }),
  getConnector: route({
    method: 'GET',
    path: '/admin/connectors/:connectorId',
    access: admin,
    isBatchable: true,
    summary: 'Get a connector',
    description: 'Credentials are never returned.',
    input: z.strictObject(one),
    output: Connector,
  }),
  createConnector: route({
    method: 'POST',
    path: '/admin/connectors',
    access: admin,
    status: 201,
    idempotent: true,
    summary: 'Create a connector',
    description: 'It reads from the current window on.',
    input: z.strictObject(settings),
    output: Connector,
  }),
  updateConnector: route({
    method: 'PATCH',
    path: '/admin/connectors/:connectorId',
    access: admin,
    summary: 'Update a connector',
    description: 'A new address requires the credentials again. Pending readings are retried.',
    input: z.strictObject({
      ...one,
      version: z.int(),
      name: z.optional(settings.name),
      address: z.optional(settings.address),
      options: z.optional(settings.options),
      credentials: z.optional(settings.credentials),
      windowSeconds: z.optional(settings.windowSeconds),
      settleSeconds: z.optional(settings.settleSeconds),
      mapping: z.optional(settings.mapping),
    }),
    output: Connector,
  }),
  pauseConnector: route({
    method: 'POST',
    path: '/admin/connectors/:connectorId/pause',
    access: admin,
    summary: 'Pause a connector',
    description: 'It reads nothing until it’s resumed.',
    input: z.strictObject(one),
    output: Connector,
  }),
  resumeConnector: route({
    method: 'POST',
    path: '/admin/connectors/:connectorId/resume',
    access: admin,
    summary: 'Resume a connector',
    description: 'Continues where it stopped, including the windows of the pause.',
    input: z.strictObject(one),
    output: Connector,
  }),
  deleteConnector: route({
    method: 'DELETE',
    path: '/admin/connectors/:connectorId',
    access: admin,
    summary: 'Delete a connector',
    description: 'Pending readings are deleted too. Usage that it brought stays.',
    input: z.strictObject(one),
    output: nothing,
  }),
  checkConnector: route({
    method: 'POST',
    path: '/admin/connectors/:connectorId/check',
    access: admin,
    atOnce: 2,
    summary: 'Check a connection',
    description: 'Asks the source whether the address, credentials, and query are right.',
    input: z.strictObject(one),
    output: z.strictObject({ says: z.nullable(z.string()), failure: z.nullable(Failure) }),
  }),
  dryRunConnector: route({
    method: 'POST',
    path: '/admin/connectors/:connectorId/dry-run',
    access: admin,
    atOnce: 2,
    summary: 'Dry-run a connector',
    description:
      'Reads the newest complete window and returns the events that a mapping would produce. Nothing is counted.',
    input: z.strictObject({ ...one, mapping: z.optional(Mapping) }),
    output: DryRun,
  }),
  tryConnector: route({
    method: 'POST',
    path: '/admin/connectors/try',
    access: admin,
    atOnce: 2,
    summary: 'Try unsaved connector settings',
    description:
      'Reads the newest complete window with the given settings and returns the events it would produce. Nothing is counted. For an existing connector, its stored credentials are used unless others are given.',
    input: z.strictObject({
      connectorId: z.optional(id('con')),
      address: settings.address,
      options: settings.options,
      credentials: z.optional(settings.credentials),
      windowSeconds: settings.windowSeconds,
      settleSeconds: settings.settleSeconds,
      mapping: settings.mapping,
    }),
    output: DryRun,
  }),
  pullConnector: route({
    method: 'POST',
    path: '/admin/connectors/:connectorId/pull',
    access: admin,
    status: 202,
    summary: 'Pull now',
    description: 'Reads what’s available without waiting for the schedule, and retries pending readings.',
    input: z.strictObject(one),
    output: Connector,
  }),
  backfillConnector: route({
    method: 'POST',
    path: '/admin/connectors/:connectorId/backfill',
    access: admin,
    status: 202,
    summary: 'Backfill a connector',
    description:
      'Reads past windows from the given time. What was already counted isn’t counted again; differences are reported but not counted.',
    input: z.strictObject({ ...one, from: instant }),
    output: Connector,
  }),
  listPulls: route({
    method: 'GET',
    path: '/admin/connectors/:connectorId/pulls',
    access: admin,
    summary: 'List a connector’s windows',
    description: 'The windows that were read, newest first.',
    input: z.strictObject({ ...pageQuery, ...one }),
    output: pageOf(Pull),
  }),
  listResources: route({
    method: 'GET',
    path: '/admin/connectors/:connectorId/resources',
    access: admin,
    summary: 'List a connector’s resources',
    description: 'Resources with pending readings come first.',
    input: z.strictObject({ ...pageQuery, ...one, state: z.optional(z.enum(resourceStates)) }),
    output: pageOf(Resource),
  }),
  listPayers: route({
    method: 'GET',
    path: '/admin/connector-payers',
    access: admin,
    summary: 'Find subscriptions for a resource',
    description:
      'Subscriptions that may pay for resources, by part of the service’s or organization’s name or ID. Up to 20.',
    input: z.strictObject({ q: z.optional(optionalText(200)) }),
    output: z.strictObject({ items: z.array(Payer) }),
  }),
  assignResource: route({
    method: 'POST',
    path: '/admin/connectors/:connectorId/assignments',
    access: admin,
    idempotent: true,
    summary: 'Assign a resource',
    description:
      'Assigns it to a subscription, existing or created with this call, ignores it, or leaves it to the rules again. Its pending readings are retried.',
    input: z.strictObject({
      ...one,
      resource: text(500),
      to: z.discriminatedUnion('kind', [
        ...payerTargets,
        z.strictObject({ kind: z.literal('ignored') }),
        z.strictObject({ kind: z.literal('rules') }),
      ]),
    }),
    output: nothing,
  }),
});

export const connectorsErrors = {
  'connectors.not_found': 404,
  'connectors.resource_not_found': 404,
  'connectors.too_many': 409,
  'connectors.changed_meanwhile': 409,
  'connectors.is_paused': 409,
  // Invalid fields: the response names the field (400).
  'connectors.address_malformed': 400,
  'connectors.address_not_https': 400,
  'connectors.address_credentials': 400,
  'connectors.address_port': 400,
  'connectors.address_host': 400,
  'connectors.address_not_public': 400,
  'connectors.credentials_again': 400,
  'connectors.windows_fixed': 400,
  'connectors.kind_fixed': 400,
  'connectors.same_event_type': 400,
  'connectors.too_many_dimensions': 400,
  'connectors.expression_wrong': 400,
  'connectors.subscription_unknown': 400,
  'connectors.paging_incomplete': 400,
  'connectors.option_missing': 400,
  'connectors.granularity_odd': 400,
  'connectors.credentials_kind': 400,
  'connectors.inventory_elsewhere': 400,
  'connectors.backfill_future': 400,
  'connectors.backfill_too_far': 400,
} as const satisfies ErrorTable;
