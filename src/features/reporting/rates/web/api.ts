// The browser's API client of exchange rates.
import { rates } from '../contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';

export const {
  client: ratesApi,
  queries: ratesQueries,
  keyOf: ratesKey,
} = connect('rates', rates, consoleApi);
