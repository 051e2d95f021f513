// Expires credit whose last month is closed for its organization: at the close itself, when a bill is
// reissued, and hourly in all other cases, because it was granted for a closed month or returned by a voided
// bill.
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { inPages } from '#platform/server/jobs/in-pages.ts';
import { job, type Job } from '#platform/server/jobs/jobs.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { expireGrants } from '#features/invoicing/credit-grants/server/index.ts';
import { closedUntil, withEndedCredit } from './store-expiry.ts';

const actor = { kind: 'system', name: 'billing' } as const;
const organizationsAtOnce = 500;

/**
 * Books the credit that no bill of some organizations can use any more, according to its kind. Credit needed
 * for a month that could not be billed is kept. Returns how many grant parts expired; safe to repeat and to
 * run concurrently.
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

/** Runs hourly. */
export const expireCreditJob: Job = job({
  name: 'billing.expireCredit',
  schedule: '41 * * * *',
  run: (app, _payload, signal) =>
    inPages(
      (after) =>
        unitOfWork(app, { actor }, async (ctx) => {
          const ids = await withEndedCredit(ctx, after, organizationsAtOnce);
          const parts = await expireEnded(ctx, ids);
          if (parts > 0) ctx.audit('billing.expireCredit', undefined, { parts });
          return ids.at(-1);
        }),
      signal,
    ),
});
