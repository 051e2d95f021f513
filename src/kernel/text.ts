// Sentences with named places `{{name}}`, which i18next fills in on the server and in the browser.
import type { Language } from './language.ts';

/** A flat table of sentences: dotted key to text with `{{name}}` places. */
export type Texts = Readonly<Record<string, string>>;
export type TextParams = Readonly<Record<string, string | number | bigint>>;
/** Namespace → its sentences in both languages. */
export type Namespaces = Readonly<Record<string, Readonly<Record<Language, Texts>>>>;
/**
 * What the other language must say: a form for one (`days_one` beside `days`) is English alone, since Chinese nouns have one form.
 */
export type TextsLike<Sentences> = Readonly<
  Record<Exclude<keyof Sentences, FormForOne<keyof Sentences>>, string>
>;
type FormForOne<All, Key = All> = Key extends `${infer Base}_one` ? (Base extends All ? Key : never) : never;
