// Remembers across reloads that this browser's user signed in through the provider, and that a sign-out is in
// progress. Stores no secret.

import { lastMethod, rememberMethod } from '#features/access/signin/web/index.ts';

const throughKey = 'signedInThrough';
const leavingKey = 'signedOutAtProvider';

/** Called when a user has signed in through the provider. */
export function rememberProviderSignIn(userId: string): void {
  localStorage.setItem(throughKey, userId);
  rememberMethod('provider');
}
export const forgetProviderSignIn = (): void => localStorage.removeItem(throughKey);
/** Whether this user signed in through the provider, and not in another way since. */
export const isThroughProvider = (userId: string | undefined): boolean =>
  userId !== undefined && localStorage.getItem(throughKey) === userId && lastMethod() === 'provider';

/** Records that the browser leaves for the provider's end-session page. */
export const markSignOut = (): void => sessionStorage.setItem(leavingKey, 'yes');

/** Whether the browser has just returned from there; true once. */
export function takeSignOut(): boolean {
  const isBack = sessionStorage.getItem(leavingKey) !== null;
  sessionStorage.removeItem(leavingKey);
  return isBack;
}
