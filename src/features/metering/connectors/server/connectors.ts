// Connectors for Admins: create, change, pause and delete them, and trigger pulls. Every change is written to
// the audit log, without credentials.
import type { In, Out } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import type { Page } from '#kernel/shape.ts';
import { dayMs } from '#kernel/durations.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { lockUntilEnd } from '#platform/server/unit-of-work/unit-of-work.ts';
import { rejectionText } from '#features/metering/usage/rules.ts';
import {
  connectorsErrors,
  longestBackfillDays,
  maxConnectors,
  type Connector,
  type connectors,
  type Payer,
  type Pull,
  type Resource,
} from '../contract.ts';
import { lagSeconds, readableAt, windowStart } from '../rules.ts';
import { assertAddress, assertCredentials, assertMapping, assertOptions } from './check-settings.ts';
import { sealed } from './credentials.ts';
import { payingSubscription, type PayingUse } from './paying.ts';
import {
  askBackfill,
  askPull,
  changeConnector,
  connectorById,
  countConnectors,
  deleteConnectorRow,
  insertConnector,
  lockConnector,
  pageOfConnectors,
  setPaused,
  type ConnectorRow,
  type CountedRow,
} from './store.ts';
import { pageOfPulls } from './store-pulls.ts';
import { assign, findPayers, namesOfSubscriptions, pageOfResources } from './store-resources.ts';

/** A connector as Admins see it: everything except its credentials. */
function viewOf(row: CountedRow, now: Date, payerOf: PayerOf): Connector {
  return {
    id: row.id,
    name: row.name,
    address: row.address,
    options: row.options,
    credentials: row.credentialKind,
    state: row.isPaused ? 'paused' : 'active',
    windowSeconds: row.windowSeconds,
    settleSeconds: row.settleSeconds,
    mapping: row.mapping,
    payers: [...new Set(row.mapping.rules.map((rule) => rule.subscriptionId))].flatMap(
      (subscriptionId) => payerOf(subscriptionId) ?? [],
    ),
    readUntil: row.readUntil,
    lagSeconds: lagSeconds(row.readUntil, row.windowSeconds, row.settleSeconds, now),
    nextPullAt: row.nextPullAt,
    lastPullAt: row.lastPullAt,
    failingSince: row.failingSince,
    failure: row.failureCode && { code: row.failureCode, detail: row.failureDetail ?? '' },
    backfill:
      row.backfillFrom && row.backfillUntil ? { from: row.backfillFrom, until: row.backfillUntil } : null,
    hasRead: row.hasRead,
    resources: Number(row.resources),
    waitingResources: Number(row.waitingResources),
    waitingReadings: Number(row.waitingReadings),
    events: Number(row.events),
    version: row.version,
    createdAt: row.createdAt,
  };
}

type PayerOf = (subscriptionId: string) => Payer | undefined;

/** Returns the subscriptions that the rules of some connectors name. */
async function payersOf(ctx: Ctx, rows: readonly CountedRow[]): Promise<PayerOf> {
  const ids = new Set(rows.flatMap(({ mapping }) => mapping.rules.map((rule) => rule.subscriptionId)));
  const names = await namesOfSubscriptions(ctx, [...ids]);
  return (subscriptionId) => names.get(subscriptionId);
}

export async function listConnectors(
  ctx: Ctx,
  input: In<typeof connectors.listConnectors>,
): Promise<Page<Connector>> {
  const page = await pageOfConnectors(ctx, input);
  const payerOf = await payersOf(ctx, page.items);
  return { ...page, items: page.items.map((row) => viewOf(row, ctx.now, payerOf)) };
}

/** Finds subscriptions that can pay, for choosing one. */
export const listPayers = async (
  ctx: Ctx,
  { q }: In<typeof connectors.listPayers>,
): Promise<Out<typeof connectors.listPayers>> => ({ items: await findPayers(ctx, q ?? '') });

/** Returns one connector. @throws DomainError `connectors.not_found` */
export async function getConnector(
  ctx: Ctx,
  { connectorId }: In<typeof connectors.getConnector>,
): Promise<Connector> {
  const row = await knownConnector(ctx, connectorId);
  return viewOf(row, ctx.now, await payersOf(ctx, [row]));
}

/** @throws DomainError `connectors.not_found` */
async function knownConnector(ctx: Ctx, connectorId: string): Promise<CountedRow> {
  const row = await connectorById(ctx, connectorId);
  if (!row) throw domainError(connectorsErrors, 'connectors.not_found');
  return row;
}

