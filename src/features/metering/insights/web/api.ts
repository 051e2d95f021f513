// The browser's API client of insights.
import { insights } from '../contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';

export const {
  client: insightsApi,
  queries: insightsQueries,
  keyOf: insightsKey,
} = connect('insights', insights, consoleApi);
