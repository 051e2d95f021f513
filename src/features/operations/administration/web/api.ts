// The browser's API client of administration.
import { administration } from '../contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';

export const {
  client: administrationApi,
  queries: administrationQueries,
  keyOf: administrationKey,
} = connect('administration', administration, consoleApi);
