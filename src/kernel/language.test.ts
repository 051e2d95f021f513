// Whatever languages a browser reports, the user gets one of the console's (R-I18N-01, R-I18N-03).
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  acceptedLanguage,
  contentLanguageOf,
  contentLanguages,
  conventionsOf,
  defaultLanguage,
  inLanguage,
  languageOf,
  registerLanguages,
  tagOf,
  allLanguages,
} from './language.ts';

test.each([
  ['zhTW', 'zhTW'],
  ['zh-TW', 'zhTW'],
  ['zh-Hant-TW', 'zhTW'],
  ['ZH', 'zhTW'],
  ['zh-CN', 'zhTW'],
  [' en-GB ', 'enUS'],
  ['enUS', 'enUS'],
  ['EN', 'enUS'],
  ['de', undefined],
  ['', undefined],
  [null, undefined],
  [undefined, undefined],
  ['*', undefined],
])('%j is read as %s', (text, language) => {
  expect(languageOf(text)).toBe(language);
});

test.each([
  [undefined, 'zhTW'],
  ['', 'zhTW'],
  ['de, fr;q=0.9', 'zhTW'],
  ['en', 'enUS'],
  ['en-US,en;q=0.9,zh-TW;q=0.8', 'enUS'],
  ['zh-TW,zh;q=0.9,en;q=0.8', 'zhTW'],
  ['zh;q=0.5, en;q=0.9', 'enUS'],
  ['en;q=0, zh;q=0.1', 'zhTW'],
  ['en;q=0', 'zhTW'],
  ['de, en;q=0.1', 'enUS'],
  ['en;q=0.8, zh;q=0.8', 'enUS'],
  ['en; q=0.5, zh;q=0.4', 'enUS'],
  ['zh;q=abc, en;q=0.1', 'enUS'],
  [',,;q=,en', 'enUS'],
])('Accept-Language %j gives %s', (header, language) => {
  expect(acceptedLanguage(header)).toBe(language);
});

test('any header gives a language', () => {
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.constantFrom('z', 'h', 'e', 'n', '-', ',', ';', 'q', '=', '0', '.', '9', ' ', '*'),
      }),
      (header) => {
        expect(contentLanguages).toContain(acceptedLanguage(header));
      },
    ),
  );
});

test('Traditional Chinese of Taiwan comes first', () => {
  expect(defaultLanguage).toBe('zhTW');
  expect(contentLanguages.map(tagOf)).toEqual(['zh-Hant-TW', 'en-US']);
});

test('a language pack can be selected; data stored in the built-in languages uses its fallback', () => {
  expect(languageOf('ja-JP')).toBeUndefined();
  registerLanguages([
    {
      code: 'jaJP',
      tag: 'ja-JP',
      name: '日本語',
      shortName: '日',
      standIn: 'enUS',
      conventions: 'zhTW',
      isMachineTranslated: true,
    },
    // A folder cannot replace a built-in language.
    {
      code: 'enUS',
      tag: 'en-GB',
      name: 'x',
      shortName: 'x',
      standIn: 'zhTW',
      conventions: 'zhTW',
      isMachineTranslated: false,
    },
  ]);
  expect(allLanguages()).toEqual(['zhTW', 'enUS', 'jaJP']);
  for (const asked of ['ja', 'ja-JP', 'jaJP', ' JA ']) {
    const language = languageOf(asked);
    if (language === undefined) throw new Error(`${asked} is no language`);
    expect([tagOf(language), contentLanguageOf(language), conventionsOf(language)]).toEqual([
      'ja-JP',
      'enUS',
      'zhTW',
    ]);
    expect(inLanguage({ zhTW: '物件儲存', enUS: 'Object storage' }, language)).toBe('Object storage');
  }
  expect(acceptedLanguage('ja,en;q=0.5')).toBe('jaJP');
  expect(tagOf('enUS')).toBe('en-US');
});
