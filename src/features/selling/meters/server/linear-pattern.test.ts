// The linear matcher agrees with JavaScript’s regular expressions, and stays fast where they are slow.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { linearPattern, PatternRefused } from './linear-pattern.ts';

const atom = fc.constantFrom(
  'a',
  'b',
  '-',
  '.',
  '\\d',
  '\\w',
  '[ab]',
  '[^a]',
  '[\\]x-]',
  '\\.',
  '\\u0061',
  '\\x62',
  '\\u{1f600}',
  '\\ud83d\\ude00',
  '\\p{L}',
  '😀',
  '^',
  '$',
  '\\/',
  '\\cJ',
  '\\n',
  '\\s',
  '\\S',
  '\\D',
  '\\W',
);
const pattern = fc.letrec<{ pattern: string; term: string }>((tie) => ({
  term: fc.oneof(
    { depthSize: 'small', maxDepth: 2, withCrossShrink: true },
    atom,
    fc.tuple(fc.constantFrom('(', '(?:'), tie('pattern')).map(([open, inner]) => `${open}${inner})`),
  ),
  pattern: fc
    .array(fc.tuple(tie('term'), fc.constantFrom('', '', '*', '+', '?', '*?', '{2}', '{1,}', '{0,2}', '|')), {
      maxLength: 4,
    })
    .map((terms) => terms.map((each) => each.join('')).join('')),
})).pattern;
const text = fc.string({
  unit: fc.constantFrom('a', 'b', 'x', ']', '-', '.', '1', '/', '\n', '\t', '😀', 'é'),
  maxLength: 8,
});
// Longer patterns may contain so many repetitions that they are rejected.
const longest = 200;
// With more repetitions inside each other, RegExp itself takes up to a minute for a text of eight characters.
const mostRepetitions = 5;
const repetitions = (source: string): number => source.match(/[*+}]|\?(?!:)/g)?.length ?? 0;
const isRegExp = (source: string): boolean => {
  try {
    new RegExp(source, 'u');
    return true;
  } catch {
    return false;
  }
};

it('agrees with RegExp', () => {
  fc.assert(
    fc.property(
      pattern.filter(
        (source) => source.length <= longest && repetitions(source) <= mostRepetitions && isRegExp(source),
      ),
      fc.array(text, { minLength: 1, maxLength: 6 }),
      (source, texts) => {
        const { test } = linearPattern(source);
        for (const each of texts)
          expect([source, each, test(each)]).toEqual([source, each, new RegExp(source, 'u').test(each)]);
      },
    ),
    { numRuns: 2000 },
  );
});

it.each(['^(a+)+$', '^(a|a)*$', '^(a|aa)+$', '(.*)*$', '^(.*a){12}$', '^(([a-z])+.)+[A-Z]([a-z])+$'])(
  '%s is fast',
  (source) => {
    expect(linearPattern(source).test(`${'a'.repeat(5000)}\n!`)).toBe(
      new RegExp(source, 'u').test('aaaaaaaaaaaaaaaaaa\n!'),
    );
  },
);

it.each([
  '(a)\\1',
  '(?=a)',
  '(?!a)',
  '(?<=a)',
  '(?<!a)',
  '\\bx',
  'a\\B',
  '(?<n>a)\\k<n>',
  '(',
  '[z-a]',
  'a{2000}',
  '(){999999999}',
  'a{0,999999999}',
  '((a{30}){30}){30}',
])('%s is rejected', (source) => {
  expect(() => linearPattern(source)).toThrow(PatternRefused);
});
