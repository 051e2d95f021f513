// The browser's API client of monitoring.
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';
import { monitoring } from '../contract.ts';

export const {
  client: monitoringApi,
  queries: monitoringQueries,
  keyOf: monitoringKey,
} = connect('monitoring', monitoring, consoleApi);
