// The browser's API client of month packs.
import { packs } from '../contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';

export const {
  client: packsApi,
  queries: packsQueries,
  keyOf: packsKey,
} = connect('packs', packs, consoleApi);
