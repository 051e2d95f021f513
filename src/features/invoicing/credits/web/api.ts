// The browser's API client of credits.
import { credits } from '../contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';

export const {
  client: creditsApi,
  queries: creditsQueries,
  keyOf: creditsKey,
} = connect('credits', credits, consoleApi);
