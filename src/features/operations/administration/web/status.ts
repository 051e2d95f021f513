// The server's public status.
import { matchQuery, useQuery } from '@tanstack/react-query';
import { contract } from '#kernel/contract.ts';
import { consoleApi } from '#platform/web/api/console-api.ts';
import { connect, queryCache } from '#platform/web/api/queries.ts';
import { systemRoutes } from '../contract-system.ts';

// By the name of the whole contract, so that what is loaded again for it is loaded again here. Public pages need no more of it.
const { queries: systemQueries, keyOf } = connect('administration', contract(systemRoutes), consoleApi);

/** Whether the console is set up, its name and its ways to sign in; the public pages work without the answer. */
export const useSystemStatus = () => useQuery({ ...systemQueries.systemStatus(), staleTime: 10 * 60_000 });
/** Forgets all that was loaded for whoever signs out. The status is everybody's, and the sign-in page that follows waits for it. */
export function forgetLoaded(): void {
  queryCache.removeQueries({ predicate: (query) => !matchQuery({ queryKey: keyOf('systemStatus') }, query) });
  queryCache.getMutationCache().clear();
}
/** Loads the status again after a change. */
export const askStatusAgain = (): Promise<void> =>
  queryCache.invalidateQueries({ queryKey: keyOf('systemStatus') });
export { systemQueries };
