import { createInstance } from 'i18next';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { textSyntax } from '#kernel/translate.ts';
import { detection, languageDetector } from './language-detector.ts';

/** Where a browser keeps a language. */
type Sources = {
  readonly query?: string;
  readonly cookie?: string;
  readonly local?: Readonly<Record<string, string>>;
  readonly session?: Readonly<Record<string, string>>;
  readonly browser?: readonly string[];
  readonly html?: string;
};
const all: Required<Sources> = {
  query: '?language=en&lng=zh',
  cookie: 'a=1; i18next=zhTW',
  local: { language: 'enUS', i18nextLng: 'zh' },
  session: { i18nextLng: 'enUS' },
  browser: ['fr-FR', 'zh-HK'],
  html: 'en',
};

const storage = (start: Readonly<Record<string, string>> = {}) => {
  const held = new Map(Object.entries(start));
  return {
    getItem: (key: string) => held.get(key) ?? null,
    setItem: (key: string, value: string) => void held.set(key, value),
    removeItem: (key: string) => void held.delete(key),
  };
};

/** The language that i18next starts with, and what it writes into local storage. */
async function begin(sources: Sources): Promise<{ language: string; stored: string | null }> {
  const localStorage = storage(sources.local);
  vi.stubGlobal('window', {
    location: { search: sources.query ?? '', hash: '' },
    localStorage,
    sessionStorage: storage(sources.session),
  });
  vi.stubGlobal('document', {
    cookie: sources.cookie ?? '',
    documentElement: { getAttribute: () => sources.html ?? null },
  });
  vi.stubGlobal('navigator', { languages: sources.browser ?? [] });
  const i18n = createInstance().use(languageDetector);
  await i18n.init({ ...textSyntax(), detection, resources: { zhTW: {}, enUS: {} } });
  return { language: i18n.language, stored: localStorage.getItem('language') };
}

afterEach(() => vi.unstubAllGlobals());

describe('R-I18N-03 language look-up', () => {
  it.each<[string, Sources, string]>([
    ['query language', all, 'enUS'],
    ['query lng', { ...all, query: '?lng=zhTW' }, 'zhTW'],
    ['an unknown query language is ignored', { ...all, query: '?language=fr' }, 'zhTW'],
    ['cookie', { ...all, query: '' }, 'zhTW'],
    ['local storage language', { ...all, query: '', cookie: '' }, 'enUS'],
    ['local storage i18nextLng', { ...all, query: '', cookie: '', local: { i18nextLng: 'zh-Hant' } }, 'zhTW'],
    ['session storage', { session: all.session, browser: ['zh'] }, 'enUS'],
    ['browser languages in their order', { browser: ['fr-FR', 'en-GB', 'zh-TW'] }, 'enUS'],
    ['html lang', { browser: ['fr'], html: 'en' }, 'enUS'],
    ['R-I18N-01 default', { browser: ['fr'], html: 'fr' }, 'zhTW'],
    ['no settings at all', {}, 'zhTW'],
  ])('%s', async (_place, sources, expected) => {
    expect(await begin(sources)).toEqual({ language: expected, stored: expected });
  });
});
