// The server's public status.
import { matchQuery, useQuery } from '@tanstack/react-query';
import { contract } from '#kernel/contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect, queryCache } from '#platform/web/api/queries.ts';
import { systemRoutes } from '../contract-system.ts';

// Uses the key of the whole contract, so that refetching the contract's queries includes this one. Public
// pages need only this part.
const { queries: systemQueries, keyOf } = connect('administration', contract(systemRoutes), consoleApi);

/**
 * Whether the console is set up, its name and its sign-in methods; the public pages work without the answer.
 */
export const useSystemStatus = () => useQuery({ ...systemQueries.systemStatus(), staleTime: 10 * 60_000 });
/**
 * Clears all data loaded for a user who signs out. Keeps the status, which is public and which the sign-in
 * page needs next.
 */
export function forgetLoaded(): void {
  queryCache.removeQueries({ predicate: (query) => !matchQuery({ queryKey: keyOf('systemStatus') }, query) });
  queryCache.getMutationCache().clear();
}
/** Refetches the status after a change. */
export const askStatusAgain = (): Promise<void> =>
  queryCache.invalidateQueries({ queryKey: keyOf('systemStatus') });
export { systemQueries };
