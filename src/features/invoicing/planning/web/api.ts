// The browser's API client of planning.
import { planning } from '../contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';

export const {
  client: planningApi,
  queries: planningQueries,
  keyOf: planningKey,
} = connect('planning', planning, consoleApi);
