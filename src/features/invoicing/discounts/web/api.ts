// The browser's API client of discounts.
import { discounts } from '../contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';

export const {
  client: discountsApi,
  queries: discountsQueries,
  keyOf: discountsKey,
} = connect('discounts', discounts, consoleApi);
