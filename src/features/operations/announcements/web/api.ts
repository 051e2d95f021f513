// The browser's API client of announcements.
import { announcements } from '../contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';

export const {
  client: announcementsApi,
  queries: announcementsQueries,
  keyOf: announcementsKey,
} = connect('announcements', announcements, consoleApi);
