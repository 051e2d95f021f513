// The browser's API client of identity providers.
import { providers } from '../contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';

export const {
  client: providersApi,
  queries: providersQueries,
  keyOf: providersKey,
} = connect('providers', providers, consoleApi);
