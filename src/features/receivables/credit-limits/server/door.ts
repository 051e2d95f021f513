// The door that everything new goes through: at a credit limit it is refused, with the amounts and how to get past it.
import { formatMoney } from '#kernel/format-money.ts';
import type { Id } from '#kernel/ids.ts';
import { money } from '#kernel/money.ts';
import { domainError } from '#kernel/errors.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { creditLimitsErrors } from '../contract.ts';
import { mayBegin, noExposure, usedOf } from '../rules.ts';
import { exposuresOf } from './exposure.ts';
import { limitsOf, wasReached } from './store.ts';

type Asked = { readonly organizationId: Id<'org'> };

/**
 * Throws when a limit does not allow something new. A limit in any currency stops all of them: else a customer who owes too much in one
 * would go on in another. Costs one statement for an organization without limits.
 */
async function assertAllowed(ctx: Ctx, { organizationId }: Asked, when: 'wanted' | 'taken'): Promise<void> {
  const limits = (await limitsOf(ctx, [organizationId])).get(organizationId) ?? [];
  if (limits.length === 0) return;
  const exposures = (await exposuresOf(ctx, [organizationId])).get(organizationId);
  for (const { limit } of limits) {
    const used = usedOf(exposures?.get(limit.currency) ?? noExposure);
    if (!mayBegin(when, used, limit.minor))
      throw domainError(creditLimitsErrors, 'creditlimits.reached', {
        used: formatMoney(money(used, limit.currency), ctx.language),
        limit: formatMoney(limit, ctx.language),
      });
  }
}

/** Something new is asked for. The caller holds the lock of the organization's subscriptions, so that requests take turns. */
export const refuseAtLimit = (ctx: Ctx, asked: Asked): Promise<void> => assertAllowed(ctx, asked, 'wanted');
/** It is there, and not committed yet: what is outstanding with it must not pass the limit. */
export const refuseBeyondLimit = (ctx: Ctx, asked: Asked): Promise<void> =>
  assertAllowed(ctx, asked, 'taken');

/**
 * A program asks to reserve usage. What was last found decides whether to look closer, because many reservations are made each second;
 * usage itself is never refused for a limit.
 */
export async function refuseReservation(ctx: Ctx, asked: Asked): Promise<void> {
  if (await wasReached(ctx, asked.organizationId)) await assertAllowed(ctx, asked, 'wanted');
}
