// The announcement calls of this browser.
import { announcements } from '../contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';

export const {
  client: announcementsApi,
  queries: announcementsQueries,
  keyOf: announcementsKey,
} = connect('announcements', announcements, consoleApi);
