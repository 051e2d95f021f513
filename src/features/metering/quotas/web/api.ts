// The browser's API client of quotas.
import { quotas } from '../contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';

export const {
  client: quotasApi,
  queries: quotasQueries,
  keyOf: quotasKey,
} = connect('quotas', quotas, consoleApi);
