// The browser's API client of quotes.
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';
import { quotes } from '../contract.ts';

export const {
  client: quotesApi,
  queries: quotesQueries,
  keyOf: quotesKey,
} = connect('quotes', quotes, consoleApi);
