// The browser's API client of dunning.
import { dunning } from '../contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';

export const {
  client: dunningApi,
  queries: dunningQueries,
  keyOf: dunningKey,
} = connect('dunning', dunning, consoleApi);
