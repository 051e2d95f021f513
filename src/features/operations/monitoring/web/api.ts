// The browser's API client of monitoring.
import { consoleApi } from '#platform/web/console-api.ts';
import { connect } from '#platform/web/queries.ts';
import { monitoring } from '../contract.ts';

export const {
  client: monitoringApi,
  queries: monitoringQueries,
  keyOf: monitoringKey,
} = connect('monitoring', monitoring, consoleApi);
