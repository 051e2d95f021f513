// The job of event streams: looks for streams that no console reads.
import { job, type Job } from '#platform/server/jobs/jobs.ts';
import { readFreeStreams } from './run-streams.ts';

export const eventStreamsJobs: readonly Job[] = [
  job({ name: 'event-streams', everySeconds: 2, retryLimit: 0, run: (app) => readFreeStreams(app) }),
];
