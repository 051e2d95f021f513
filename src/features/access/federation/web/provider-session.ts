// Ends the provider's session along with the console's, and redirects to the provider when a session is lost.
import { forgetProviderSignIn, isThroughProvider, markSignOut } from './provider-sign-in.ts';

/**
 * R-AUTH-12: also ends the provider's session if this browser's user signed in through it. The browser then
 * goes to the provider and returns to `/`, where {@link takeSignOut} shows the message. Otherwise, or when
 * the provider cannot be reached, it does nothing: the console's own session is over anyway.
 */
export async function endProviderSession(userId: string | undefined): Promise<void> {
  const isThrough = isThroughProvider(userId);
  forgetProviderSignIn();
  if (!isThrough) return;
  try {
    const { leaveProvider } = await import('./provider.ts');
    await leaveProvider(markSignOut);
  } catch {
    // The provider is down or does not support ending sessions.
  }
}

/**
 * R-AUTH-13: redirects a user whose session is lost to the provider, and back to `returnTo` afterwards. False
 * when no provider is configured.
 */
export function goToProvider(returnTo: string): Promise<boolean> {
  leaving ??= redirectToLogout(returnTo).finally(() => {
    leaving = undefined;
  });
  return leaving;
}

let leaving: Promise<boolean> | undefined;

async function redirectToLogout(returnTo: string): Promise<boolean> {
  try {
    const { startProviderSignIn } = await import('./provider.ts');
    return await startProviderSignIn({ returnTo, replaces: true });
  } catch {
    // Account and password still work.
    return false;
  }
}
