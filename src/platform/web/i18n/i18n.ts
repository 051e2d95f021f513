// i18next in the browser: a bundle for each feature from /locales, kept in local storage, in the language that the detector finds.
import i18next from 'i18next';
import ChainedBackend from 'i18next-chained-backend';
import { useMemo, useSyncExternalStore } from 'react';
import { initReactI18next, useTranslation as useI18next } from 'react-i18next';
import { defaultLanguage, languageOf, type Language } from '#kernel/language.ts';
import type { TextParams } from '#kernel/text.ts';
import { optionsOf, textSyntax } from '#kernel/translate.ts';
import { connectionTexts } from '#platform/locales/connection.ts';
import { bundleLoading } from './bundle-loading.ts';
import { detection, languageDetector } from './language-detector.ts';

declare const __BUILD__: string;
/** Content hash of this build ('dev' while developing). */
export const build: string = typeof __BUILD__ === 'string' ? __BUILD__ : 'dev';

/** `<html lang>`: what screen readers and the choice of glyphs go by. */
const htmlLang: Record<Language, string> = { zhTW: 'zh-Hant-TW', enUS: 'en' };
/** What every screen needs to say anything at all. */
const frameNamespaces = ['app', 'platform'] as const;

/** Loads the texts the first screen needs and keeps the page's lang right. Call once. Settles when they are there, or cannot be had. */
export async function startI18n(): Promise<void> {
  i18next.on('languageChanged', showLanguage);
  const arriving = i18next
    .use(ChainedBackend)
    .use(languageDetector)
    .use(initReactI18next)
    .init({
      ...textSyntax,
      initAsync: false,
      load: 'currentOnly',
      // A list of its own: i18next adds what is loaded later.
      ns: [...frameNamespaces],
      defaultNS: 'app',
      fallbackNS: ['app', 'platform', 'connection'],
      // These few sentences travel with the code.
      resources: {
        zhTW: { connection: connectionTexts.zhTW },
        enUS: { connection: connectionTexts.enUS },
      },
      partialBundledLanguages: true,
      ...bundleLoading(build),
      detection,
      // R-I18N-02: in development the server hears of a key without a sentence; the key itself is shown.
      saveMissing: import.meta.env.DEV,
      saveMissingTo: 'current',
    });
  showLanguage();
  // Another tab speaks another language now: so does this one.
  addEventListener('storage', ({ key, newValue }) => {
    const next = key === 'language' ? languageOf(newValue) : undefined;
    if (next && next !== currentLanguage()) void changeLanguage(next);
  });
  await arriving;
}

function showLanguage(): void {
  document.documentElement.lang = htmlLang[currentLanguage()];
}

/** The language texts are in now. */
export const currentLanguage = (): Language => languageOf(i18next.language) ?? defaultLanguage;

/** Loads everything in use in the other language and then switches at once, the stored choice too; nothing reloads. */
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

/** The keys of each namespace; the app names them in `text-keys.d.ts`. */
export interface TextKeys {}
type Everywhere = 'app' | 'platform' | 'connection';
/** The keys that a component of a namespace may use: its own, and those of what surrounds every screen. */
export type TextKey<Namespace extends keyof TextKeys> = TextKeys[Namespace | (Everywhere & keyof TextKeys)];
/** `t(key, params)`: the sentence in the current language. */
export type Translate<Namespace extends keyof TextKeys> = (
  key: TextKey<Namespace>,
  params?: TextParams,
) => string;

/**
 * react-i18next's hook with keys that the compiler knows: with the library's own typed resources it took three times as long (decision 0049).
 * Suspends while the namespace loads.
 */
export function useTranslation<Namespace extends keyof TextKeys>(
  namespace: Namespace,
): { readonly t: Translate<Namespace> } {
  const { t } = useI18next(namespace);
  return useMemo(() => ({ t: (key: string, params?: TextParams) => t(key, optionsOf(params)) }), [t]);
}

/**
 * Fetches a part of a screen together with its texts, so that it stands at once when it is shown: `withTexts(import('../BillsScreen.tsx'), 'billing')`.
 * A part whose texts are missing would take away what stands around it until they come.
 */
export async function withTexts<T>(
  code: Promise<T>,
  ...namespaces: readonly [string, ...string[]]
): Promise<T> {
  const [part] = await Promise.all([code, i18next.loadNamespaces(namespaces)]);
  return part;
}

/** The sentence for a key that only the running code knows (error codes); undefined when no loaded bundle has it. */
export function textOf(key: string, params?: TextParams): string | undefined {
  const ns = key.slice(0, key.indexOf('.'));
  return i18next.t(key, { ...optionsOf(params), ns, defaultValue: '' }) || undefined;
}

/** Whether the frame has no words to show: then only the sentences that travel with the code can be used. */
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
