import { describe, expect, it } from 'vitest';
import { cookieValue, detectLanguage, type LanguageSources } from './detect-language.ts';

const from = (map: Record<string, string>) => (key: string) => map[key] ?? null;
const all: Required<LanguageSources> = {
  query: '?language=en&lng=zh',
  cookie: 'a=1; i18next=zhTW',
  local: from({ language: 'enUS', i18nextLng: 'zh' }),
  session: from({ i18nextLng: 'enUS' }),
  browser: ['fr-FR', 'zh-HK'],
  html: 'en',
};

describe('R-I18N-03 language look-up', () => {
  it.each<[string, LanguageSources, string]>([
    ['query language', all, 'enUS'],
    ['query lng', { ...all, query: '?lng=zhTW' }, 'zhTW'],
    ['an unknown query language is passed over', { ...all, query: '?language=fr' }, 'zhTW'],
    ['cookie', { ...all, query: '' }, 'zhTW'],
    ['local storage language', { ...all, query: '', cookie: '' }, 'enUS'],
    [
      'local storage i18nextLng',
      { ...all, query: '', cookie: '', local: from({ i18nextLng: 'zh-Hant' }) },
      'zhTW',
    ],
    ['session storage', { session: all.session, browser: ['zh'] }, 'enUS'],
    ['browser languages in their order', { browser: ['fr-FR', 'en-GB', 'zh-TW'] }, 'enUS'],
    ['html lang', { browser: ['fr'], html: 'en' }, 'enUS'],
    ['R-I18N-01 default', { browser: ['fr'], html: 'fr' }, 'zhTW'],
    ['nothing at all', {}, 'zhTW'],
  ])('%s', (_place, sources, expected) => {
    expect(detectLanguage(sources)).toBe(expected);
  });
});

describe('cookieValue', () => {
  it('reads one of many, decodes, and survives bad escapes', () => {
    expect(cookieValue('xi18next=1; i18next=a%20b', 'i18next')).toBe('a b');
    expect(cookieValue('i18next=%', 'i18next')).toBe('%');
    expect(cookieValue('', 'i18next')).toBeUndefined();
  });
});
