// The browser's API client of billing.
import { billing } from '../contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';

export const {
  client: billingApi,
  queries: billingQueries,
  keyOf: billingKey,
} = connect('billing', billing, consoleApi);
