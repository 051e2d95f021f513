// Expires requests that nobody decided, runs approved ones whose console died, and deletes old data.
import { dayMs } from '#kernel/durations.ts';
import { job, type Job } from '#platform/server/jobs/jobs.ts';
import type { Actor } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import type { Console } from './choices.ts';
import { runApproved } from './run.ts';
import { expireWaiting, forgetOld, strandedRuns } from './store.ts';

const actor: Actor = { kind: 'system', name: 'approvals' };
/**
 * How long the secrets of an answer stay available to the requester, and how long a call is kept after its
 * request ended.
 */
const secretsDays = 3;
const callDays = 90;

export const approvalsJob = (console: Console): Job =>
  job({
    name: 'approvals',
    schedule: '*/10 * * * *',
    run: async (app) => {
      const stranded = await unitOfWork(app, { actor }, async (ctx) => {
        const before = (days: number): Date => new Date(ctx.now.getTime() - days * dayMs);
        const expired = await expireWaiting(ctx);
        if (expired.length > 0) {
          ctx.audit('approvals.expire', undefined, { approvals: expired });
          ctx.publish('system/approvals', { kind: 'expired' });
        }
        await forgetOld(ctx, before(secretsDays), before(callDays));
        return strandedRuns(ctx);
      });
      for (const approvalId of stranded) await runApproved(app, console, approvalId, actor);
    },
  });
