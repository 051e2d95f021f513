// The job of audit exports: sends new entries.
import { job, type Job } from '#platform/server/jobs/jobs.ts';
import { sendDue } from './send-entries.ts';

export const auditExportsJobs: readonly Job[] = [
  job({
    name: 'audit-exports',
    everySeconds: 5,
    retryLimit: 0,
    run: (app, _payload, signal) => sendDue(app, signal),
  }),
];
