// Texts with `{{name}}` placeholders, which i18next fills in on the server and in the browser.
import type { ContentLanguage } from './language.ts';

/** A flat table of texts: dotted key to text with `{{name}}` placeholders. */
export type Texts = Readonly<Record<string, string>>;
export type TextParams = Readonly<Record<string, string | number | bigint>>;
/** Namespace → its texts in both built-in languages. */
export type Namespaces = Readonly<Record<string, Readonly<Record<ContentLanguage, Texts>>>>;
/**
 * The keys that the other language must have. Singular forms (`days_one` beside `days`) exist in English
 * only, since Chinese nouns have one form.
 */
export type TextsLike<Sentences> = Readonly<
  Record<Exclude<keyof Sentences, FormForOne<keyof Sentences>>, string>
>;
type FormForOne<All, Key = All> = Key extends `${infer Base}_one` ? (Base extends All ? Key : never) : never;
