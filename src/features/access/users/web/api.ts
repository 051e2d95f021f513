// The browser's API client of bulk user management.
import { users } from '../contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';

export const {
  client: usersApi,
  queries: usersQueries,
  keyOf: usersKey,
} = connect('users', users, consoleApi);
