// The console's texts: two languages, switched live, loaded per namespace, with keys the compiler knows.
import i18next, { type i18n } from 'i18next';
import { useCallback, useSyncExternalStore } from 'react';
import { initReactI18next, useTranslation } from 'react-i18next';
import { defaultLanguage, languageOf, languages, languageTags, type Language } from '#kernel/language.ts';
import type { TextParams } from '#kernel/text.ts';
import { connectionTexts, type ConnectionKey } from '#platform/locales/connection.ts';
import type { enUS } from '#platform/locales/enUS.ts';
import { detectLanguage } from './detect-language.ts';
import { localeBackend } from './locale-backend.ts';

/** Texts that every screen may use. */
export type PlatformKey = keyof typeof enUS;
/** `t(key, params)`: the sentence in the current language. */
export type Translate<Key extends string> = (key: Key, params?: TextParams) => string;

declare const __BUILD__: string;
/** Content hash of this build ('dev' while developing). */
export const build: string = typeof __BUILD__ === 'string' ? __BUILD__ : 'dev';

/** `<html lang>`: what screen readers and the choice of glyphs go by. */
const htmlLang: Record<Language, string> = { zhTW: 'zh-Hant-TW', enUS: 'en' };

/** Starts the texts and resolves when the first namespaces are there. Call once, before the first render. */
export async function startTexts(namespaces: readonly string[]): Promise<void> {
  const language = detectLanguage({
    query: location.search,
    cookie: document.cookie,
    local: (key) => stored(localStorage, key),
    session: (key) => stored(sessionStorage, key),
    browser: navigator.languages,
    html: document.documentElement.lang,
  });
  document.documentElement.lang = htmlLang[language];
  i18next.on('languageChanged', (next) => {
    const known = languageOf(next) ?? defaultLanguage;
    document.documentElement.lang = htmlLang[known];
    remember(known);
  });
  await i18next
    .use(localeBackend({ build, store: localStorage, load: (url) => fetch(url), now: () => Date.now() }))
    .use(initReactI18next)
    .init({
      lng: language,
      fallbackLng: defaultLanguage,
      supportedLngs: [...languages],
      load: 'currentOnly',
      ns: [...namespaces],
      defaultNS: namespaces[0] ?? false,
      keySeparator: false,
      nsSeparator: ':',
      interpolation: { escapeValue: false },
      returnNull: false,
      partialBundledLanguages: true,
      resources: { zhTW: { connection: connectionTexts.zhTW }, enUS: { connection: connectionTexts.enUS } },
      // R-I18N-04: up to 5 tries from 350 ms, doubling; at most 10 reads at a time.
      maxRetries: 5,
      retryTimeout: 350,
      backend: { maxParallelReads: 10 },
      react: { useSuspense: true },
    });
}

/** The language texts are in now. */
export function currentLanguage(): Language {
  // Before the first bundle has arrived, i18next does not know yet; the page itself does (set before the first paint).
  return languageOf(i18next.language) ?? languageOf(document.documentElement.lang) ?? defaultLanguage;
}

/** The BCP 47 tag of the language now, for headers and Intl. */
export function currentLanguageTag(): string {
  return languageTags[currentLanguage()];
}

/** Switches all texts, the page's lang and the stored choice; nothing reloads. */
export async function changeLanguage(next: Language): Promise<void> {
  await i18next.changeLanguage(next);
}

/** The current language for components; they render again when it changes. Never suspends, so it works before any text is there. */
export function useLanguage(): Language {
  return useSyncExternalStore(onLanguage, currentLanguage);
}

function onLanguage(notify: () => void): () => void {
  i18next.on('languageChanged', notify);
  return () => i18next.off('languageChanged', notify);
}

/**
 * Makes a column's hook: `export const useBillingTexts = textsHook<keyof typeof enUS>('billing')`.
 * The hook suspends while the namespace loads; keys of the platform are known to every one of them.
 */
export function textsHook<Key extends string = never>(namespace: string): () => Translate<Key | PlatformKey | ConnectionKey> {
  const namespaces = namespace === 'platform' ? ['platform', 'connection'] : [namespace, 'platform', 'connection'];
  return function useTexts() {
    const { t, i18n: instance } = useTranslation(namespaces);
    return useCallback((key, params) => translate(t, key, params), [t, instance.language]);
  };
}

/** The texts of the platform itself, for the kit. */
export const usePlatformTexts = textsHook('platform');

/** A sentence outside React (toasts of failed calls). The key's namespace must have been loaded; otherwise `fallback` is returned. */
export function textOf(key: string, params?: TextParams, fallback?: string): string {
  const namespaces = ['connection', 'platform', 'app', key.slice(0, key.indexOf('.'))];
  return i18next.exists(key, { ns: namespaces }) ? translate(i18next.t.bind(i18next), key, params, namespaces) : (fallback ?? key);
}

/** Whether a sentence for `key` is loaded. */
export function hasText(key: string): boolean {
  return i18next.exists(key, { ns: ['connection', 'platform', 'app', key.slice(0, key.indexOf('.'))] });
}

function translate(t: i18n['t'], key: string, params?: TextParams, ns?: string[]): string {
  return String(t(key, { ...params, ...(ns ? { ns } : {}) }));
}

function stored(storage: Storage, key: string): string | null {
  try {
    return storage.getItem(key);
  } catch {
    // Storage can be forbidden by the browser: then nothing was chosen before.
    return null;
  }
}

function remember(language: Language): void {
  try {
    localStorage.setItem('language', language);
  } catch {
    // Forbidden storage: the choice lasts for this page only.
  }
}
