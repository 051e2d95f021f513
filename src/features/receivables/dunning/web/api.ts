// The browser's API client of dunning.
import { dunning } from '../contract.ts';
import { consoleApi } from '#platform/web/console-api.ts';
import { connect } from '#platform/web/queries.ts';

export const {
  client: dunningApi,
  queries: dunningQueries,
  keyOf: dunningKey,
} = connect('dunning', dunning, consoleApi);
