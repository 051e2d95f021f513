// Translated texts get exactly their own parameters.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTranslator } from './translate.ts';

/** A sentence with its parameters. */
const fill = (text: string, params: Record<string, string | number | bigint>): string =>
  createTranslator({ zhTW: { 'a.key': text }, enUS: {} })('zhTW', 'a.key', params);

test.each<[string, Record<string, string | number>, string]>([
  ['{{used}}／{{limit}}', { used: '94', limit: 100 }, '94／100'],
  ['{{a}}{{a}}', { a: 1 }, '11'],
  ['{{missing}} 元', {}, '{{missing}} 元'],
  ['{{toString}}{{__proto__}}{{constructor}}', {}, '{{toString}}{{__proto__}}{{constructor}}'],
  ['{{name}}', { name: '{{secret}}', secret: 'x' }, '{{secret}}'],
  ['{{name}} {{other}}', { name: '{{other}}', other: 'x' }, '{{other}} x'],
  ['{{name}}', { name: '$&$1' }, '$&$1'],
  ['{{name}}', { name: '$t(a.key)' }, '$t(a.key)'],
  ['{{name}}', { name: '<b>&amp;</b>' }, '<b>&amp;</b>'],
  ['{ {a} } {a}', { a: 1 }, '{ {a} } {a}'],
])('%j with %j is %j', (text, params, result) => {
  expect(fill(text, params)).toBe(result);
});

test('a parameter appears unchanged in the sentence, whatever it contains', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (value) => {
      expect(fill('〔{{value}}〕', { value })).toBe(`〔${value}〕`);
    }),
  );
});

test('a whole number of any size is written in full', () => {
  expect(fill('{{minor}}', { minor: 9007199254740993n })).toBe('9007199254740993');
});

test('a parameter’s name is never an option of the translator', () => {
  const named = { lng: 'enUS', ns: 'x', context: 'male', defaultValue: 'd', replace: 'r', postProcess: 'p' };
  expect(fill('{{lng}} {{ns}} {{context}} {{defaultValue}} {{replace}} {{postProcess}}', named)).toBe(
    'enUS x male d r p',
  );
});

test('an unknown key is shown, even one that every object inherits', () => {
  const translate = createTranslator({ zhTW: {}, enUS: {} });
  for (const key of ['a.none', 'constructor', '__proto__', 'toString'])
    expect(translate('enUS', key)).toBe(key);
});

test('a number selects the plural form of its language, and R-I18N-01 texts missing in English are in Chinese', () => {
  const translate = createTranslator({
    zhTW: { 'a.days': '{{count}} 天', 'a.only': '只有中文' },
    enUS: { 'a.days': '{{count}} days', 'a.days_one': '{{count}} day' },
  });
  expect([0, 1, 2, 1.5].map((count) => translate('enUS', 'a.days', { count }))).toEqual([
    '0 days',
    '1 day',
    '2 days',
    '1.5 days',
  ]);
  expect(['1', '1,001'].map((count) => translate('enUS', 'a.days', { count }))).toEqual([
    '1 day',
    '1,001 days',
  ]);
  expect([1, 2].map((count) => translate('zhTW', 'a.days', { count }))).toEqual(['1 天', '2 天']);
  expect(translate('enUS', 'a.only')).toBe('只有中文');
});
