// The browser's API client of identity.
import { identity } from '../contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';

export const {
  client: identityApi,
  queries: identityQueries,
  keyOf: identityKey,
} = connect('identity', identity, consoleApi);
