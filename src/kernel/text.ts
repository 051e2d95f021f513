// Sentences with named places `{{name}}`, which i18next fills in on the server and in the browser.
import type { Language } from './language.ts';

/** A flat table of sentences: dotted key to text with `{{name}}` places. */
export type Texts = Readonly<Record<string, string>>;
export type TextParams = Readonly<Record<string, string | number | bigint>>;
/** Namespace → its sentences in both languages. */
export type Namespaces = Readonly<Record<string, Readonly<Record<Language, Texts>>>>;
