// The public API of rejections on the server: their routes, and the handler that the app connects.
import { feature } from '#platform/server/unit-of-work/feature.ts';
import { rejections, rejectionsErrors } from '../contract.ts';
import { dismissRejected } from './dismiss.ts';
import { rejectionsJobs } from './jobs.ts';
import { exportRejected, getRejected, listRejected, rejectedReasons } from './read.ts';
import { replayReason, replayRejected } from './replay.ts';

// Admins and members use the same routes; the caller's role determines which organization's events they can
// access.
export const rejectionsFeature = feature({
  name: 'rejections',
  contract: rejections,
  errors: rejectionsErrors,
  jobs: rejectionsJobs,
  verbs: {
    adminListRejected: listRejected,
    adminRejectedReasons: rejectedReasons,
    adminExportRejected: exportRejected,
    adminGetRejected: getRejected,
    adminReplayRejected: replayRejected,
    adminReplayReason: replayReason,
    adminDismissRejected: dismissRejected,
    listRejected,
    rejectedReasons,
    exportRejected,
    getRejected,
    replayRejected,
    replayReason,
    dismissRejected,
  },
});

export { storeRejected } from './record-rejected.ts';
export { countRejected } from './store.ts';
export { rejectedEventDays } from './settings.ts';
