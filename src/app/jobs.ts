// Jobs of the console as a whole; features add their own.
import { job, type Job } from '#platform/server/jobs/jobs.ts';
import { deleteOldUnexpectedErrors } from '#platform/server/monitoring/unexpected-errors.ts';
import { deleteOldKeys } from '#platform/server/http/idempotency.ts';
import { deleteOldWindows } from '#platform/server/http/store-rate-windows.ts';
import { deleteSentMessages } from '#platform/server/live/outbox.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { forgetUsedTokens } from '#features/access/identity/server/index.ts';
import { features } from './features.ts';

const tidyJob = job({
  name: 'tidy',
  schedule: '20 3 * * *',
  run: async (app) => {
    await unitOfWork(app, { actor: { kind: 'system', name: 'tidy' } }, async (ctx) => {
      await deleteOldKeys(ctx);
      await deleteOldWindows(ctx);
      await deleteSentMessages(ctx);
      await deleteOldUnexpectedErrors(ctx);
      await forgetUsedTokens(ctx);
    });
  },
});

export const jobs: readonly Job[] = [...features.flatMap((feature) => feature.jobs), tidyJob];
