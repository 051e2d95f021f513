// Reconciliation: compares what exists in the clouds with what is billed, in money, and records an Admin's
// action on each difference.
import * as z from 'zod/mini';
import { contract, noInput, nothing, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import { acceptedMoney, id, instant, moneyShape, pageOf, pageQuery, text } from '#kernel/shape.ts';
import { planQuantity } from '#features/selling/subscriptions/contract.ts';
import { Failure, itemKinds } from '#features/metering/connectors/contract-sources.ts';

/**
 * `unbilled`: it exists and nobody pays for it. `ghost`: somebody pays for it and it does not exist.
 * `differs`: its size or owner is not the billed one.
 */
export const findingKinds = ['unbilled', 'ghost', 'differs'] as const;
export type FindingKind = (typeof findingKinds)[number];
/**
 * `unmapped`: it belongs to no subscription. `waiting`: its readings wait. `ended`: its subscription has
 * ended. `usage`: usage still arrives. `fee`: the subscription's fee covers it.
 */
export const findingCauses = ['unmapped', 'waiting', 'ended', 'usage', 'fee', 'size', 'owner'] as const;
export type FindingCause = (typeof findingCauses)[number];

const Payer = z.strictObject({
  id: id('sub'),
  name: z.string(),
  organizationId: id('org'),
  organization: z.string(),
});

export const Finding = z.strictObject({
  id: id('rcf'),
  kind: z.enum(findingKinds),
  cause: z.enum(findingCauses),
  connector: z.strictObject({ id: id('con'), name: z.string() }),
  resource: z.string(),
  itemKind: z.enum(itemKinds),
  name: z.string(),
  project: z.string(),
  size: z.string(),
  /** The billed size, if it differs. */
  billedSize: z.string(),
  since: z.nullable(instant),
  itemState: z.string(),
  /** Who pays or paid for it. */
  subscription: z.nullable(Payer),
  /** Who would pay by the current rules, if different. */
  owner: z.nullable(Payer),
  /** An organization that pays for another resource of the same project. */
  suggested: z.nullable(z.strictObject({ id: id('org'), name: z.string() })),
  /** The service whose price determines the amount. */
  service: z.nullable(z.strictObject({ id: id('svc'), name: z.string() })),
  /**
   * Before tax. Unbilled: what this month would have cost so far. Ghost: what a month costs its customer.
   * Different size: what a month at the current size costs more. Null without a price, or if no quantity is
   * known.
   */
  amount: z.nullable(moneyShape),
  firstFoundAt: instant,
  lastFoundAt: instant,
  ignored: z.nullable(z.strictObject({ reason: z.string(), by: z.string(), at: instant })),
  /** The source's data about it, as JSON. */
  fields: z.string(),
});
export type Finding = z.output<typeof Finding>;

export const runStates = ['waiting', 'running', 'done', 'failed'] as const;
const RunSource = z.strictObject({
  connectorId: id('con'),
  name: z.string(),
  /** The number of items in its inventory. */
  items: z.int(),
  /** Why it could not list what exists; its earlier findings are kept. */
  failure: z.nullable(Failure),
});
export type RunSource = z.output<typeof RunSource>;
const Total = z.strictObject({ kind: z.enum(findingKinds), amount: moneyShape });
export const Run = z.strictObject({
  id: id('rcr'),
  state: z.enum(runStates),
  /** Who requested it; null if it was scheduled. */
  askedBy: z.nullable(z.string()),
  askedAt: instant,
  startedAt: z.nullable(instant),
  endedAt: z.nullable(instant),
  sources: z.array(RunSource),
  unbilled: z.int(),
  ghosts: z.int(),
  differs: z.int(),
  totals: z.array(Total),
});
export type Run = z.output<typeof Run>;

/** The state of the inventory that findings come from. */
const SourceState = z.strictObject({
  connectorId: id('con'),
  name: z.string(),
  items: z.int(),
  /** When it last listed what exists; null if it never did. */
  readAt: z.nullable(instant),
  failure: z.nullable(Failure),
});
const PriceChoice = z.strictObject({
  connectorId: id('con'),
  itemKind: z.enum(itemKinds),
  serviceId: id('svc'),
});
export const Settings = z.strictObject({
  /** How many hours after its last reading usage of a missing resource is reported as a ghost. */
  ghostHours: z.int(),
  /** Admins are notified when the unbilled amount exceeds this; null for never. */
  noticeAbove: z.nullable(moneyShape),
  /** The service whose price values an item that belongs to no one. */
  prices: z.array(
    z.strictObject({ ...PriceChoice.shape, serviceName: z.string(), connectorName: z.string() }),
  ),
  version: z.int(),
});
export type Settings = z.output<typeof Settings>;
export const Overview = z.strictObject({
  sources: z.array(SourceState),
  /** The latest run, which may be waiting or running. */
  run: z.nullable(Run),
  /** Counts of the current findings that are not ignored. */
  counts: z.strictObject({ unbilled: z.int(), ghost: z.int(), differs: z.int(), ignored: z.int() }),
  totals: z.array(Total),
  settings: Settings,
});
export type Overview = z.output<typeof Overview>;

export const IgnoredEntry = z.strictObject({
  id: id('rci'),
  /** The finding that is currently ignored; null if that was undone or it is resolved. */
  findingId: z.nullable(id('rcf')),
  resource: z.string(),
  kind: z.enum(findingKinds),
  connector: z.string(),
  reason: z.string(),
  ignoredBy: z.string(),
  ignoredAt: instant,
  undoneBy: z.nullable(z.string()),
  undoneAt: z.nullable(instant),
});
export type IgnoredEntry = z.output<typeof IgnoredEntry>;

const admin = { roles: ['Admin'] } as const;
const one = { findingId: id('rcf') };
export const maxPrices = 400;
export const findingStates = ['open', 'ignored'] as const;

export const reconciliation = contract({
  getReconciliation: route({
    method: 'GET',
    path: '/admin/reconciliation',
    access: admin,
    summary: 'Get reconciliation status',
    description: 'The latest run, the total of current findings, and the settings.',
    input: noInput,
    output: Overview,
  }),
  listFindings: route({
    method: 'GET',
    path: '/admin/reconciliation/findings',
    access: admin,
    summary: 'List findings',
    description:
      'What exists but isn’t billed, is billed but doesn’t exist, or differs, most expensive first.',
    input: z.strictObject({
      ...pageQuery,
      kind: z.optional(z.enum(findingKinds)),
      state: z.optional(z.enum(findingStates)),
      connectorId: z.optional(id('con')),
    }),
    output: pageOf(Finding),
  }),
  getFinding: route({
    method: 'GET',
    path: '/admin/reconciliation/findings/:findingId',
    access: admin,
    summary: 'Get a finding',
    input: z.strictObject(one),
    output: Finding,
  }),
  listReconciled: route({
    method: 'GET',
    path: '/admin/reconciliation/connectors',
    access: admin,
    summary: 'List reconciled connectors',
    description: 'The connectors that report what exists, with the kinds of resources they know.',
    input: noInput,
    output: z.strictObject({
      items: z.array(z.strictObject({ id: id('con'), name: z.string(), kinds: z.array(z.enum(itemKinds)) })),
    }),
  }),
  startReconciliation: route({
    method: 'POST',
    path: '/admin/reconciliation/runs',
    access: admin,
    status: 202,
    idempotent: true,
    summary: 'Start a reconciliation',
    description: 'Runs in the background. If one is already queued, that one is returned.',
    input: noInput,
    output: Run,
  }),
  listReconciliations: route({
    method: 'GET',
    path: '/admin/reconciliation/runs',
    access: admin,
    summary: 'List reconciliations',
    description: 'The runs of the last 90 days, newest first.',
    input: z.strictObject(pageQuery),
    output: pageOf(Run),
  }),
  subscribeFinding: route({
    method: 'POST',
    path: '/admin/reconciliation/findings/:findingId/subscribe',
    access: admin,
    idempotent: true,
    summary: 'Bill a finding',
    description:
      'Lets a subscription, existing or new, pay for what’s unbilled. Its pending usage is counted.',
    input: z.strictObject({
      ...one,
      to: z.discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('existing'), subscriptionId: id('sub') }),
        z.strictObject({
          kind: z.literal('new'),
          organizationId: id('org'),
          serviceId: id('svc'),
          quantity: z.optional(planQuantity),
          startedAt: z.optional(instant),
        }),
      ]),
    }),
    output: z.strictObject({ subscriptionId: id('sub') }),
  }),
  endFinding: route({
    method: 'POST',
    path: '/admin/reconciliation/findings/:findingId/end',
    access: admin,
    idempotent: true,
    summary: 'End a ghost’s subscription',
    description:
      'Ends the subscription that pays for something that no longer exists, now or at the end of its term.',
    input: z.strictObject({ ...one, when: z.enum(['now', 'end']) }),
    output: nothing,
  }),
  ignoreFinding: route({
    method: 'POST',
    path: '/admin/reconciliation/findings/:findingId/ignore',
    access: admin,
    idempotent: true,
    summary: 'Ignore a finding',
    description: 'Leaves it out of lists and totals, with a reason on record.',
    input: z.strictObject({ ...one, reason: text(300) }),
    output: nothing,
  }),
  heedFinding: route({
    method: 'DELETE',
    path: '/admin/reconciliation/findings/:findingId/ignore',
    access: admin,
    summary: 'Stop ignoring a finding',
    input: z.strictObject(one),
    output: nothing,
  }),
  listIgnored: route({
    method: 'GET',
    path: '/admin/reconciliation/ignored',
    access: admin,
    summary: 'List ignored findings',
    description: 'Who ignored what and why, including what was taken back, newest first.',
    input: z.strictObject(pageQuery),
    output: pageOf(IgnoredEntry),
  }),
  setReconciliation: route({
    method: 'PUT',
    path: '/admin/reconciliation/settings',
    access: admin,
    summary: 'Update reconciliation settings',
    description: 'Starts a run immediately, which applies them.',
    input: z.strictObject({
      version: z.int(),
      ghostHours: z.int().check(z.minimum(1), z.maximum(720)),
      noticeAbove: z.nullable(acceptedMoney),
      prices: z.array(PriceChoice).check(z.maxLength(maxPrices)),
    }),
    output: Settings,
  }),
});

export const reconciliationErrors = {
  'reconciliation.not_found': 404,
  'reconciliation.changed_meanwhile': 409,
  'reconciliation.not_unbilled': 409,
  'reconciliation.not_ghost': 409,
  'reconciliation.is_ignored': 409,
  'reconciliation.subscription_unknown': 400,
  'reconciliation.connector_unknown': 400,
  'reconciliation.service_unknown': 400,
  'reconciliation.price_twice': 400,
  'reconciliation.notice_not_positive': 400,
} as const satisfies ErrorTable;
