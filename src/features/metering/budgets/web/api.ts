// The browser's API client of budgets.
import { budgets } from '../contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';

export const {
  client: budgetsApi,
  queries: budgetsQueries,
  keyOf: budgetsKey,
} = connect('budgets', budgets, consoleApi);
