// The browser's API client of custom roles.
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';
import { customRoles } from '../contract.ts';

export const {
  client: rolesApi,
  queries: rolesQueries,
  keyOf: rolesKey,
} = connect('customroles', customRoles, consoleApi);
