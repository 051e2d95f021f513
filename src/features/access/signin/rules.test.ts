// Delays of accounts and addresses after failures, and formats of codes.
import { describe, expect, test } from 'vitest';
import { delayAfterFailures, delayOfAddress, networkOf, readOtp, spacedCode } from './rules.ts';

describe('delays after failed sign-ins (reliability.md, check 10)', () => {
  test.each([
    [0, 0],
    [1, 0],
    [4, 0],
    [5, 2],
    [6, 4],
    [7, 8],
    [12, 256],
    [13, 512],
    [14, 900],
    [99, 900],
    [100, 86_400],
    [5000, 86_400],
  ])('after %i failures %i seconds', (failures, seconds) => {
    expect(delayAfterFailures(failures)).toBe(seconds);
  });
  test.each([
    [0, 0],
    [19, 0],
    [20, 15],
    [21, 30],
    [25, 480],
    [26, 900],
    [4000, 900],
  ])('an address with %i failures waits %i seconds (reliability.md 2.A-13)', (failures, seconds) => {
    expect(delayOfAddress(failures)).toBe(seconds);
  });
  test('never shrink, and are never permanent', () => {
    for (const delay of [delayAfterFailures, delayOfAddress]) {
      for (let failures = 1; failures < 2000; failures++) {
        expect(delay(failures)).toBeGreaterThanOrEqual(delay(failures - 1));
        expect(delay(failures)).toBeLessThanOrEqual(86_400);
      }
    }
  });
});

describe('addresses', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('%s is counted as %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});

describe('codes', () => {
  test.each([
    ['123456', { kind: 'totp', code: '123456' }],
    [' 123 456 ', { kind: 'totp', code: '123456' }],
    ['１２３４５６', { kind: 'totp', code: '123456' }],
    ['abcd-efgh-jkmn-pqrs', { kind: 'recovery', code: 'abcdefghjkmnpqrs' }],
    ['ABCD EFGH JKMN PQRS', { kind: 'recovery', code: 'abcdefghjkmnpqrs' }],
    ['12345', undefined],
    ['1234567', undefined],
    ['', undefined],
    ['abcd', undefined],
    ['ilou-ilou-ilou-ilou', undefined],
  ])('%j', (typed, read) => {
    expect(readOtp(typed)).toEqual(read);
  });
  test('a recovery code is accepted as it is displayed', () => {
    expect(spacedCode('abcdefghjkmnpqrs')).toBe('abcd-efgh-jkmn-pqrs');
    expect(readOtp(spacedCode('abcdefghjkmnpqrs'))?.code).toBe('abcdefghjkmnpqrs');
  });
});
