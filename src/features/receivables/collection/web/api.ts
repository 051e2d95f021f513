// The browser's API client of collection.
import { collection } from '../contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';

export const {
  client: collectionApi,
  queries: collectionQueries,
  keyOf: collectionKey,
} = connect('collection', collection, consoleApi);
