// The browser's API client of catalogue.
import { catalogue } from '../contract.ts';
import { consoleApi } from '#platform/web/console-api.ts';
import { connect } from '#platform/web/queries.ts';

export const {
  client: catalogueApi,
  queries: catalogueQueries,
  keyOf: catalogueKey,
} = connect('catalogue', catalogue, consoleApi);
