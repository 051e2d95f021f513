import { beforeEach, describe, expect, it, vi } from 'vitest';

const memory = new Map<string, string>();
const storage = {
  getItem: (key: string) => memory.get(key) ?? null,
  setItem: (key: string, value: string) => void memory.set(key, value),
  removeItem: (key: string) => void memory.delete(key),
};
vi.stubGlobal('localStorage', storage);
vi.stubGlobal('sessionStorage', storage);
const { draftKey, takeDraft, watchForm } = await import('./drafts.ts');
const { dropSession } = await import('../session/session.ts');
const { useAuthStore } = await import('../session/auth-store.ts');
const person = (id: string) => ({
  id,
  account: 'a@example.com',
  name: 'A',
  role: 'User',
  organizationId: null,
  organization: null,
});
const key = draftKey('/user/profile', ['name', 'phone']);

describe('R-AUTH-13 forms are kept when a session ends', () => {
  beforeEach(() => {
    memory.clear();
    useAuthStore.getState().setUser(person('usr_1'));
  });

  it('keeps input, without secrets, for the same person, once', () => {
    const stop = watchForm({
      key,
      isDirty: () => true,
      values: () => ({ name: '王', phone: '02', password: 'x', current: 'y', otp: '1' }),
    });
    dropSession();
    stop();
    expect([...memory.values()].join()).not.toMatch(/password|current|otp/);
    expect(takeDraft(key)).toBeUndefined();
    useAuthStore.getState().setUser(person('usr_2'));
    expect(takeDraft(key)).toBeUndefined();
    useAuthStore.getState().setUser(person('usr_1'));
    expect(takeDraft(key)).toEqual({ name: '王', phone: '02' });
    expect(takeDraft(key)).toBeUndefined();
  });

  it('keeps nothing of unchanged or closed forms', () => {
    watchForm({ key, isDirty: () => false, values: () => ({ name: 'x' }) })();
    const stop = watchForm({ key, isDirty: () => true, values: () => ({ name: 'x' }) });
    stop();
    dropSession();
    expect([...memory.keys()].filter((name) => name.startsWith('draft '))).toEqual([]);
  });
});
