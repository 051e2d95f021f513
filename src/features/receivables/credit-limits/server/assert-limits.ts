// Checks everything new against credit limits: at a limit it is refused, with the amounts and how to resolve
// it.
import { formatMoney } from '#kernel/format-money.ts';
import type { Id } from '#kernel/ids.ts';
import { money, type Money } from '#kernel/money.ts';
import { domainError } from '#kernel/errors.ts';
import { secondsCache } from '#platform/server/database/cached-reads.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { lockUntilEnd } from '#platform/server/unit-of-work/unit-of-work.ts';
import { payersNow } from '#features/invoicing/payers/server/index.ts';
import { creditLimitsErrors } from '../contract.ts';
import { mayBegin, noExposure, usedOf } from '../rules.ts';
import { exposuresOf } from './exposure.ts';
import { limits, wasReached } from './store.ts';

type Asked = { readonly organizationId: Id<'org'> };

/** A limit that does not allow something new, whose it is, and what counts against it. */
export type Reached = { readonly owingId: Id<'org'>; readonly used: Money; readonly limit: Money };

/**
 * Returns the limit that does not allow something new. A limit in any currency blocks all currencies;
 * otherwise a customer who owes too much in one would continue in another. Costs two statements for an
 * organization without limits.
 */
export async function reachedLimit(
  ctx: Ctx,
  { organizationId }: Asked,
  when: 'wanted' | 'taken',
): Promise<Reached | undefined> {
  const payerId = (await payersNow(ctx, [organizationId])).get(organizationId);
  // The payer will owe it; the organization itself may owe earlier amounts.
  const owing = [organizationId, ...(payerId === undefined ? [] : [payerId])];
  const inForce = await limits.inForce(ctx, owing);
  if (inForce.size === 0) return undefined;
  // Each of several organizations with the same payer holds only its own lock.
  await lockUntilEnd(ctx, `credit limit ${payerId ?? organizationId}`);
  const exposures = await exposuresOf(ctx, owing);
  for (const id of owing)
    for (const { amount: limit } of inForce.get(id) ?? []) {
      const used = usedOf(exposures.get(id)?.get(limit.currency) ?? noExposure);
      if (!mayBegin(when, used, limit.minor))
        return { owingId: id, used: money(used, limit.currency), limit };
    }
  return undefined;
}

/** Throws if a limit does not allow something new. */
async function assertAllowed(ctx: Ctx, asked: Asked, when: 'wanted' | 'taken'): Promise<void> {
  const reached = await reachedLimit(ctx, asked, when);
  if (!reached) return;
  // The payer's debts must not be disclosed.
  if (reached.owingId !== asked.organizationId) throw await payersLimit(ctx, asked.organizationId);
  throw domainError(creditLimitsErrors, 'creditlimits.reached', {
    used: formatMoney(reached.used, ctx.language),
    limit: formatMoney(reached.limit, ctx.language),
  });
}

/**
 * Returns the error if another organization's limit is reached: a reseller's customer must not learn about
 * the reseller's debts.
 */
async function payersLimit(ctx: Ctx, organizationId: Id<'org'>): Promise<Error> {
  const seller = await ctx.app.brands.ofOrganization(ctx.db, organizationId, ctx.now);
  return seller === undefined
    ? domainError(creditLimitsErrors, 'creditlimits.payer_reached')
    : domainError(creditLimitsErrors, 'creditlimits.seller_refuses', { seller: seller.name });
}

/**
 * Checks a request for something new. The caller holds the lock of the organization's subscriptions, so that
 * requests are serialized.
 */
export const assertBelowLimit = (ctx: Ctx, asked: Asked): Promise<void> =>
  assertAllowed(ctx, asked, 'wanted');
/**
 * Checks something new before it is committed: the outstanding amount including it must not exceed the limit.
 */
export const assertWithinLimit = (ctx: Ctx, asked: Asked): Promise<void> =>
  assertAllowed(ctx, asked, 'taken');

/** Returns who pays for an organization, as of a few seconds ago. */
const payerCache = secondsCache<Id<'org'>>();
async function payerLately(ctx: Ctx, organizationId: Id<'org'>): Promise<Id<'org'>> {
  const cache = payerCache(ctx.app);
  const known = cache.get(organizationId);
  if (known !== undefined) return known;
  const payerId = (await payersNow(ctx, [organizationId])).get(organizationId) ?? organizationId;
  cache.set(organizationId, payerId);
  return payerId;
}

/**
 * Checks a client's request to reserve usage. Uses the last stored result to decide whether to compute
 * exactly, because there are many reservations per second; usage itself is never refused because of a limit.
 */
export async function assertMayReserve(ctx: Ctx, asked: Asked): Promise<void> {
  const payer = await payerLately(ctx, asked.organizationId);
  if (await wasReached(ctx, [asked.organizationId, payer])) await assertAllowed(ctx, asked, 'wanted');
}
