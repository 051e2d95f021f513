// The browser's connection to the Admin's calls about organizations.
import { connect } from '#platform/web/api/queries.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { consoleContract } from '../../console/contract.ts';

export const {
  client: organizationsApi,
  queries: organizationsQueries,
  keyOf: organizationsKey,
} = connect('console', consoleContract, consoleApi);
