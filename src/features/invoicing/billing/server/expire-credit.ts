// Credit whose last month is closed for its organization ends: with the close itself, with a bill that is issued again, and within
// the hour where neither comes, because it was given for a month that is closed, or a voided bill gave it back.
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { job, type Job } from '#platform/server/jobs/jobs.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { expireGrants } from '#features/invoicing/credit-grants/server/index.ts';
import { closedUntil, withEndedCredit } from './store-expiry.ts';

const actor = { kind: 'system', name: 'billing' } as const;
const organizationsAtOnce = 500;

/**
 * Books what no bill of some organizations can use any more, as its kind says. What a month still needs that could not be billed
 * stays. Returns how many parts of grants ended; safe to repeat, and at once.
 */
export async function expireEnded(ctx: Ctx, organizationIds: readonly Id<'org'>[]): Promise<number> {
  const byMonth = Map.groupBy(await closedUntil(ctx, organizationIds), ([, month]): BillingMonth => month);
  let ended = 0;
  for (const [month, of] of byMonth)
    ended += await expireGrants(
      ctx,
      of.map(([id]) => id),
      month,
    );
  return ended;
}

/** Each hour. */
export const expireCreditJob: Job = job({
  name: 'billing.expireCredit',
  schedule: '41 * * * *',
  run: async (app, _payload, signal) => {
    for (let after = ''; !signal.aborted;) {
      const last = await unitOfWork(app, { actor }, async (ctx) => {
        const ids = await withEndedCredit(ctx, after, organizationsAtOnce);
        const parts = await expireEnded(ctx, ids);
        if (parts > 0) ctx.audit('billing.expireCredit', undefined, { parts });
        return ids.at(-1);
      });
      if (last === undefined) return;
      after = last;
    }
  },
});