/** Returns one connector, locked. @throws DomainError `connectors.not_found` */
export async function lockedConnector(ctx: Ctx, connectorId: string): Promise<ConnectorRow> {
  const row = await lockConnector(ctx, connectorId);
  if (!row) throw domainError(connectorsErrors, 'connectors.not_found');
  return row;
}

/** Creates a connector; it reads from the current window on. */
export async function createConnector(
  ctx: Ctx,
  input: In<typeof connectors.createConnector>,
): Promise<Connector> {
  assertAddress(ctx, input.address);
  assertOptions(ctx, input.address, input.windowSeconds, input.options);
  assertCredentials(input.options.kind, input.credentials.kind);
  await assertMapping(ctx, input.mapping);
  await lockUntilEnd(ctx, 'connectors');
  if ((await countConnectors(ctx)) >= maxConnectors)
    throw domainError(connectorsErrors, 'connectors.too_many', { most: maxConnectors });
  const connectorId = ctx.newId('con');
  const { credentials, ...settings } = input;
  const readUntil = windowStart(ctx.now, input.windowSeconds);
  await insertConnector(ctx, {
    ...settings,
    id: connectorId,
    credentialKind: credentials.kind,
    credentials: sealed(ctx.app, connectorId, credentials),
    readUntil,
    nextPullAt: readableAt(readUntil, input.windowSeconds, input.settleSeconds),
  });
  ctx.audit('connectors.createConnector', connectorId, { ...settings, credentials: credentials.kind });
  ctx.publish('system/connectors', { kind: 'connectors' });
  return getConnector(ctx, { connectorId });
}

/**
 * Changes a connector. Settings that determined the events of past windows are fixed: with a different window
 * length or kind of source, the same usage would count again.
 */
export async function updateConnector(
  ctx: Ctx,
  { connectorId, version, credentials, ...change }: In<typeof connectors.updateConnector>,
): Promise<Connector> {
  const before = await lockedConnector(ctx, connectorId);
  if (version !== before.version)
    throw domainError(connectorsErrors, 'connectors.changed_meanwhile', { name: before.name });
  const after = {
    name: change.name ?? before.name,
    address: change.address ?? before.address,
    options: change.options ?? before.options,
    windowSeconds: change.windowSeconds ?? before.windowSeconds,
    settleSeconds: change.settleSeconds ?? before.settleSeconds,
    mapping: change.mapping ?? before.mapping,
  };
  if (change.address !== undefined) assertAddress(ctx, change.address);
  assertOptions(ctx, after.address, after.windowSeconds, after.options);
  if (credentials) assertCredentials(after.options.kind, credentials.kind);
  if (change.mapping) await assertMapping(ctx, change.mapping);
  if (after.options.kind !== before.options.kind)
    throw domainError(connectorsErrors, 'connectors.kind_fixed', {}, ['options']);
  const isNewGrid = after.windowSeconds !== before.windowSeconds;
  if (isNewGrid && (before.hasRead || before.backfillFrom))
    throw domainError(connectorsErrors, 'connectors.windows_fixed', {}, ['windowSeconds']);
  // Credentials are meant for one server; at another address they would be disclosed to a different one.
  const isElsewhere = new URL(after.address).origin !== new URL(before.address).origin;
  if (isElsewhere && credentials === undefined && before.credentials !== null)
    throw domainError(connectorsErrors, 'connectors.credentials_again', {}, ['credentials']);
  await changeConnector(ctx, connectorId, {
    ...after,
    credentialKind: credentials?.kind ?? before.credentialKind,
    credentials: credentials ? sealed(ctx.app, connectorId, credentials) : before.credentials,
    readUntil: isNewGrid ? windowStart(before.readUntil, after.windowSeconds) : before.readUntil,
  });
  ctx.audit('connectors.updateConnector', connectorId, {
    before: { name: before.name, address: before.address, options: before.options, mapping: before.mapping },
    after: change,
    areCredentialsChanged: credentials !== undefined,
  });
  ctx.publish('system/connectors', { kind: 'connectors' });
  return getConnector(ctx, { connectorId });
}

export const pauseConnector = (ctx: Ctx, input: In<typeof connectors.pauseConnector>): Promise<Connector> =>
  setState(ctx, input, true);
export const resumeConnector = (ctx: Ctx, input: In<typeof connectors.resumeConnector>): Promise<Connector> =>
  setState(ctx, input, false);

