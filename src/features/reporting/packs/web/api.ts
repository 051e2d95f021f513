// The browser's API client of month packs.
import { packs } from '../contract.ts';
import { consoleApi } from '#platform/web/console-api.ts';
import { connect } from '#platform/web/queries.ts';

export const {
  client: packsApi,
  queries: packsQueries,
  keyOf: packsKey,
} = connect('packs', packs, consoleApi);
