// Sentences in the reader's language from tables in memory: what the server, the command line and previews
// say.
import { createInstance, type TOptions } from 'i18next';
import { defaultLanguage, languages, type Language } from './language.ts';
import type { TextParams, Texts } from './text.ts';

/** How keys and places are read, on the server as in the browser. */
export const textSyntax = {
  supportedLngs: [...languages],
  fallbackLng: defaultLanguage,
  // Keys are flat: their dots are part of their names.
  keySeparator: false,
  nsSeparator: false,
  // What shows a sentence escapes it: React, the e-mail's HTML, the PDF.
  interpolation: { escapeValue: false },
} as const;

/** The sentence for a key; the key itself when no table has it. */
export type Translate = (language: Language, key: string, params?: TextParams) => string;

/** Makes a translator. A place without a parameter stays visible, so that a test sees it. */
export function createTranslator(texts: Readonly<Record<Language, Texts>>): Translate {
  const i18n = createInstance();
  void i18n.init({
    ...textSyntax,
    initAsync: false,
    lng: defaultLanguage,
    resources: Object.fromEntries(languages.map((language) => [language, { translation: texts[language] }])),
  });
  return (language, key, params) => i18n.t(key, { ...optionsOf(params), lng: language, defaultValue: key });
}

/** The options that fill in the parameters of a sentence. */
export function optionsOf(params: TextParams = {}): TOptions {
  // Below `replace` no parameter is taken for an option of i18next, whatever its name is.
  const options: TOptions = { replace: params, nest: false };
  // Amounts come as text from `format.ts`; only a plain number can need the form for one.
  const count = Number(params['count']);
  return Number.isNaN(count) ? options : { ...options, count };
}
