// The order of texts and keys.
import { expect, test } from 'vitest';
import { byKey, compareTexts, withSortedKeys } from './order.ts';

test('texts are ordered by code units, not by language', () => {
  expect(['a', 'ä', 'B', 'a', '乙', '甲'].toSorted(compareTexts)).toEqual(['B', 'a', 'a', 'ä', '乙', '甲']);
  expect(Object.entries({ b: 1, a: 2 }).toSorted(byKey)).toEqual([
    ['a', 2],
    ['b', 1],
  ]);
});

test('equal values have equal texts, whatever the order of their fields', () => {
  const text = (value: unknown): string => JSON.stringify(value, (_key, each) => withSortedKeys(each));
  const at = new Date(0);
  expect(text({ b: [{ d: 1, c: null }], a: at })).toBe(text({ a: at, b: [{ c: null, d: 1 }] }));
  expect(text({ a: [2, 1], b: at })).toBe('{"a":[2,1],"b":"1970-01-01T00:00:00.000Z"}');
});
