// The browser's API client of sandboxes.
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';
import { sandboxes } from '../contract.ts';

export const {
  client: sandboxesApi,
  queries: sandboxesQueries,
  keyOf: sandboxesKey,
} = connect('sandboxes', sandboxes, consoleApi);
