// The browser's API client of billing.
import { billing } from '../contract.ts';
import { consoleApi } from '#platform/web/console-api.ts';
import { connect } from '#platform/web/queries.ts';

export const {
  client: billingApi,
  queries: billingQueries,
  keyOf: billingKey,
} = connect('billing', billing, consoleApi);
