// The browser's API client of administration.
import { administration } from '../contract.ts';
import { consoleApi } from '#platform/web/console-api.ts';
import { connect } from '#platform/web/queries.ts';

export const {
  client: administrationApi,
  queries: administrationQueries,
  keyOf: administrationKey,
} = connect('administration', administration, consoleApi);
