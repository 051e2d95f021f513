// The browser's API client of banking.
import { banking } from '../contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';

export const {
  client: bankingApi,
  queries: bankingQueries,
  keyOf: bankingKey,
} = connect('banking', banking, consoleApi);
