// The browser's API client of backups.
import { backups } from '../contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';

export const {
  client: backupsApi,
  queries: backupsQueries,
  keyOf: backupsKey,
} = connect('backups', backups, consoleApi);
