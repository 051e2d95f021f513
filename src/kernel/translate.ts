// Translates from tables in memory, for the server, the command line and previews.
import { createInstance, type TOptions } from 'i18next';
import { allLanguages, contentLanguageOf, defaultLanguage, type Language } from './language.ts';
import type { TextParams, Texts } from './text.ts';

/** How i18next reads keys and placeholders, on the server as in the browser. Call it when the language packs are registered. */
export const textSyntax = () =>
  ({
    supportedLngs: [...allLanguages()],
    // What a language pack lacks is read in the language that stands in for it.
    fallbackLng: {
      default: [defaultLanguage],
      ...Object.fromEntries(
        allLanguages().map((language) => [
          language,
          [...new Set([contentLanguageOf(language), defaultLanguage])],
        ]),
      ),
    },
    // Keys are flat: the dots are part of their names.
    keySeparator: false,
    nsSeparator: false,
    // Not escaped here: React, the e-mail's HTML and the PDF escape what they show.
    interpolation: { escapeValue: false },
  }) as const;

/** The text for a key; the key itself when no table has it. */
export type Translate = (language: Language, key: string, params?: TextParams) => string;

/** Makes a translator. A placeholder without a parameter stays visible, so that a test can find it. */
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

/** The options that fill in a text's parameters. */
export function optionsOf(params: TextParams = {}): TOptions {
  // Under `replace` no parameter can be mistaken for an option of i18next, whatever its name.
  const options: TOptions = { replace: params, nest: false };
  // Amounts come as text from `format.ts`; only a plain number can need the singular form.
  const count = Number(params['count']);
  return Number.isNaN(count) ? options : { ...options, count };
}
