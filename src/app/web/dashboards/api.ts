// The app's own calls of this browser.
import { connect } from '#platform/web/queries.ts';
import { consoleApi } from '#platform/web/console-api.ts';
import { consoleContract } from '../../console/contract.ts';

export const {
  client: dashboardApi,
  queries: dashboardQueries,
  keyOf: dashboardKey,
} = connect('console', consoleContract, consoleApi);
