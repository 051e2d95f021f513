import { beforeEach, describe, expect, it, vi } from 'vitest';

const memory = new Map<string, string>();
vi.stubGlobal('localStorage', {
  getItem: (key: string) => memory.get(key) ?? null,
  setItem: (key: string, value: string) => void memory.set(key, value),
  removeItem: (key: string) => void memory.delete(key),
});
const { sessionUser, useAuthStore } = await import('./auth-store.ts');
const first = {
  id: 'usr_1',
  account: 'first@example.com',
  name: 'First user',
  role: 'Admin',
  organizationId: null,
  organization: null,
  avatar: null,
};
const stored = (): { state: unknown } => JSON.parse(memory.get('authStore') ?? '{}');

describe('R-AUTH-11 authStore', () => {
  beforeEach(() => useAuthStore.getState().clear());

  it('starts and resets to: no token, no user, not authenticated, not loading', () => {
    const { setAccessToken, setUser, setIsAuthenticated, setIsLoading, clear } = useAuthStore.getState();
    setAccessToken('t');
    setUser(first);
    setIsAuthenticated(true);
    setIsLoading(true);
    expect(useAuthStore.getState()).toMatchObject({
      accessToken: 't',
      user: first,
      isAuthenticated: true,
      isLoading: true,
    });
    clear();
    expect(useAuthStore.getState()).toMatchObject({
      accessToken: null,
      user: null,
      isAuthenticated: false,
      isLoading: false,
    });
  });

  it('sets each field separately', () => {
    useAuthStore.getState().setUser(first);
    expect(useAuthStore.getState()).toMatchObject({
      accessToken: null,
      user: first,
      isAuthenticated: false,
      isLoading: false,
    });
  });

  it('stores only user and isAuthenticated', () => {
    const { setAccessToken, setUser, setIsAuthenticated } = useAuthStore.getState();
    setAccessToken('secret');
    setUser(first);
    setIsAuthenticated(true);
    expect(stored().state).toEqual({ user: first, isAuthenticated: true });
    expect(memory.get('authStore')).not.toContain('secret');
  });

  it('stores only the displayed fields of a user', () => {
    expect(sessionUser({ ...first, phone: '0912' } as typeof first)).toEqual({ ...first, customRole: null });
  });
});
