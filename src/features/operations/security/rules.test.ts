import { describe, expect, it } from 'vitest';
import { headerChecks, hourStarts, kindOfKey } from './rules.ts';

describe('R-ADM-01 the security page’s figures', () => {
  it('cover the current hour and the 23 before it', () => {
    const starts = hourStarts(new Date('2026-11-22T08:59:59Z'));
    expect([starts.length, starts[0], starts.at(-1)]).toEqual([
      24,
      new Date('2026-11-21T09:00:00Z'),
      new Date('2026-11-22T08:00:00Z'),
    ]);
  });
  it.each([
    ['account:abc', 'account', 'abc'],
    ['address:2001:db8:0:1::/64', 'address', '2001:db8:0:1::/64'],
    ['asks:192.0.2.1', 'requests', '192.0.2.1'],
    ['device:xyz', 'browser', 'xyz'],
    ['subject:otp:usr_1', 'step', 'otp:usr_1'],
  ] as const)('name what %s counts', (key, kind, about) => expect(kindOfKey(key)).toEqual({ kind, about }));

  const good = {
    'content-security-policy': "default-src 'none'; script-src 'nonce-a'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=()',
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
  };
  it('2.F-105 verify every security header, HSTS over TLS only', () => {
    expect(headerChecks(new Headers(good), true).map(({ isGood }) => isGood)).toEqual([
      true,
      true,
      true,
      true,
      true,
      true,
      true,
    ]);
    const { 'strict-transport-security': _hsts, ...plain } = good;
    expect(headerChecks(new Headers(plain), false).every(({ isGood }) => isGood)).toBe(true);
    expect(
      headerChecks(new Headers(plain), true)
        .filter(({ isGood }) => !isGood)
        .map(({ name }) => name),
    ).toEqual(['strict-transport-security']);
  });
  it.each([
    ['content-security-policy', "default-src 'none'; script-src 'unsafe-inline'"],
    ['strict-transport-security', 'max-age=3600'],
    ['referrer-policy', 'origin'],
  ])('2.F-104 detect a proxy that weakened %s', (name, value) =>
    expect(
      headerChecks(new Headers({ ...good, [name]: value }), true).filter(({ isGood }) => !isGood),
    ).toEqual([{ name, value, isGood: false }]),
  );
});
