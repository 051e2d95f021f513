// The job of event streams: finds streams that no server process reads.
import { job, type Job } from '#platform/server/jobs/jobs.ts';
import { readFreeStreams } from './run-streams.ts';

export const eventStreamsJobs: readonly Job[] = [
  job({ name: 'event-streams', everySeconds: 2, retryLimit: 0, run: (app) => readFreeStreams(app) }),
];
