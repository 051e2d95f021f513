// The door that everything new goes through: at a credit limit it is refused, with the amounts and how to get past it.
import { formatMoney } from '#kernel/format-money.ts';
import type { Id } from '#kernel/ids.ts';
import { money } from '#kernel/money.ts';
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

/**
 * Throws when a limit does not allow something new. A limit in any currency stops all of them: else a customer who owes too much in one
 * would go on in another. Costs two statements for an organization without limits.
 */
async function assertAllowed(ctx: Ctx, { organizationId }: Asked, when: 'wanted' | 'taken'): Promise<void> {
  const payerId = (await payersNow(ctx, [organizationId])).get(organizationId);
  // Whoever pays will owe it; the organization itself may owe what is of before.
  const owing = [organizationId, ...(payerId === undefined ? [] : [payerId])];
  const inForce = await limits.inForce(ctx, owing);
  if (inForce.size === 0) return;
  // Of several that one organization pays for, each holds its own lock only.
  await lockUntilEnd(ctx, `credit limit ${payerId ?? organizationId}`);
  const exposures = await exposuresOf(ctx, owing);
  for (const id of owing)
    for (const { amount: limit } of inForce.get(id) ?? []) {
      const used = usedOf(exposures.get(id)?.get(limit.currency) ?? noExposure);
      if (mayBegin(when, used, limit.minor)) continue;
      // What the payer owes is none of their business.
      if (id !== organizationId) throw await payersLimit(ctx, organizationId);
      throw domainError(creditLimitsErrors, 'creditlimits.reached', {
        used: formatMoney(money(used, limit.currency), ctx.language),
        limit: formatMoney(limit, ctx.language),
      });
    }
}

/** What is said where somebody else's limit is reached: whoever is sold to by a reseller is not told how that one stands. */
async function payersLimit(ctx: Ctx, organizationId: Id<'org'>): Promise<Error> {
  const seller = await ctx.app.brands.ofOrganization(ctx.db, organizationId, ctx.now);
  return seller === undefined
    ? domainError(creditLimitsErrors, 'creditlimits.payer_reached')
    : domainError(creditLimitsErrors, 'creditlimits.seller_refuses', { seller: seller.name });
}

/** Something new is asked for. The caller holds the lock of the organization's subscriptions, so that requests take turns. */
export const refuseAtLimit = (ctx: Ctx, asked: Asked): Promise<void> => assertAllowed(ctx, asked, 'wanted');
/** It is there, and not committed yet: what is outstanding with it must not pass the limit. */
export const refuseBeyondLimit = (ctx: Ctx, asked: Asked): Promise<void> =>
  assertAllowed(ctx, asked, 'taken');

/** Who pays for an organization, as it was some seconds ago. */
const payerCache = secondsCache<Id<'org'>>(5);
async function payerLately(ctx: Ctx, organizationId: Id<'org'>): Promise<Id<'org'>> {
  const cache = payerCache(ctx.app);
  const known = cache.get(organizationId);
  if (known !== undefined) return known;
  const payerId = (await payersNow(ctx, [organizationId])).get(organizationId) ?? organizationId;
  cache.set(organizationId, payerId);
  return payerId;
}

/**
 * A program asks to reserve usage. What was last found decides whether to look closer, because many reservations are made each second;
 * usage itself is never refused for a limit.
 */
export async function refuseReservation(ctx: Ctx, asked: Asked): Promise<void> {
  const payer = await payerLately(ctx, asked.organizationId);
  if (await wasReached(ctx, [asked.organizationId, payer])) await assertAllowed(ctx, asked, 'wanted');
}
