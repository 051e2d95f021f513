// The browser's API client of taxes.
import { taxes } from '../contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';

export const {
  client: taxesApi,
  queries: taxesQueries,
  keyOf: taxesKey,
} = connect('taxes', taxes, consoleApi);
