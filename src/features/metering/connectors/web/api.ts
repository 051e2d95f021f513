// The browser's API client of connectors.
import { connectors } from '../contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';

export const {
  client: connectorsApi,
  queries: connectorsQueries,
  keyOf: connectorsKey,
} = connect('connectors', connectors, consoleApi);
