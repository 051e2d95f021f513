// The browser's API client of metrics.
import { metrics } from '../contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';

export const {
  client: metricsApi,
  queries: metricsQueries,
  keyOf: metricsKey,
} = connect('metrics', metrics, consoleApi);
