// Sentences get their words, and only theirs.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { interpolate } from './text.ts';

test.each<[string, Record<string, string | number>, string]>([
  ['{{used}}／{{limit}}', { used: '94', limit: 100 }, '94／100'],
  ['{{a}}{{a}}', { a: 1 }, '11'],
  ['{{missing}} 元', {}, '{{missing}} 元'],
  ['{{toString}}{{__proto__}}', {}, '{{toString}}{{__proto__}}'],
  ['{{name}}', { name: '{{secret}}', secret: 'x' }, '{{secret}}'],
  ['{{name}}', { name: '$&$1' }, '$&$1'],
  ['{ {a} } {{ a }} {a}', { a: 1 }, '{ {a} } {{ a }} {a}'],
])('%j with %j is %j', (text, params, result) => {
  expect(interpolate(text, params)).toBe(result);
});

test('a parameter stands in the sentence as it is, whatever it holds', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (value) => {
      expect(interpolate('〔{{value}}〕', { value })).toBe(`〔${value}〕`);
    }),
  );
});

test('a whole number of any size is written in full', () => {
  expect(interpolate('{{minor}}', { minor: 9007199254740993n })).toBe('9007199254740993');
});
