// The browser's API client of approvals.
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';
import { approvals } from '../contract.ts';

export const {
  client: approvalsApi,
  queries: approvalsQueries,
  keyOf: approvalsKey,
} = connect('approvals', approvals, consoleApi);
