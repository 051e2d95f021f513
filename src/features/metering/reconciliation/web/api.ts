// The browser's API client of reconciliation.
import { reconciliation } from '../contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';

export const {
  client: reconciliationApi,
  queries: reconciliationQueries,
  keyOf: reconciliationKey,
} = connect('reconciliation', reconciliation, consoleApi);
