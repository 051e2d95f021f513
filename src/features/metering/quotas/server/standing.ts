// A subscription's usage against its limit now, in the one way that every quota call uses.
import { decimal, type Decimal } from '#kernel/decimal.ts';
import type { Id } from '#kernel/ids.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Quota } from '#features/selling/catalogue/contract.ts';
import { acceptsUsageAt } from '#features/selling/subscriptions/rules.ts';
import { subscriptionById } from '#features/selling/subscriptions/server/index.ts';
import { usedNow } from '#features/metering/usage/server/index.ts';
import { quotasErrors } from '../contract.ts';
import { raisedQuota, type QuotaUse } from '../rules.ts';
import { standingOf, type StandingRow } from './store.ts';

export type Standing = QuotaUse & {
  readonly row: StandingRow;
  /** Including raises. */
  readonly quota: Quota;
  readonly isRunning: boolean;
};

/** Whose subscriptions the caller may read: an API key of the platform reads all (null). */
export const scopeOf = (ctx: Ctx): Id<'org'> | null =>
  ctx.actor.kind === 'apiKey' ? ctx.actor.organizationId : ctx.actor.kind === 'system' ? null : tenant(ctx);

/**
 * A subscription's usage against its limit; a missing subscription and one of another organization get the
 * same error.
 */
export async function requireStanding(
  ctx: Ctx,
  subscriptionId: string,
  organizationId: Id<'org'> | null,
): Promise<Standing> {
  const row = await standingOf(ctx, subscriptionId, organizationId);
  if (!row) throw domainError(quotasErrors, 'quotas.subscription_not_found');
  const pauses = row.isPaused ? [{ from: ctx.now, until: null }] : [];
  return {
    row,
    quota: quotaOf(row),
    used: await usedOf(ctx, row),
    reserved: decimal(row.reserved),
    isRunning: acceptsUsageAt({ ...row, pauses }, ctx.now),
  };
}

const quotaOf = (row: StandingRow): Quota =>
  row.quotaType === 'unlimited'
    ? { type: 'unlimited' }
    : raisedQuota({ type: row.quotaType, limit: row.quotaLimit ?? '0' }, row.granted);

/** A time-weighted average depends on the current time, so the usage feature computes it. */
async function usedOf(ctx: Ctx, row: StandingRow): Promise<Decimal> {
  if (row.used !== null) return decimal(row.used);
  const subscription = required(await subscriptionById(ctx.db, row.id, null), 'the subscription');
  return decimal((await usedNow(ctx, [subscription])).get(row.id) ?? '0');
}
