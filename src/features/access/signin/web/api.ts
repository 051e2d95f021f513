// The sign-in calls of this browser.
import { signin } from '../contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';

export const {
  client: signinApi,
  queries: signinQueries,
  keyOf: signinKey,
} = connect('signin', signin, consoleApi);
