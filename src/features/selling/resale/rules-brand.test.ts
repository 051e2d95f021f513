import { describe, expect, it } from 'vitest';
import { hostMistake } from './rules-brand.ts';

describe('T-RESELL: a reseller’s host name', () => {
  it.each([
    [undefined, 'resellers.host_wrong'],
    ['console.example.com', 'resellers.host_main'],
    ['portal.shop.example', undefined],
  ])('%s: %s', (host, mistake) => {
    expect(hostMistake(host, 'console.example.com')).toBe(mistake);
  });
});
