// Keeps the session alive: restores it on load, renews the token before it ends, and ends it everywhere at once.
import { create } from 'zustand';
import { nowMs } from '../time/clock.ts';
import { cookieValue } from './cookies.ts';
import { sessionUser, useAuthStore, useViewing, type SessionUser } from './auth-store.ts';
import { useToastHistory } from '../toasts/toasts.ts';

/** What every way to sign in answers. */
export type SignedIn = {
  readonly user: SessionUser;
  readonly token: string;
  readonly expiresAt: Date;
  readonly mustEnrol: boolean;
};
export type AskSession = () => Promise<SignedIn | null>;

/** R-AUTH-08: renew this long before the token ends. */
export const renewBeforeMs = 60_000;
/** Local storage: what somebody looked for last. Forgotten with their session. */
export const recentKey = 'recentStore';
/** Timers cannot wait longer than this; a later end is looked at again then. */
const longestWaitMs = 2 ** 31 - 1;

/** Whether the person must set up a second factor before anything else. */
export const useEnrolment = create<{ readonly mustEnrol: boolean }>()(() => ({ mustEnrol: false }));

type Loss = (user: SessionUser | null) => void;
const lossListeners = new Set<Loss>();

let expiresAtMs = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let ask: AskSession = () => Promise.resolve(null);

/** Says how a fresh token is asked for (the cookie call of the identity contract). Call once, at start. */
export function configureSession(askSession: AskSession): void {
  ask = askSession;
}

/** Takes over an answer of a sign-in or a renewal. */
export function signIn(answer: SignedIn): void {
  const { setAccessToken, setUser, setIsAuthenticated } = useAuthStore.getState();
  setAccessToken(answer.token);
  setUser(sessionUser(answer.user));
  setIsAuthenticated(true);
  useEnrolment.setState({ mustEnrol: answer.mustEnrol });
  expiresAtMs = answer.expiresAt.getTime();
  schedule();
}

/** Forgets the session in this browser. The server's side is ended by the logout call. */
export function signOut(): void {
  clearTimeout(timer);
  expiresAtMs = 0;
  useAuthStore.getState().clear();
  // Whoever comes next at this tab reads nothing of it.
  useToastHistory.setState({ past: [] });
  try {
    localStorage.removeItem(recentKey);
  } catch {
    // Where storage is forbidden nothing was kept.
  }
}

/** Calls `listener` when a session turned out to be over, just before it is forgotten here. Returns the way to stop. */
export function onSessionLost(listener: Loss): () => void {
  lossListeners.add(listener);
  return () => void lossListeners.delete(listener);
}

/** The session is over without the person's doing: what is on the screen may still be kept, then it is forgotten. */
export function loseSession(): void {
  const { user } = useAuthStore.getState();
  for (const listener of lossListeners) listener(user);
  signOut();
}

/** Asks for a new token by the cookie; null when the session is over. Throws when nobody answers. */
async function continueSession(): Promise<{ readonly token: string; readonly isSame: boolean } | null> {
  const before = useAuthStore.getState().user;
  const answer = await ask();
  if (!answer) return null;
  signIn(answer);
  const isSame = !before || before.id === answer.user.id;
  // Somebody else signed in with this browser, or a view has ended: nothing of the person before may stay on the screen.
  if (!isSame) {
    useViewing.setState({ viewer: null, until: null });
    location.assign('/');
  }
  return { token: answer.token, isSame };
}

/** A new token for the call that met the end of the last one; null when the session is over, or is another person's: what one meant to do, the other must not. */
export async function renewSession(): Promise<string | null> {
  const renewed = await continueSession();
  return renewed?.isSame ? renewed.token : null;
}

/**
 * Restores the session on load; `isLoading` is true meanwhile. A visitor who was never signed in here asks nothing,
 * so the public pages work without the API. When the server cannot be reached, what was known stays.
 */
export async function restoreSession(): Promise<void> {
  const { isAuthenticated, setIsLoading } = useAuthStore.getState();
  if (!isAuthenticated && cookieValue(document.cookie, 'user') === undefined) return;
  setIsLoading(true);
  try {
    if ((await continueSession()) === null) loseSession();
  } finally {
    setIsLoading(false);
  }
}

/** Renews on focus when the token is about to end: a laptop that slept has missed its timer. */
export function watchFocus(): void {
  const look = () => {
    if (document.visibilityState === 'visible' && expiresAtMs > 0) schedule();
  };
  document.addEventListener('visibilitychange', look);
  addEventListener('focus', look);
}

function schedule(): void {
  clearTimeout(timer);
  const waitMs = Math.min(Math.max(expiresAtMs - renewBeforeMs - nowMs(), 0), longestWaitMs);
  timer = setTimeout(() => void renewQuietly(), waitMs);
}

async function renewQuietly(): Promise<void> {
  if (expiresAtMs - renewBeforeMs > nowMs()) return schedule();
  try {
    if ((await continueSession()) === null) loseSession();
  } catch {
    // No network: the next call meets a 401 and renews then; nothing is lost by waiting.
  }
}
