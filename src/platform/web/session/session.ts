// Keeps the session alive: restores it on load, renews the token before it expires, and ends it in all tabs
// at once.
import { create } from 'zustand';
import { nowMs } from '../time/clock.ts';
import { cookieValue } from './cookies.ts';
import { sessionUser, useAuthStore, useViewing, type SessionUser } from './auth-store.ts';
import { useToastHistory } from '../toasts/toasts.ts';
import { forgetView } from './interrupted-view.ts';
import { followUse, lastUse, noteUse } from './last-use.ts';

/** The answer of every way to sign in. */
export type SignedIn = {
  readonly user: SessionUser;
  readonly token: string;
  readonly expiresAt: Date;
  readonly mustEnrol: boolean;
  /** Minutes without use after which the session ends; null: it does not end by inactivity. */
  readonly idleMinutes: number | null;
};
export type RequestSession = () => Promise<SignedIn | null>;

/** R-AUTH-08: how long before its expiry the token is renewed. */
export const renewBeforeMs = 60_000;
/**
 * The shortest time between two renewals: where this machine's clock is ahead of the server's, every token
 * looks expired.
 */
const leastPauseMs = 60_000;
/** Local-storage key of the user's recent searches; removed with the session. */
export const recentKey = 'recentStore';
/** The longest delay of a timer, in ms; for a later expiry the timer is set again. */
const longestWaitMs = 2 ** 31 - 1;

/** Whether the user must set up a second factor before anything else. */
export const useEnrolment = create<{ readonly mustEnrol: boolean }>()(() => ({ mustEnrol: false }));

type SessionLossListener = (user: SessionUser | null) => void;
const lossListeners = new Set<SessionLossListener>();

let expiresAtMs = 0;
let renewedAtMs = 0;
let idleMs: number | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
let requestSession: RequestSession = () => Promise.resolve(null);
let endSession: () => Promise<unknown> = () => Promise.resolve();

/** Sets how a new token is requested and the session ended (the cookie calls of the identity contract). Call once, at start. */
export function configureSession(request: RequestSession, end: () => Promise<unknown>): void {
  requestSession = request;
  endSession = end;
}

/** After how many minutes without use this tab's session ends; null: never. */
export const idleMinutes = (): number | null => (idleMs === null ? null : idleMs / 60_000);

/** Applies the answer of a sign-in or a renewal. */
export function signIn(answer: SignedIn): void {
  const { setAccessToken, setUser, setIsAuthenticated } = useAuthStore.getState();
  setAccessToken(answer.token);
  setUser(sessionUser(answer.user));
  setIsAuthenticated(true);
  useEnrolment.setState({ mustEnrol: answer.mustEnrol });
  // A sign-in or a page load counts as use; a renewal does not.
  const isNew = expiresAtMs === 0;
  expiresAtMs = answer.expiresAt.getTime();
  renewedAtMs = nowMs();
  idleMs = answer.idleMinutes === null ? null : answer.idleMinutes * 60_000;
  if (idleMs !== null) {
    followUse();
    if (isNew) noteUse();
  }
  schedule();
}

/** Removes the session from this browser. The logout call ends it on the server. */
export function signOut(): void {
  clearTimeout(timer);
  expiresAtMs = 0;
  useAuthStore.getState().clear();
  // The next user of this tab must not read the previous user's messages.
  useToastHistory.setState({ past: [] });
  try {
    localStorage.removeItem(recentKey);
  } catch {
    // If storage is forbidden, nothing was stored.
  }
}

/**
 * Calls `listener` when the session turns out to have ended, just before it is removed here. Returns the
 * function that unregisters it.
 */
export function onSessionLost(listener: SessionLossListener): () => void {
  lossListeners.add(listener);
  return () => void lossListeners.delete(listener);
}

/**
 * Handles a session that ended without a logout: listeners can first save the user's input, then the session
 * is removed.
 */
export function dropSession(): void {
  const { user } = useAuthStore.getState();
  for (const listener of lossListeners) listener(user);
  signOut();
}

/**
 * Requests a new token with the cookie; null when the session has ended. Rejects when there is no response.
 */
async function continueSession(): Promise<{ readonly token: string; readonly isSame: boolean } | null> {
  const before = useAuthStore.getState().user;
  const answer = await requestSession();
  if (!answer) return null;
  signIn(answer);
  const isSame = !before || before.id === answer.user.id;
  // Another user signed in with this browser, or a view as another user has ended: remove the previous user's
  // data from the screen.
  if (!isSame) {
    forgetView();
    useViewing.setState({ viewer: null, until: null });
    location.assign('/');
  }
  return { token: answer.token, isSame };
}

/**
 * Returns a new token for a call that received a 401. Null when the session has ended, or now belongs to
 * another user: the call must not be repeated in that user's name.
 */
export async function renewSession(): Promise<string | null> {
  const renewed = await continueSession();
  return renewed?.isSame ? renewed.token : null;
}

/**
 * Restores the session on load; `isLoading` is true meanwhile. A visitor who never signed in here causes no
 * call, so that the public pages work without the API. If the server cannot be reached, the stored user is
 * kept.
 */
export async function restoreSession(): Promise<void> {
  const { isAuthenticated, setIsLoading } = useAuthStore.getState();
  if (!isAuthenticated && cookieValue(document.cookie, 'user') === undefined) return;
  setIsLoading(true);
  try {
    if ((await continueSession()) === null) dropSession();
  } finally {
    setIsLoading(false);
  }
}

/** Renews on focus when the token is about to expire, because the timers of a sleeping laptop do not run. */
export function watchFocus(): void {
  const look = () => {
    if (document.visibilityState === 'visible' && expiresAtMs > 0) schedule();
  };
  document.addEventListener('visibilitychange', look);
  addEventListener('focus', look);
}

function schedule(): void {
  clearTimeout(timer);
  const nextMs = Math.min(renewalMs(), idleEndMs());
  const waitMs = Math.min(Math.max(nextMs - nowMs(), 0), longestWaitMs);
  timer = setTimeout(() => void renewQuietly(), waitMs);
}

/** When the token is renewed. */
const renewalMs = (): number => Math.max(expiresAtMs - renewBeforeMs, renewedAtMs + leastPauseMs);

/** When the session ends if nobody uses this browser until then. */
const idleEndMs = (): number => (idleMs === null ? Number.POSITIVE_INFINITY : lastUse() + idleMs);

/**
 * Ends the session here and on the server, because nobody has used the console for as long as its policy
 * allows.
 */
async function endIdleSession(): Promise<void> {
  try {
    await endSession();
  } catch {
    // The server ends it soon after by itself: nothing renews it any more.
  }
  dropSession();
}

async function renewQuietly(): Promise<void> {
  if (idleEndMs() <= nowMs()) return endIdleSession();
  if (renewalMs() > nowMs()) return schedule();
  try {
    if ((await continueSession()) === null) dropSession();
  } catch {
    // Offline: the next call receives a 401 and renews then, so nothing is lost.
  }
}
