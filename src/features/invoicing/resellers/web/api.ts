// The browser's API client of resellers.
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';
import { resellers } from '../contract.ts';

export const {
  client: resellersApi,
  queries: resellersQueries,
  keyOf: resellersKey,
} = connect('resellers', resellers, consoleApi);
