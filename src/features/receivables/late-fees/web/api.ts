// The browser's API client of late fees.
import { lateFees } from '../contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';

export const {
  client: lateFeesApi,
  queries: lateFeesQueries,
  keyOf: lateFeesKey,
} = connect('latefees', lateFees, consoleApi);
