// The public API of event streams on the server: routes, the job, metrics, and their shutdown.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { eventStreams, eventStreamsErrors } from '../contract.ts';
import { eventStreamsJobs } from './jobs.ts';
import { previewEventStream } from './preview.ts';
import { dropRejectedMessages, listRejectedMessages, retryRejectedMessages } from './rejected.ts';
import {
  createEventStream,
  deleteEventStream,
  getEventStream,
  listEventStreams,
  pauseEventStream,
  startEventStream,
  updateEventStream,
} from './streams.ts';

export const eventStreamsFeature = feature({
  name: 'eventstreams',
  contract: eventStreams,
  errors: eventStreamsErrors,
  verbs: {
    listEventStreams,
    getEventStream,
    createEventStream,
    updateEventStream,
    startEventStream,
    pauseEventStream,
    deleteEventStream,
    previewEventStream,
    listRejectedMessages,
    retryRejectedMessages,
    dropRejectedMessages,
  },
  jobs: eventStreamsJobs,
  // They query the broker, or use more than one transaction.
  ownUnitOfWork: ['previewEventStream', 'retryRejectedMessages'],
});

export { addEventStreamMetrics } from './metrics.ts';
export { stopEventStreams } from './run-streams.ts';
