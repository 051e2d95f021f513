// The calls of this browser about organizations as an Admin sees them.
import { connect } from '#platform/web/api/queries.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { consoleContract } from '../../console/contract.ts';

export const {
  client: organizationsApi,
  queries: organizationsQueries,
  keyOf: organizationsKey,
} = connect('console', consoleContract, consoleApi);
