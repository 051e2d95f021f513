// A subscription's current usage against its limit, shared by all quota calls.
import { decimal } from '#kernel/decimal.ts';
import type { Id } from '#kernel/ids.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Quota } from '#features/selling/catalogue/contract.ts';
import { acceptsUsageAt } from '#features/selling/subscriptions/rules.ts';
import { subscriptionsByIds } from '#features/selling/subscriptions/server/index.ts';
import { quantitiesOfMonths, usedNow } from '#features/metering/usage/server/index.ts';
import { quotasErrors } from '../contract.ts';
import { raisedQuota, type QuotaUse } from '../rules.ts';
import { standingOf, standingsOf, type StandingRow } from './store.ts';

export type Standing = QuotaUse & {
  readonly row: StandingRow;
  /** Including raises. */
  readonly quota: Quota;
  readonly isRunning: boolean;
};

/**
 * The organization whose subscriptions the caller may read; null for a platform API key, which may read all.
 */
export const scopeOf = (ctx: Ctx): Id<'org'> | null =>
  ctx.actor.kind === 'apiKey' ? ctx.actor.organizationId : ctx.actor.kind === 'system' ? null : tenant(ctx);

/**
 * Returns a subscription's usage against its limit; a missing subscription and one of another organization
 * get the same error.
 */
export async function requireStanding(
  ctx: Ctx,
  subscriptionId: string,
  organizationId: Id<'org'> | null,
): Promise<Standing> {
  const row = await standingOf(ctx, subscriptionId, organizationId);
  if (!row) throw domainError(quotasErrors, 'quotas.subscription_not_found');
  return required((await withUsage(ctx, [row]))[0], 'the standing');
}

/** Returns the usage of several subscriptions against their limits, by subscription id. */
export async function standings(
  ctx: Ctx,
  subscriptionIds: readonly string[],
): Promise<ReadonlyMap<string, Standing>> {
  const found = await withUsage(ctx, await standingsOf(ctx, subscriptionIds));
  return new Map(found.map((standing) => [standing.row.id, standing]));
}

async function withUsage(ctx: Ctx, rows: readonly StandingRow[]): Promise<Standing[]> {
  // A time-weighted average depends on the current time, so the usage feature computes it.
  const averaged = rows.flatMap((row) => (row.used === null && row.quotaMeter === null ? [row.id] : []));
  const averages =
    averaged.length > 0 ? await usedNow(ctx, await subscriptionsByIds(ctx.db, averaged)) : undefined;
  const ofMeters = await quantitiesOfMonths(
    ctx,
    rows.flatMap(({ id, month, quotaMeter, aggregation }) =>
      quotaMeter === null ? [] : [{ key: id, subscriptionId: id, month, meter: quotaMeter, aggregation }],
    ),
  );
  return rows.map((row) => ({
    row,
    quota: quotaOf(row),
    used: ofMeters.get(row.id) ?? decimal(row.used ?? averages?.get(row.id) ?? '0'),
    reserved: decimal(row.reserved),
    isRunning: acceptsUsageAt(
      { ...row, pauses: row.isPaused ? [{ from: ctx.now, until: null }] : [] },
      ctx.now,
    ),
  }));
}

const quotaOf = (row: StandingRow): Quota =>
  row.quotaType === 'unlimited'
    ? { type: 'unlimited' }
    : raisedQuota({ type: row.quotaType, limit: row.quotaLimit ?? '0' }, row.granted);
