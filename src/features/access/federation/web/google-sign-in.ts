// The order of Google's sign-in (R-AUTH-04).
import type { SignedIn } from '#platform/web/session/session.ts';
import { federationApi } from './api.ts';

/** Registers first; whoever cannot be registered, signs in. Throws what the second call says. */
export async function registerOrLogin(idToken: string): Promise<SignedIn> {
  try {
    return await federationApi.googleRegister({ idToken, agreeToTerms: true, subscribeToNewsletter: false });
  } catch {
    // Mostly somebody who is registered already; whatever it was, signing in says it better.
    return federationApi.googleLogin({ idToken });
  }
}
