import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { permissions } from '#kernel/permissions.ts';
import { normalUserCode, pollAnswer, possiblePermissions, userCodeFrom, type Polled } from './rules.ts';

const now = new Date('2026-10-02T00:00:00Z');
const ago = (seconds: number): Date => new Date(now.getTime() - seconds * 1000);

describe('T-DEVICE: codes to type', () => {
  it('have eight consonants with a dash; too few random bytes are an error', () =>
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 0, maxLength: 40 }), (random) => {
        const code = userCodeFrom(random);
        if (random.filter((byte) => byte < 240).length < 8) expect(code).toBeUndefined();
        else expect(code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
      }),
    ));
  it('use every letter equally often', () => {
    const counts = new Map<string, number>();
    for (let byte = 0; byte < 256; byte++) {
      const code = userCodeFrom(new Uint8Array(8).fill(byte));
      if (code !== undefined) counts.set(code, (counts.get(code) ?? 0) + 1);
    }
    expect([...new Set(counts.values())]).toEqual([12]);
    expect(counts.size).toBe(20);
  });
  it.each([
    ['WDJB-MJHT', 'WDJBMJHT'],
    [' wdjb mjht ', 'WDJBMJHT'],
    ['wdjb－mjht', 'WDJBMJHT'],
    ['', ''],
  ])('%j is %s', (typed, normal) => expect(normalUserCode(typed)).toBe(normal));
});

describe('T-DEVICE: the permissions that a person can grant', () => {
  it('are all requested ones, and only read ones for a ReadOnly member', () => {
    expect(possiblePermissions('Admin', permissions)).toEqual(permissions);
    expect(possiblePermissions('User', ['billing:write'])).toEqual(['billing:write']);
    expect(possiblePermissions('ReadOnly', permissions).every((one) => one.endsWith(':read'))).toBe(true);
    expect(possiblePermissions('ReadOnly', ['billing:write'])).toEqual([]);
  });
});

describe('T-DEVICE: the response to a device', () => {
  const waiting: Polled = { state: 'waiting', expiresAt: ago(-1), intervalSeconds: 5, polledAt: null };
  it.each([
    [{}, 'authorization_pending'],
    [{ polledAt: ago(5) }, 'authorization_pending'],
    [{ polledAt: ago(4.999) }, 'slow_down'],
    [{ polledAt: ago(9), intervalSeconds: 10 }, 'slow_down'],
    [{ state: 'confirmed' }, 'hand_over'],
    [{ state: 'confirmed', polledAt: ago(1) }, 'hand_over'],
    [{ state: 'refused' }, 'access_denied'],
    [{ state: 'taken' }, 'expired_token'],
    [{ expiresAt: now }, 'expired_token'],
    [{ state: 'confirmed', expiresAt: now }, 'expired_token'],
    [{ state: 'refused', expiresAt: now }, 'expired_token'],
  ] as const)('%j: %s', (change, answer) => expect(pollAnswer({ ...waiting, ...change }, now)).toBe(answer));
});
