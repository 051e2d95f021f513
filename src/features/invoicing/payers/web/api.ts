// The browser's API client of payers.
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';
import { payers } from '../contract.ts';

export const {
  client: payersApi,
  queries: payersQueries,
  keyOf: payersKey,
} = connect('payers', payers, consoleApi);
