// The browser's API client of rejected events, for Admins and members.
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';
import { rejections } from '../contract.ts';

const { client, queries, keyOf } = connect('rejections', rejections, consoleApi);
export const rejectionsKey = keyOf;

/** Which events a page shows: all for an Admin, those of their organization for a member. */
export type Reader = 'admin' | 'own';

/** The calls of a reader; both kinds have the same responses. */
export const callsOf = {
  admin: {
    list: queries.adminListRejected,
    reasons: queries.adminRejectedReasons,
    get: queries.adminGetRejected,
    replay: client.adminReplayRejected,
    replayReason: client.adminReplayReason,
    dismiss: client.adminDismissRejected,
    exported: client.adminExportRejected,
  },
  own: {
    list: queries.listRejected,
    reasons: queries.rejectedReasons,
    get: queries.getRejected,
    replay: client.replayRejected,
    replayReason: client.replayReason,
    dismiss: client.dismissRejected,
    exported: client.exportRejected,
  },
} as const;
