// Detects within moments that the session was ended elsewhere, by asking the server whether it is still
// valid.
import { useEffect } from 'react';
import { onLive } from '#platform/web/live/live.ts';
import { queryCache } from '#platform/web/api/queries.ts';
import { identityApi, identityKey } from './api.ts';

/**
 * Used once, in the shell. If the session has ended, the call receives a 401, which signs this tab out
 * (R-AUTH-13).
 */
export function useSessionWatch(): void {
  useEffect(
    () =>
      onLive('sessions', () => {
        void queryCache.invalidateQueries({ queryKey: identityKey('sessions') });
        checkSession();
      }),
    [],
  );
  useEffect(() => {
    // In another tab of this browser, a user signed out or another one signed in. The storage event works
    // without a live connection.
    const onStorage = ({ key }: StorageEvent) => key === 'authStore' && checkSession();
    addEventListener('storage', onStorage);
    return () => removeEventListener('storage', onStorage);
  }, []);
}

function checkSession(): void {
  identityApi.profile().catch(() => {
    // On a 401, the shared handling has signed this tab out. If the server cannot be reached, the state is
    // unknown, so nothing changes.
  });
}

/** A single-use ticket for the live connection. */
export async function askLiveTicket(): Promise<string> {
  return (await identityApi.liveTicket()).ticket;
}
