// The browser's API client of licensing.
import { licensing } from '../contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';

export const {
  client: licensingApi,
  queries: licensingQueries,
  keyOf: licensingKey,
} = connect('licensing', licensing, consoleApi);