async function setState(
  ctx: Ctx,
  { connectorId }: In<typeof connectors.pauseConnector>,
  isPaused: boolean,
): Promise<Connector> {
  const { name } = await lockedConnector(ctx, connectorId);
  await setPaused(ctx, connectorId, isPaused);
  ctx.audit(isPaused ? 'connectors.pauseConnector' : 'connectors.resumeConnector', connectorId, { name });
  ctx.publish('system/connectors', { kind: 'connectors' });
  return getConnector(ctx, { connectorId });
}

export async function deleteConnector(
  ctx: Ctx,
  { connectorId }: In<typeof connectors.deleteConnector>,
): Promise<null> {
  const { name, address } = await lockedConnector(ctx, connectorId);
  await deleteConnectorRow(ctx, connectorId);
  ctx.audit('connectors.deleteConnector', connectorId, { name, address });
  ctx.publish('system/connectors', { kind: 'connectors' });
  return null;
}

/** Makes a connector pull at the next run of the job, within seconds. */
export async function pullConnector(
  ctx: Ctx,
  { connectorId }: In<typeof connectors.pullConnector>,
): Promise<Connector> {
  await activeConnector(ctx, connectorId);
  await askPull(ctx, connectorId);
  ctx.audit('connectors.pullConnector', connectorId);
  return getConnector(ctx, { connectorId });
}

async function activeConnector(ctx: Ctx, connectorId: string): Promise<ConnectorRow> {
  const row = await lockedConnector(ctx, connectorId);
  if (row.isPaused) throw domainError(connectorsErrors, 'connectors.is_paused', { name: row.name });
  return row;
}

/**
 * Reads past windows again, starting with the one that contains a time. A wider backfill replaces a running
 * one; windows read twice count once.
 */
export async function backfillConnector(
  ctx: Ctx,
  { connectorId, from }: In<typeof connectors.backfillConnector>,
): Promise<Connector> {
  const row = await activeConnector(ctx, connectorId);
  const start = windowStart(from, row.windowSeconds);
  if (start >= row.readUntil) throw domainError(connectorsErrors, 'connectors.backfill_future', {}, ['from']);
  if (ctx.now.getTime() - start.getTime() > longestBackfillDays * dayMs)
    throw domainError(connectorsErrors, 'connectors.backfill_too_far', { days: longestBackfillDays }, [
      'from',
    ]);
  await askBackfill(ctx, connectorId, start, row.readUntil);
  ctx.audit('connectors.backfillConnector', connectorId, { from: start.toISOString() });
  ctx.publish('system/connectors', { kind: 'connectors' });
  return getConnector(ctx, { connectorId });
}

export async function listPulls(ctx: Ctx, input: In<typeof connectors.listPulls>): Promise<Page<Pull>> {
  await knownConnector(ctx, input.connectorId);
  return pageOfPulls(ctx, input.connectorId, input);
}

export async function listResources(
  ctx: Ctx,
  input: In<typeof connectors.listResources>,
): Promise<Out<typeof connectors.listResources>> {
  await knownConnector(ctx, input.connectorId);
  return pageOfResources(ctx, input.connectorId, input, (row): Resource => ({
    id: row.id,
    state: row.state,
    subscription:
      row.subscriptionId === null
        ? null
        : { id: row.subscriptionId, name: row.service ?? '', organization: row.organization ?? '' },
    isByHand: row.isByHand,
    reason: row.reason,
    message:
      row.code === null ? null : rejectionText((key, params) => ctx.text(key, params), row.code, row.params),
    waiting: Number(row.waiting),
    firstSeenAt: row.firstSeenAt,
    lastSeenAt: row.lastSeenAt,
    fields: JSON.stringify(row.fields),
  }));
}

/**
 * Assigns a resource to a subscription, which may be created at the same time, ignores it, or leaves it to
 * the rules; its waiting readings are retried at once.
 */
export const assignResourceWith =
  (use: PayingUse) =>
  async (
    ctx: Ctx,
    { connectorId, resource, to }: In<typeof connectors.assignResource>,
  ): Promise<Out<typeof connectors.assignResource>> => {
    await lockedConnector(ctx, connectorId);
    const isPaid = to.kind === 'subscription' || to.kind === 'new';
    const assignedTo = isPaid ? await payingSubscription(ctx, to, use) : null;
    const isKnown = await assign(ctx, connectorId, resource, {
      assignedTo,
      isIgnored: to.kind === 'ignored',
    });
    if (!isKnown) throw domainError(connectorsErrors, 'connectors.resource_not_found');
    await askPull(ctx, connectorId);
    ctx.audit('connectors.assignResource', connectorId, {
      resource,
      to,
      ...(to.kind === 'new' && { subscriptionId: assignedTo }),
    });
    ctx.publish('system/connectors', { kind: 'connectors' });
    return null;
  };
