// The browser's connection to the app's own calls.
import { connect } from '#platform/web/api/queries.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { consoleContract } from '../../console/contract.ts';

export const {
  client: dashboardApi,
  queries: dashboardQueries,
  keyOf: dashboardKey,
} = connect('console', consoleContract, consoleApi);
