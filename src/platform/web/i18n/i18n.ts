// i18next in the browser: one bundle per feature from /locales, cached in local storage, in the detected
// language.
import i18next from 'i18next';
import ChainedBackend from 'i18next-chained-backend';
import { useMemo, useSyncExternalStore } from 'react';
import { initReactI18next, useTranslation as useI18next } from 'react-i18next';
import {
  allLanguages,
  contentLanguages,
  defaultLanguage,
  htmlLangOf,
  languageOf,
  packOf,
  type InBoth,
  type Language,
} from '#kernel/language.ts';
import type { TextParams } from '#kernel/text.ts';
import { optionsOf, textSyntax } from '#kernel/translate.ts';
import { connectionTextsOf } from '#platform/locales/connection.ts';
import { nextTask } from '../loading/next-task.ts';
import { bundleLoading } from './bundle-loading.ts';
import { detection, languageDetector } from './language-detector.ts';

declare const __BUILD__: string;
/** Content hash of this build ('dev' during development). */
export const build: string = typeof __BUILD__ === 'string' ? __BUILD__ : 'dev';

/** The namespaces that every screen needs. */
const frameNamespaces = ['app', 'platform'] as const;

/**
 * Loads the texts of the first screen and keeps `<html lang>` up to date. Call once. Also resolves when the
 * texts could not be loaded.
 */
export async function startI18n(): Promise<void> {
  i18next.on('languageChanged', showLanguage);
  const arriving = i18next
    .use(ChainedBackend)
    .use(languageDetector)
    .use(initReactI18next)
    .init({
      ...textSyntax(),
      initAsync: false,
      load: 'currentOnly',
      // A copy, because i18next adds the namespaces that it loads later.
      ns: [...frameNamespaces],
      defaultNS: 'app',
      fallbackNS: ['app', 'platform', 'connection'],
      // These few sentences are built in, for when no bundle can be loaded.
      resources: Object.fromEntries(
        allLanguages().map((language) => [language, { connection: connectionTextsOf(language) }]),
      ),
      partialBundledLanguages: true,
      ...bundleLoading(build),
      detection,
      // R-I18N-02: during development, a key without a translation is reported to the server; the screen
      // shows the key.
      saveMissing: import.meta.env.DEV,
      saveMissingTo: 'current',
    });
  showLanguage();
  // The user changed the language in another tab; this tab follows.
  addEventListener('storage', ({ key, newValue }) => {
    const next = key === 'language' ? languageOf(newValue) : undefined;
    if (next && next !== currentLanguage()) void changeLanguage(next);
  });
  await arriving;
}

/** `<html lang>`: screen readers and the browser's choice of glyphs depend on it. */
function showLanguage(): void {
  const root = document.documentElement;
  root.lang = htmlLangOf(currentLanguage());
  const fonts = packOf(currentLanguage())?.fonts;
  if (fonts === undefined) root.style.removeProperty('--language-fonts');
  else root.style.setProperty('--language-fonts', fonts.map((font) => `"${font}"`).join(','));
}

/** The current language of texts. */
export const currentLanguage = (): Language => languageOf(i18next.language) ?? defaultLanguage;

/** Loads all bundles in use in the other language, then switches and stores the choice, without a reload. */
export async function changeLanguage(next: Language): Promise<void> {
  await i18next.changeLanguage(next);
}

const onLanguageChange = (notify: () => void): (() => void) => {
  i18next.on('languageChanged', notify);
  return () => i18next.off('languageChanged', notify);
};

/** The current language for components; they render again when it changes. Never suspends. */
export function useLanguage(): Language {
  return useSyncExternalStore(onLanguageChange, currentLanguage);
}

/** The keys of each namespace; the app declares them in `text-keys.d.ts`. */
export interface TextKeys {}
type SharedNamespace = 'app' | 'platform' | 'connection';
/**
 * The keys that a component of a namespace may use: its own and those of the namespaces that every screen
 * loads.
 */
export type TextKey<Namespace extends keyof TextKeys> = TextKeys[
  | Namespace
  | (SharedNamespace & keyof TextKeys)];
/** `t(key, params)`: the sentence in the current language. */
export type Translate<Namespace extends keyof TextKeys> = (
  key: TextKey<Namespace>,
  params?: TextParams,
) => string;

/**
 * react-i18next's hook with keys checked by the compiler. The library's own typed resources made the compiler
 * three times as slow (decision 0049). Suspends while the namespace loads.
 */
export function useTranslation<Namespace extends keyof TextKeys>(
  namespace: Namespace,
): { readonly t: Translate<Namespace> } {
  const { t } = useI18next(namespace);
  return useMemo(() => ({ t: (key: string, params?: TextParams) => t(key, optionsOf(params)) }), [t]);
}

/**
 * Loads a part of a screen and its texts: `withTexts(import('../BillsScreen.tsx'), 'billing')`. A part
 * rendered before its texts are loaded suspends, and React then hides everything around it.
 */
export async function withTexts<T>(
  code: Promise<T>,
  ...namespaces: readonly [string, ...string[]]
): Promise<T> {
  const [part] = await Promise.all([code, loadTexts(namespaces)]);
  return part;
}

/** In a separate task: on a slow phone, reading stored texts takes as long as running a part's code. */
async function loadTexts(namespaces: readonly string[]): Promise<void> {
  await nextTask();
  await i18next.loadNamespaces(namespaces);
}

/**
 * The translation of a key that is known only at run time (error codes); undefined when no loaded bundle has
 * it.
 */
export function textOf(key: string, params?: TextParams): string | undefined {
  const ns = key.slice(0, key.indexOf('.'));
  return i18next.t(key, { ...optionsOf(params), ns, defaultValue: '' }) || undefined;
}

/**
 * Translations in both built-in languages, for texts that are stored in both: loads the other language's
 * bundles if necessary.
 */
export async function textsInEach<Namespace extends keyof TextKeys>(
  namespace: Namespace,
): Promise<(key: TextKey<Namespace>) => InBoth<string>> {
  await i18next.loadLanguages([...contentLanguages]);
  const translate = (key: string, lng: Language): string =>
    i18next.t(key, { lng, ns: namespace, defaultValue: key });
  return (key) => ({ zhTW: translate(key, 'zhTW'), enUS: translate(key, 'enUS') });
}

/** Whether the texts of the frame could not be loaded; then only the built-in sentences can be used. */
export function useTextsMissing(): boolean {
  return useSyncExternalStore(onLoad, areTextsMissing);
}

const onLoad = (notify: () => void): (() => void) => {
  i18next.on('loaded languageChanged', notify);
  return () => i18next.off('loaded languageChanged', notify);
};

const areTextsMissing = (): boolean =>
  i18next.isInitialized === true &&
  frameNamespaces.some(
    (ns) => !i18next.languages.some((language) => i18next.hasResourceBundle(language, ns)),
  );
