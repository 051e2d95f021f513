// The browser's API client of meters.
import { meters } from '../contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';

export const {
  client: metersApi,
  queries: metersQueries,
  keyOf: metersKey,
} = connect('meters', meters, consoleApi);
