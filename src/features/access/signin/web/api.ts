// The browser's API client of sign-in.
import { signin } from '../contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';

export const {
  client: signinApi,
  queries: signinQueries,
  keyOf: signinKey,
} = connect('signin', signin, consoleApi);
