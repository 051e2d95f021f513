// Ids name their kind of entity and sort by creation time.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeId, idPattern, idPrefixes, type IdPrefix } from './ids.ts';

const randomness = fc.uint8Array({ minLength: 10, maxLength: 10 });
const moments = fc.integer({ min: 0, max: 2 ** 48 - 1 });

describe('ids', () => {
  test('hold all their bits', () => {
    expect(encodeId('bil', 0, new Uint8Array(10))).toBe(`bil_${'0'.repeat(26)}`);
    expect(encodeId('bil', 2 ** 48 - 1, new Uint8Array(10).fill(255))).toBe(`bil_7${'z'.repeat(25)}`);
  });

  test('differ for different times or random bits, and each matches only its own pattern', () => {
    fc.assert(
      fc.property(moments, randomness, moments, randomness, (a, randomA, b, randomB) => {
        const [one, other] = [encodeId('sub', a, randomA), encodeId('sub', b, randomB)];
        expect(one).toMatch(idPattern('sub'));
        expect(one).not.toMatch(idPattern('svc'));
        expect(one === other).toBe(a === b && randomA.every((byte, index) => byte === randomB[index]));
      }),
    );
  });

  test('sort by time as plain text', () => {
    fc.assert(
      fc.property(moments, randomness, moments, randomness, (a, randomA, b, randomB) => {
        fc.pre(a < b);
        expect(encodeId('bil', a, randomA) < encodeId('bil', b, randomB)).toBe(true);
      }),
    );
  });

  test.each([
    'bil_',
    'bil_0000000000000000000000000',
    'bil_000000000000000000000000000',
    'bil_0000000000000000000000000i',
    'bil_0000000000000000000000000O',
    ' bil_00000000000000000000000000',
    'bil_00000000000000000000000000\n',
    "bil_' or 1=1 --",
  ])('%j is not an id', (text) => {
    expect(idPattern('bil').test(text)).toBe(false);
  });

  test('each kind has its own prefix of three letters', () => {
    const prefixes = Object.keys(idPrefixes) as IdPrefix[];
    expect(prefixes.every((prefix) => /^[a-z]{3}$/.test(prefix))).toBe(true);
    expect(new Set(Object.values(idPrefixes)).size).toBe(prefixes.length);
  });
});
