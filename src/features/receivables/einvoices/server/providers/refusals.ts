// What we refuse ourselves before anything is sent, because the other side would: the code names the kind and the field.
import { ProviderRefused } from '../provider.ts';

/** What can be wrong with a field of a document. */
export type FieldProblem = 'missing' | 'long' | 'wrong';

/** A document that cannot be sent as it is; `field` is its path in our terms, such as `items.3.description`. */
export function fieldRefused(problem: FieldProblem, field: string, detail: string): ProviderRefused {
  return new ProviderRefused(`field_${problem}:${field}`, `${field}: ${detail}`);
}

/** The text; refused when it is empty or longer than `longest` characters. */
export function requiredText(text: string, field: string, longest: number): string {
  const clean = plainText(text);
  if (clean === '') throw fieldRefused('missing', field, 'is required');
  return boundedText(clean, field, longest);
}

/** The text; refused when it is longer than `longest` characters (as XML Schema and .NET count them: a rare sign is one of them). */
export function boundedText(text: string, field: string, longest: number): string {
  const clean = plainText(text);
  if ([...clean].length > longest) throw fieldRefused('long', field, `has more than ${longest} characters`);
  return clean;
}

/** One line without control characters, which neither XML nor the providers take. */
export function plainText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replaceAll(/[\uFFFE\uFFFF]/g, '')
    .trim();
}

/** The beginning of a text that fits `longest` characters, with … where something was left out. */
export function shortened(text: string, longest: number): string {
  const signs = [...plainText(text)];
  return signs.length <= longest ? signs.join('') : `${signs.slice(0, longest - 1).join('')}…`;
}
