// The browser's API client of nightly exports.
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';
import { dataExports } from '../contract.ts';

export const {
  client: dataExportsApi,
  queries: dataExportsQueries,
  keyOf: dataExportsKey,
} = connect('dataexports', dataExports, consoleApi);
