// The browser's API clients of one-offs, and of the subscriptions that one can be charged to.
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';
import { oneOffs } from '../contract.ts';

export const {
  client: oneOffsApi,
  queries: oneOffsQueries,
  keyOf: oneOffsKey,
} = connect('oneoffs', oneOffs, consoleApi);

/** Uses the name of the subscriptions' own client, so that both share cached data. */
export const { queries: subscriptionsQueries } = connect('subscriptions', subscriptions, consoleApi);
