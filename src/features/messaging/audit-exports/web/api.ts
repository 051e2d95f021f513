// The browser's API client of audit exports.
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';
import { auditExports } from '../contract.ts';

export const {
  client: auditExportsApi,
  queries: auditExportsQueries,
  keyOf: auditExportsKey,
} = connect('auditexports', auditExports, consoleApi);
