// Background jobs of sign-in.
import { job, type Job } from '#platform/server/jobs/jobs.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { mailReset, resetJobName } from './reset.ts';
import { forgetOldAttempts } from './store-attempts.ts';

export const signinJobs: readonly Job[] = [
  job<{ account: string }>({ name: resetJobName, run: mailReset }),
  job({
    name: 'signin-tidy',
    schedule: '40 * * * *',
    run: (app) => unitOfWork(app, { actor: { kind: 'system', name: 'signin-tidy' } }, forgetOldAttempts),
  }),
];
