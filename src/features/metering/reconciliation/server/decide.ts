// Admins' actions on findings: make someone pay, end what pays for a ghost, ignore it; and the settings.
import type { In, Out } from '#kernel/contract.ts';
import { domainError } from '#kernel/errors.ts';
import { moneyText } from '#kernel/money.ts';
import type { Page } from '#kernel/shape.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { lockUntilEnd } from '#platform/server/unit-of-work/unit-of-work.ts';
import { required } from '#kernel/assert.ts';
import { serviceById } from '#features/selling/catalogue/server/index.ts';
import {
  adminSubscribe,
  endSubscription,
  subscriptionsByIds,
} from '#features/selling/subscriptions/server/index.ts';
import { giveResource, kindsOf, reconciledConnectors } from '#features/metering/connectors/server/index.ts';
import {
  reconciliationErrors,
  type Finding,
  type IgnoredEntry,
  type Overview,
  type reconciliation,
  type Run,
  type Settings,
} from '../contract.ts';
import { askRun } from './run.ts';
import { newestRun, pageOfRuns, readSettings, runById, sourceStates, storeSettings } from './store.ts';
import {
  deleteFinding,
  findingById,
  findingTotals,
  insertIgnored,
  lockFinding,
  lockFindings,
  pageOfFindings,
  pageOfIgnored,
  undoIgnored,
} from './store-findings.ts';

/** Passed in by the app: the check that a start in the past does not lie in a closed month. */
export type ReconciliationUse = Parameters<typeof adminSubscribe>[2];

export async function getReconciliation(ctx: Ctx): Promise<Overview> {
  const { totals, counts } = await findingTotals(ctx);
  return {
    sources: await sourceStates(ctx),
    run: (await newestRun(ctx)) ?? null,
    counts,
    totals: [...totals],
    settings: await readSettings(ctx),
  };
}

export const listFindings = (
  ctx: Ctx,
  input: In<typeof reconciliation.listFindings>,
): Promise<Page<Finding>> => pageOfFindings(ctx, input);

export const listReconciled = async (ctx: Ctx): Promise<Out<typeof reconciliation.listReconciled>> => ({
  items: (await reconciledConnectors(ctx)).flatMap(({ id, name, options, hasInventory }) =>
    hasInventory ? [{ id, name, kinds: kindsOf(options) }] : [],
  ),
});

/** @throws DomainError `reconciliation.not_found` */
export async function getFinding(
  ctx: Ctx,
  { findingId }: In<typeof reconciliation.getFinding>,
): Promise<Finding> {
  const finding = await findingById(ctx, findingId);
  if (!finding) throw domainError(reconciliationErrors, 'reconciliation.not_found');
  return finding;
}

async function lockedFinding(ctx: Ctx, findingId: string): Promise<Finding> {
  // A run that is writing its findings must finish first, so that it does not find again what is decided
  // here.
  const found = await findingById(ctx, findingId);
  if (found) await lockFindings(ctx, found.connector.id);
  const finding = await lockFinding(ctx, findingId);
  if (!finding) throw domainError(reconciliationErrors, 'reconciliation.not_found');
  return finding;
}

export async function startReconciliation(ctx: Ctx): Promise<Run> {
  const runId = await askRun(ctx);
  ctx.audit('reconciliation.startReconciliation', runId);
  return required(await runById(ctx, runId), 'the run');
}

export const listReconciliations = (
  ctx: Ctx,
  input: In<typeof reconciliation.listReconciliations>,
): Promise<Page<Run>> => pageOfRuns(ctx, input);
export const listIgnored = (
  ctx: Ctx,
  input: In<typeof reconciliation.listIgnored>,
): Promise<Page<IgnoredEntry>> => pageOfIgnored(ctx, input);

/** Makes a subscription pay for an unbilled resource: creates it if requested, and assigns the resource. */
export const subscribeFindingWith =
  (use: ReconciliationUse) =>
  async (
    ctx: Ctx,
    { findingId, to }: In<typeof reconciliation.subscribeFinding>,
  ): Promise<Out<typeof reconciliation.subscribeFinding>> => {
    const finding = await lockedFinding(ctx, findingId);
    if (finding.kind === 'ghost') throw domainError(reconciliationErrors, 'reconciliation.not_unbilled');
    const { kind, ...order } = to;
    const subscriptionId =
      'subscriptionId' in order ? order.subscriptionId : await adminSubscribe(ctx, order, use);
    const [row] = await subscriptionsByIds(ctx.db, [subscriptionId]);
    if (!row || row.parentId !== null)
      throw domainError(reconciliationErrors, 'reconciliation.subscription_unknown', {}, [
        'to.subscriptionId',
      ]);
    await giveResource(
      ctx,
      finding.connector.id,
      finding.resource,
      JSON.parse(finding.fields),
      subscriptionId,
    );
    await deleteFinding(ctx, findingId);
    ctx.audit('reconciliation.subscribeFinding', subscriptionId, {
      connector: finding.connector.id,
      resource: finding.resource,
      isNew: kind === 'new',
    });
    ctx.publish('system/connectors', { kind: 'connectors' });
    return { subscriptionId };
  };

