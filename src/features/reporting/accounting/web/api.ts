// The browser's API client of journals.
import { accounting } from '../contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';

export const {
  client: accountingApi,
  queries: accountingQueries,
  keyOf: accountingKey,
} = connect('accounting', accounting, consoleApi);
