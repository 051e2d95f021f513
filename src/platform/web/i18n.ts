// The console's texts for components: two languages, switched live, loaded per namespace, with keys the compiler knows.
import { use, useMemo, useSyncExternalStore } from 'react';
import { languageOf, type Language } from '#kernel/language.ts';
import type { TextParams } from '#kernel/text.ts';
import { connectionTexts, type ConnectionKey } from '#platform/locales/connection.ts';
import type { enUS } from '#platform/locales/enUS.ts';
import { nowMs } from './clock.ts';
import { detectLanguage } from './detect-language.ts';
import { bundleLoader } from './text-bundles.ts';
import { createTexts } from './texts.ts';

/** Texts that every screen may use. */
export type PlatformKey = keyof typeof enUS;
/** `t(key, params)`: the sentence in the current language. */
export type Translate<Key extends string> = (key: Key, params?: TextParams) => string;

declare const __BUILD__: string;
/** Content hash of this build ('dev' while developing). */
export const build: string = typeof __BUILD__ === 'string' ? __BUILD__ : 'dev';

/** `<html lang>`: what screen readers and the choice of glyphs go by. */
const htmlLang: Record<Language, string> = { zhTW: 'zh-Hant-TW', enUS: 'en' };
const hasPage = typeof document !== 'undefined';

const table = createTexts(
  hasPage ? detectHere() : 'zhTW',
  bundleLoader({
    build,
    store: {
      getItem: (key) => localStorage.getItem(key),
      setItem: (key, value) => localStorage.setItem(key, value),
      removeItem: (key) => localStorage.removeItem(key),
    },
    fetch: (url) => fetch(url),
    now: nowMs,
    pause: (ms) => new Promise((done) => setTimeout(done, ms)),
  }),
  { zhTW: { connection: connectionTexts.zhTW }, enUS: { connection: connectionTexts.enUS } },
);

/** Loads the texts the first screen needs and keeps the page's lang and the stored choice right. Call once. Settles when they are there, or cannot be had. */
export async function startTexts(namespaces: readonly string[]): Promise<void> {
  const arriving = namespaces.map(table.ready);
  const keep = () => {
    document.documentElement.lang = htmlLang[table.language()];
    try {
      localStorage.setItem('language', table.language());
    } catch {
      // Forbidden storage: the choice lasts for this page only.
    }
  };
  keep();
  table.subscribe(keep);
  // Another tab speaks another language now: so does this one.
  addEventListener('storage', ({ key, newValue }) => {
    const next = key === 'language' ? languageOf(newValue) : undefined;
    if (next) void table.change(next);
  });
  await Promise.all(arriving);
}

/** The language texts are in now. */
export const currentLanguage = (): Language => table.language();
/** Switches all texts, the page's lang and the stored choice; nothing reloads. */
export const changeLanguage = (next: Language): Promise<void> => table.change(next);

/** The current language for components; they render again when it changes. Never suspends. */
export function useLanguage(): Language {
  return useSyncExternalStore(table.subscribe, table.language);
}

/**
 * Makes a column's hook: `export const useBillingTexts = textsHook<keyof typeof enUS>('billing')`.
 * The hook suspends while the namespaces load; keys of the platform are known to every one of them.
 */
export function textsHook<Key extends string = never>(
  ...own: readonly [string, ...string[]]
): () => Translate<Key | PlatformKey | ConnectionKey> {
  const namespaces = [...new Set([...own, 'platform', 'connection'])];
  return function useTexts() {
    const language = useLanguage();
    for (const one of namespaces) use(table.ready(one));
    // A new function for each language, so that memoised texts are made again.
    return useMemo(() => translator(language, namespaces), [language]);
  };
}

/**
 * Fetches a part of a screen together with its texts, so that it stands at once when it is shown: `withTexts(import('./BillsScreen.tsx'), 'billing')`.
 * A part whose texts are missing would take away what stands around it until they come.
 */
export async function withTexts<T>(
  code: Promise<T>,
  ...namespaces: readonly [string, ...string[]]
): Promise<T> {
  const [part] = await Promise.all([code, ...namespaces.map((one) => table.ready(one))]);
  return part;
}

const translator =
  (language: Language, namespaces: readonly string[]) =>
  (key: string, params?: TextParams): string =>
    table.find(language, namespaces, key, params) ?? missing(language, namespaces[0] ?? '', key);

const reported = new Set<string>();

/** R-I18N-02: in development the server hears of a key without a sentence, once; the key itself is shown. */
function missing(language: Language, namespace: string, key: string): string {
  if (import.meta.env.DEV && !reported.has(key)) {
    reported.add(key);
    void fetch(`/locales/add/${language}/${namespace}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ [key]: key }),
    });
  }
  return key;
}

/** The texts of the platform itself, for the kit. */
export const usePlatformTexts = textsHook('platform');

/** The sentence for a key that only the running code knows (error codes); undefined when no loaded bundle has it. */
export function textOf(key: string, params?: TextParams): string | undefined {
  return table.find(
    table.language(),
    [key.slice(0, key.indexOf('.')), 'app', 'platform', 'connection'],
    key,
    params,
  );
}

/** True when the frame has no words to show: then only the sentences that travel with the code can be used. */
export function useTextsMissing(): boolean {
  return useSyncExternalStore(table.subscribe, () => table.hasFailed('app') || table.hasFailed('platform'));
}

function detectHere(): Language {
  return detectLanguage({
    query: location.search,
    cookie: document.cookie,
    local: (key) => stored(() => localStorage, key),
    session: (key) => stored(() => sessionStorage, key),
    browser: navigator.languages,
    html: document.documentElement.lang,
  });
}

function stored(storage: () => Storage, key: string): string | null {
  try {
    return storage().getItem(key);
  } catch {
    // Storage can be forbidden by the browser: then nothing was chosen before.
    return null;
  }
}
