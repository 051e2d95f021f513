// The browser's API client of notifications.
import { notifications } from '../contract.ts';
import { consoleApi } from '#platform/web/console-api.ts';
import { connect } from '#platform/web/queries.ts';

export const {
  client: notificationsApi,
  queries: notificationsQueries,
  keyOf: notificationsKey,
} = connect('notifications', notifications, consoleApi);
