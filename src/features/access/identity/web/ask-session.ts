// Who is signed in, as the cookie says; asked on every page, so without the contract's schemas.
import type { SignedIn } from '#platform/web/session.ts';
import { ApiError } from '#platform/web/api-error.ts';
import { consoleApi } from '#platform/web/console-api.ts';
import { callFor, type PlainRoute } from '#platform/web/plain-call.ts';

export const sessionRoute = {
  method: 'GET',
  path: '/user/session',
  outlivesPage: true,
} as const satisfies PlainRoute;

const user = {
  id: '',
  account: '',
  name: '',
  role: '',
  organizationId: null,
  organization: null,
  avatar: null,
};
/** What every way to sign in answers, in the form it is sent: what the console keeps of it. */
const signedIn = { user, token: '', expiresAt: '', mustEnrol: false };

/** Sends a plain call that signs somebody in. */
export async function callToSignIn(route: PlainRoute, body?: object): Promise<SignedIn> {
  const answer = await callFor(route, consoleApi, signedIn, body);
  return { ...answer, expiresAt: new Date(answer.expiresAt) };
}

/** Asks for a fresh token by the session cookie; null when the session is over. */
export async function askSession(): Promise<SignedIn | null> {
  try {
    return await callToSignIn(sessionRoute);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}
