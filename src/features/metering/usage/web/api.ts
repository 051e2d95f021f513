// The browser's API client of usage.
import { usage } from '../contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';

export const {
  client: usageApi,
  queries: usageQueries,
  keyOf: usageKey,
} = connect('usage', usage, consoleApi);
