// Asks the server who is signed in.
import type { SignedIn } from '#platform/web/session/session.ts';
import { ApiError } from '#platform/web/api/api-error.ts';
import { identityApi } from './api.ts';

/** Ends the session of the cookie, on the server and in every tab. */
export const endOwnSession = (): Promise<unknown> => identityApi.logout();

/** Requests a new access token with the session cookie; null when the session has ended. */
export async function askSession(): Promise<SignedIn | null> {
  try {
    return await identityApi.session();
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}
