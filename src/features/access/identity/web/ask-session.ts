// Who is signed in, as the cookie says.
import type { SignedIn } from '#platform/web/session/session.ts';
import { ApiError } from '#platform/web/api/api-error.ts';
import { identityApi } from './api.ts';

/** Asks for a fresh token by the session cookie; null when the session is over. */
export async function askSession(): Promise<SignedIn | null> {
  try {
    return await identityApi.session();
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}
