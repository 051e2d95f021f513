// The browser's API client of external sign-in.
import { federation, type FederationOptions } from '../contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect, queryCache } from '#platform/web/api/queries.ts';

export const {
  client: federationApi,
  queries: federationQueries,
  keyOf: federationKey,
} = connect('federation', federation, consoleApi);

/** The sign-in methods of this console; fetched once. */
export const optionsQuery = () => ({
  ...federationQueries.federationOptions(),
  staleTime: Number.POSITIVE_INFINITY,
});

/** The same for code outside of components. */
export const askOptions = (): Promise<FederationOptions> => queryCache.fetchQuery(optionsQuery());
