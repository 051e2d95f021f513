// The server's public status.
import { useQuery } from '@tanstack/react-query';
import { queryCache } from '#platform/web/api/queries.ts';
import { administrationKey, administrationQueries } from './api.ts';

/** Whether the console is set up, its name and its ways to sign in; the public pages work without the answer. */
export const useSystemStatus = () =>
  useQuery({ ...administrationQueries.systemStatus(), staleTime: 10 * 60_000 });
/** Loads the status again after a change. */
export const askStatusAgain = (): Promise<void> =>
  queryCache.invalidateQueries({ queryKey: administrationKey('systemStatus') });
