// The browser's API client of webhooks.
import { webhooks } from '../contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';

export const {
  client: webhooksApi,
  queries: webhooksQueries,
  keyOf: webhooksKey,
} = connect('webhooks', webhooks, consoleApi);
