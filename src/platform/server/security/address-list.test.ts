import { describe, expect, it } from 'vitest';
import { isAddressIn, networkOf } from './address-list.ts';

describe('T-KEYS: addresses and networks', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7/32'],
    [' 10.0.0.0/8 ', '10.0.0.0/8'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['2001:DB8::/32', '2001:db8::/32'],
    ['::1', '::1/128'],
    // An address inside a network, an invalid one, or an ambiguous one.
    ['10.0.0.1/8', undefined],
    ['10.0.0.0/33', undefined],
    ['10.0.0.0/', undefined],
    ['10.0.0.0/8/8', undefined],
    ['10.1', undefined],
    ['010.0.0.1', undefined],
    ['::ffff:10.0.0.1', undefined],
    ['console.example', undefined],
    ['', undefined],
  ])('reads %s as %s', (typed, network) => expect(networkOf(typed)).toBe(network));

  it.each([
    ['203.0.113.7', true],
    ['203.0.114.0', false],
    ['::ffff:203.0.113.7', true],
    ['2001:db8:ffff::1', true],
    ['2001:db9::', false],
    ['fe80::1%eth0', true],
    ['unknown', false],
    ['', false],
  ])('finds %s among them: %s', (address, isIn) =>
    expect(isAddressIn(['203.0.113.0/24', '2001:db8::/32', 'fe80::/10'], address)).toBe(isIn),
  );
});
