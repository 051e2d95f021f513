// The browser's API client of session policies.
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';
import { sessionPolicies } from '../contract.ts';

export const {
  client: policiesApi,
  queries: policiesQueries,
  keyOf: policiesKey,
} = connect('sessionpolicies', sessionPolicies, consoleApi);
