// The browser's API client of catalogue.
import { catalogue } from '../contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';

export const {
  client: catalogueApi,
  queries: catalogueQueries,
  keyOf: catalogueKey,
} = connect('catalogue', catalogue, consoleApi);
