// The browser's API client of credit limits.
import { creditLimits } from '../contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';

export const {
  client: creditLimitsApi,
  queries: creditLimitsQueries,
  keyOf: creditLimitsKey,
} = connect('creditlimits', creditLimits, consoleApi);
