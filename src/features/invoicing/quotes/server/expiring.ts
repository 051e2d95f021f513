// Notifies Admins, once for each version, that an unanswered quote expires soon.
import { dayMs } from '#kernel/durations.ts';
import { job } from '#platform/server/jobs/jobs.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { tellAdmins } from './notices.ts';
import { expiringQuotes } from './store.ts';

/** How long before its expiry. */
const soonMs = 3 * dayMs;

export const expiringQuotesJob = job({
  name: 'quotes-expiring',
  schedule: '25 * * * *',
  run: async (app) => {
    await unitOfWork(app, { actor: { kind: 'system', name: 'quotes-expiring' } }, async (ctx) => {
      for (const quote of await expiringQuotes(ctx, new Date(ctx.now.getTime() + soonMs)))
        await tellAdmins(ctx, quote, {
          kind: 'quote.expires_soon',
          type: 'warning',
          period: String(quote.sentVersion),
          params: { day: quote.validUntil },
        });
    });
  },
});
