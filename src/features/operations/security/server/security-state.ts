// The security page's figures.
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { requireAdminTwoFactor } from '#features/access/identity/server/index.ts';
import type { SecurityState } from '../contract.ts';
import { adminsWithout, keys, openSessions, refusedByHour, secondFactor, waitingNow } from './store.ts';

/** Returns all figures above the page's lists. */
export async function securityState(ctx: Ctx): Promise<SecurityState> {
  return {
    asOf: ctx.now,
    refused: await refusedByHour(ctx),
    waiting: await waitingNow(ctx),
    sessions: await openSessions(ctx),
    keys: await keys(ctx),
    secondFactor: await secondFactor(ctx),
    adminsMustHaveOne: await ctx.setting(requireAdminTwoFactor),
    adminsWithout: await adminsWithout(ctx),
  };
}
