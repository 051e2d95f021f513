// Translates from in-memory tables, for the server, the command line and previews.
import { createInstance, type TOptions } from 'i18next';
import { allLanguages, contentLanguageOf, defaultLanguage, type Language } from './language.ts';
import type { TextParams, Texts } from './text.ts';

/**
 * The i18next key and placeholder syntax, shared by server and browser. Call it after the language packs are
 * registered.
 */
export const textSyntax = () =>
  ({
    supportedLngs: [...allLanguages()],
    // Texts that a language pack lacks fall back to its stand-in language.
    fallbackLng: {
      default: [defaultLanguage],
      ...Object.fromEntries(
        allLanguages().map((language) => [
          language,
          [...new Set([contentLanguageOf(language), defaultLanguage])],
        ]),
      ),
    },
    // Keys are flat: dots are part of the key.
    keySeparator: false,
    nsSeparator: false,
    // Not escaped here: React, HTML e-mails and PDFs escape what they output.
    interpolation: { escapeValue: false },
  }) as const;

/** Returns the text of a key; the key itself when no table has it. */
export type Translate = (language: Language, key: string, params?: TextParams) => string;

/** Creates a translator. Placeholders without a parameter stay visible, so that tests can find them. */
export function createTranslator(texts: Readonly<Record<string, Texts>>): Translate {
  const i18n = createInstance();
  void i18n.init({
    ...textSyntax(),
    initAsync: false,
    lng: defaultLanguage,
    resources: Object.fromEntries(
      Object.entries(texts).map(([language, translation]) => [language, { translation }]),
    ),
  });
  return (language, key, params) => i18n.t(key, { ...optionsOf(params), lng: language, defaultValue: key });
}

/** The i18next options for a text's parameters. */
export function optionsOf(params: TextParams = {}): TOptions {
  // Under `replace`, no parameter can be mistaken for an i18next option, whatever its name.
  const options: TOptions = { replace: params, nest: false };
  // Amounts come as text from `format.ts`; only a plain number may need the singular form.
  const count = Number(params['count']);
  return Number.isNaN(count) ? options : { ...options, count };
}
