// The browser's connection to the calls about permissions that can be withdrawn.
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';
import { grantsContract } from '../../grants/contract.ts';

export const {
  client: grantsApi,
  queries: grantsQueries,
  keyOf: grantsKey,
} = connect('grants', grantsContract, consoleApi);