/** Ends the subscription that pays for a ghost. */
export async function endFinding(
  ctx: Ctx,
  { findingId, when }: In<typeof reconciliation.endFinding>,
): Promise<null> {
  const finding = await lockedFinding(ctx, findingId);
  if (finding.kind !== 'ghost' || !finding.subscription)
    throw domainError(reconciliationErrors, 'reconciliation.not_ghost');
  await endSubscription(ctx, null, { subscriptionId: finding.subscription.id, when });
  await deleteFinding(ctx, findingId);
  ctx.audit('reconciliation.endFinding', finding.subscription.id, {
    connector: finding.connector.id,
    resource: finding.resource,
    when,
  });
  ctx.publish('system/connectors', { kind: 'connectors' });
  return null;
}

export async function ignoreFinding(
  ctx: Ctx,
  { findingId, reason }: In<typeof reconciliation.ignoreFinding>,
): Promise<null> {
  const finding = await lockedFinding(ctx, findingId);
  if (finding.ignored) throw domainError(reconciliationErrors, 'reconciliation.is_ignored');
  await insertIgnored(ctx, finding, reason, person(ctx).userId);
  ctx.audit('reconciliation.ignoreFinding', finding.connector.id, {
    resource: finding.resource,
    kind: finding.kind,
    reason,
  });
  ctx.publish('system/connectors', { kind: 'connectors' });
  return null;
}

export async function heedFinding(
  ctx: Ctx,
  { findingId }: In<typeof reconciliation.heedFinding>,
): Promise<null> {
  const finding = await lockedFinding(ctx, findingId);
  await undoIgnored(ctx, finding, person(ctx).userId);
  ctx.audit('reconciliation.heedFinding', finding.connector.id, {
    resource: finding.resource,
    kind: finding.kind,
  });
  ctx.publish('system/connectors', { kind: 'connectors' });
  return null;
}

export async function setReconciliation(
  ctx: Ctx,
  { version, ...to }: In<typeof reconciliation.setReconciliation>,
): Promise<Settings> {
  await lockUntilEnd(ctx, 'reconciliation settings');
  const before = await readSettings(ctx);
  if (before.version !== version) throw domainError(reconciliationErrors, 'reconciliation.changed_meanwhile');
  if (to.noticeAbove && to.noticeAbove.minor <= 0n)
    throw domainError(reconciliationErrors, 'reconciliation.notice_not_positive', {}, ['noticeAbove']);
  await assertPrices(ctx, to.prices);
  await storeSettings(ctx, to);
  const shown = ({ noticeAbove, ghostHours, prices }: typeof to) => ({
    ghostHours,
    prices,
    noticeAbove: noticeAbove && `${noticeAbove.currency} ${moneyText(noticeAbove)}`,
  });
  ctx.audit('reconciliation.setReconciliation', 'reconciliation', {
    before: shown(before),
    after: shown(to),
  });
  await askRun(ctx);
  return readSettings(ctx);
}

async function assertPrices(
  ctx: Ctx,
  prices: In<typeof reconciliation.setReconciliation>['prices'],
): Promise<void> {
  const connectors = new Set<string>((await reconciledConnectors(ctx)).map(({ id }) => id));
  const seen = new Set<string>();
  for (const [place, { connectorId, itemKind, serviceId }] of prices.entries()) {
    if (!connectors.has(connectorId))
      throw domainError(reconciliationErrors, 'reconciliation.connector_unknown', {}, [
        `prices.${place}.connectorId`,
      ]);
    if (!(await serviceById(ctx, serviceId)))
      throw domainError(reconciliationErrors, 'reconciliation.service_unknown', {}, [
        `prices.${place}.serviceId`,
      ]);
    const key = `${connectorId} ${itemKind}`;
    if (seen.has(key))
      throw domainError(reconciliationErrors, 'reconciliation.price_twice', {}, [`prices.${place}.itemKind`]);
    seen.add(key);
  }
}
