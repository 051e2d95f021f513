// The browser's API client of subscriptions.
import { subscriptions } from '../contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';

export const {
  client: subscriptionsApi,
  queries: subscriptionsQueries,
  keyOf: subscriptionsKey,
} = connect('subscriptions', subscriptions, consoleApi);
