// Ends the provider's session along with the console's, and goes to the provider when a session is lost.
import { forgetThrough, isThroughProvider, markSignOut } from './provider-sign-in.ts';

/**
 * R-AUTH-12: also ends the provider's session when the user of this browser signed in through it. The browser
 * then goes to the provider and comes back to `/`, where {@link takeSignOut} shows the message. Does nothing
 * otherwise, or when the provider cannot be reached: the console's own session is over anyway.
 */
export async function endProviderSession(userId: string | undefined): Promise<void> {
  const isThrough = isThroughProvider(userId);
  forgetThrough();
  if (!isThrough) return;
  try {
    const { leaveProvider } = await import('./provider.ts');
    await leaveProvider(markSignOut);
  } catch {
    // The provider is down or has no end of sessions.
  }
}

/**
 * R-AUTH-13: sends a user whose session is lost to the provider, and back to `returnTo` afterwards. False
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
    // Then account and password are still there.
    return false;
  }
}
