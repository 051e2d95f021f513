import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readBatch, readJson } from './payload.ts';

const bytesOf = (text: string): Buffer => Buffer.from(text);
/** Long enough to be read in pieces. */
const long = 150_000;
const filler = (count: number): object[] =>
  Array.from({ length: count }, (_, index) => ({
    id: String(index),
    source: '/a',
    data: { value: '1.5', 名稱: '區域，「北」' },
  }));

describe('R-USE-03: a long batch is read in pieces', () => {
  it('into what the whole says, wherever its pieces could be cut wrong', () => {
    const traps: unknown[] = [
      { text: '},{', id: 1 },
      { text: '\\"},{\\"' },
      { deep: [{ a: 1 }, { b: 2 }] },
      { deep: [[{ a: 1 }, { b: [{ c: 3 }, { d: 4 }] }]] },
      [{ a: 1 }, { b: 2 }],
      [[]],
      '},{',
      '"},{"',
      5,
      null,
      {},
      [],
    ];
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom(...traps), fc.jsonValue()), { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 0, max: 3 }),
        (items, place) => {
          const all = [...filler(700 * place), ...items, ...filler(3000), ...items];
          const text = JSON.stringify(all);
          expect(text.length).toBeGreaterThan(long);
          expect(readJson(bytesOf(text))).toEqual({ value: JSON.parse(text) });
        },
      ),
      { numRuns: 150 },
    );
  });

  it('of traps alone: strings and lists full of places that look like a cut', () => {
    for (const item of [
      { text: '},{'.repeat(200) },
      { list: Array.from({ length: 100 }, () => ({ a: 1 })) },
      { list: Array.from({ length: 100 }, () => '"},{"') },
    ]) {
      const all = Array.from({ length: 400 }, () => item);
      expect(readJson(bytesOf(JSON.stringify(all)))).toEqual({ value: all });
    }
    const one = [{ text: '},{'.repeat(100_000) }];
    expect(readJson(bytesOf(JSON.stringify(one)))).toEqual({ value: one });
  });

  it('or is no JSON, as it would be as a whole', () => {
    const whole = JSON.stringify(filler(3000));
    const broken = [
      whole.slice(0, -1),
      `${whole}]`,
      whole.replace('"id":"1500"', '"id":1500"'),
      whole.replace('},{"id":"2000"', '},,{"id":"2000"'),
      whole.replace('},{"id":"2000"', '}{"id":"2000"'),
      `${whole.slice(0, -1)},]`,
      `[,${whole.slice(1)}`,
      whole.replace('},{"id":"2500"', '}],[{"id":"2500"'),
    ];
    for (const text of broken)
      expect(readJson(bytesOf(text))).toEqual({ code: 'usage.malformed', params: {} });
    const bytes = bytesOf(whole);
    bytes[100_000] = 0xff;
    expect(readJson(bytes)).toEqual({ code: 'usage.malformed', params: {} });
  });

  it('with white space between its events, or as one value that is no list', () => {
    const all = filler(3000);
    expect(readJson(bytesOf(JSON.stringify(all, null, 2)))).toEqual({ value: all });
    expect(readJson(bytesOf(` ${JSON.stringify(all)}\n`))).toEqual({ value: all });
    expect(readBatch(bytesOf(JSON.stringify({ all })))).toEqual([{ all }]);
  });
});
