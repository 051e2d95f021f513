// The browser's API client of credit grants.
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';
import { creditgrants } from '../contract.ts';

export const {
  client: creditgrantsApi,
  queries: creditgrantsQueries,
  keyOf: creditgrantsKey,
} = connect('creditgrants', creditgrants, consoleApi);
