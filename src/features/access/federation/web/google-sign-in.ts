// The order of Google's sign-in (R-AUTH-04).
import type { SignedIn } from '#platform/web/session/session.ts';
import { federationApi } from './api.ts';

/** Tries to register the user first, then to sign in. Throws the error of the second call. */
export async function registerOrLogin(idToken: string): Promise<SignedIn> {
  try {
    return await federationApi.googleRegister({ idToken, agreeToTerms: true, subscribeToNewsletter: false });
  } catch {
    // Usually the user is registered already; in all other cases, signing in gives the better error.
    return federationApi.googleLogin({ idToken });
  }
}
