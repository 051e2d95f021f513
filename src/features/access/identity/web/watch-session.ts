// Notices within moments when a session was ended elsewhere: this tab asks whether its own is still good.
import { useEffect } from 'react';
import { onLive } from '#platform/web/live/live.ts';
import { queryCache } from '#platform/web/api/queries.ts';
import { identityApi, identityKey } from './api.ts';

/** Once, in the shell. An ended session's call meets a 401, which signs this tab out (R-AUTH-13). */
export function useSessionWatch(): void {
  useEffect(
    () =>
      onLive('sessions', () => {
        void queryCache.invalidateQueries({ queryKey: identityKey('sessions') });
        look();
      }),
    [],
  );
  useEffect(() => {
    // Another tab of this browser signed out, or somebody else signed in there; without a live connection too.
    const hear = ({ key }: StorageEvent) => key === 'authStore' && look();
    addEventListener('storage', hear);
    return () => removeEventListener('storage', hear);
  }, []);
}

function look(): void {
  identityApi.profile().catch(() => {
    // Refused: the shared 401 handling has signed this tab out. Unreachable: nothing is known, nothing changes.
  });
}

/** A single-use ticket for the live connection. */
export async function askLiveTicket(): Promise<string> {
  return (await identityApi.liveTicket()).ticket;
}
