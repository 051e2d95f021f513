// The browser's API client of commitments.
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';
import { commitments } from '../contract.ts';

export const {
  client: commitmentsApi,
  queries: commitmentsQueries,
  keyOf: commitmentsKey,
} = connect('commitments', commitments, consoleApi);
