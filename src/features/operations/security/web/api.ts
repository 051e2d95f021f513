// The browser's API client of security.
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';
import { security } from '../contract.ts';

export const {
  client: securityApi,
  queries: securityQueries,
  keyOf: securityKey,
} = connect('security', security, consoleApi);
