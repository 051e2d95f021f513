// The browser's API client of cost imports.
import { costImports } from '../contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';

export const {
  client: costsApi,
  queries: costsQueries,
  keyOf: costsKey,
} = connect('costs', costImports, consoleApi);
