// The browser's API client of automatic top-ups.
import { topups } from '../contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';

export const {
  client: topupsApi,
  queries: topupsQueries,
  keyOf: topupsKey,
} = connect('topups', topups, consoleApi);
