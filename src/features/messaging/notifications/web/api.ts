// The browser's API client of notifications.
import { notifications } from '../contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';

export const {
  client: notificationsApi,
  queries: notificationsQueries,
  keyOf: notificationsKey,
} = connect('notifications', notifications, consoleApi);
