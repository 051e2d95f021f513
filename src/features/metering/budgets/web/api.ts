// The browser's API client of budgets.
import { budgets } from '../contract.ts';
import { consoleApi } from '#platform/web/console-api.ts';
import { connect } from '#platform/web/queries.ts';

export const {
  client: budgetsApi,
  queries: budgetsQueries,
  keyOf: budgetsKey,
} = connect('budgets', budgets, consoleApi);
