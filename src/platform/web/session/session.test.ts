import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { RequestSession } from './session.ts';

const memory = new Map<string, string>();
vi.stubGlobal('localStorage', {
  getItem: (key: string) => memory.get(key) ?? null,
  setItem: (key: string, value: string) => void memory.set(key, value),
  removeItem: (key: string) => void memory.delete(key),
});
const page = new EventTarget();
vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
const { configureSession, onSessionLost, signIn, signOut } = await import('./session.ts');
const { useAuthStore } = await import('./auth-store.ts');

const user = {
  id: 'usr_1',
  account: 'a@b.example',
  name: 'A',
  role: 'User',
  organizationId: null,
  organization: null,
};
const tokenMs = 15 * 60_000;
const answer = (idleMinutes: number | null) => ({
  user,
  token: 't',
  expiresAt: new Date(Date.now() + tokenMs),
  mustEnrol: false,
  idleMinutes,
});
const minutes = (count: number) => vi.advanceTimersByTimeAsync(count * 60_000);
const isSignedIn = (): boolean => useAuthStore.getState().isAuthenticated;
let idle: number | null = null;
const renew = vi.fn<RequestSession>(() => Promise.resolve(answer(idle)));
const end = vi.fn<() => Promise<null>>(() => Promise.resolve(null));
const lost = vi.fn<() => void>();
onSessionLost(lost);
configureSession(renew, end);

beforeEach(() => {
  vi.useFakeTimers();
  memory.clear();
  vi.clearAllMocks();
});
afterEach(() => {
  signOut();
  vi.useRealTimers();
});

it('R-AUTH-08: renews a minute before the token ends, also without activity if there is no policy', async () => {
  idle = null;
  signIn(answer(idle));
  await minutes(13.9);
  expect(renew).not.toHaveBeenCalled();
  await minutes(0.2);
  expect(renew).toHaveBeenCalledTimes(1);
  await minutes(8 * 60);
  expect(isSignedIn()).toBe(true);
});

it('R-AUTH-08: renews once a minute where the clock is ahead of the server’s by more than a token lasts', async () => {
  const late = () => ({ ...answer(null), expiresAt: new Date(Date.now() - 60 * 60_000) });
  renew.mockImplementation(() => Promise.resolve(late()));
  signIn(late());
  await minutes(10.5);
  expect(renew).toHaveBeenCalledTimes(10);
  expect(isSignedIn()).toBe(true);
  renew.mockImplementation(() => Promise.resolve(answer(idle)));
});

it('T-SESSION-POLICY: ends the session, here and on the server, after the idle time without keyboard or pointer', async () => {
  idle = 30;
  signIn(answer(idle));
  await minutes(20);
  page.dispatchEvent(new Event('keydown'));
  await minutes(29.9);
  expect([isSignedIn(), end.mock.calls.length]).toEqual([true, 0]);
  // Renewals are not activity: there were three until now.
  expect(renew.mock.calls.length).toBeGreaterThanOrEqual(3);
  await minutes(0.2);
  expect([isSignedIn(), end.mock.calls.length, lost.mock.calls.length]).toEqual([false, 1, 1]);
});

it('T-SESSION-POLICY: counts activity in another tab of this browser', async () => {
  idle = 15;
  signIn(answer(idle));
  await minutes(10);
  memory.set('lastUse', String(Date.now()));
  await minutes(14.9);
  expect(isSignedIn()).toBe(true);
  await minutes(0.2);
  expect(isSignedIn()).toBe(false);
});

it('T-SESSION-POLICY: ends here although the server cannot be reached', async () => {
  idle = 15;
  signIn(answer(idle));
  end.mockRejectedValueOnce(new Error('away'));
  await minutes(15.1);
  expect(isSignedIn()).toBe(false);
});
