// The browser's API client of the portal.
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect } from '#platform/web/api/queries.ts';
import { portal } from '../contract.ts';

export const {
  client: portalApi,
  queries: portalQueries,
  keyOf: portalKey,
} = connect('portal', portal, consoleApi);
