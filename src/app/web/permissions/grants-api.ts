// The calls about changeable permissions of this browser.
import { consoleApi } from '#platform/web/console-api.ts';
import { connect } from '#platform/web/queries.ts';
import { grantsContract } from '../../grants/contract.ts';

export const {
  client: grantsApi,
  queries: grantsQueries,
  keyOf: grantsKey,
} = connect('grants', grantsContract, consoleApi);
