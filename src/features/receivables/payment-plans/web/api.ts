// The browser's API client of payment plans.
import { plans } from '../contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';

export const {
  client: plansApi,
  queries: plansQueries,
  keyOf: plansKey,
} = connect('plans', plans, consoleApi);
