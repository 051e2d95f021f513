// The browser's API client of payments.
import { payments } from '../contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';

export const {
  client: paymentsApi,
  queries: paymentsQueries,
  keyOf: paymentsKey,
} = connect('payments', payments, consoleApi);
