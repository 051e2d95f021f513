// Rejects, before anything is sent, what the other side would reject: the error code contains the kind and
// the field.
import { ProviderRefused } from '../provider.ts';

/** What can be wrong with a field of a document. */
export type FieldProblem = 'missing' | 'long' | 'wrong';

/**
 * The error for a document that cannot be sent in its current form; `field` is its path in our terms, such as
 * `items.3.description`.
 */
export function fieldRefused(problem: FieldProblem, field: string, detail: string): ProviderRefused {
  return new ProviderRefused(`field_${problem}:${field}`, `${field}: ${detail}`);
}

/** Returns the text; refuses it if it is empty or longer than `longest` characters. */
export function requiredText(text: string, field: string, longest: number): string {
  const clean = plainText(text);
  if (clean === '') throw fieldRefused('missing', field, 'is required');
  return boundedText(clean, field, longest);
}

/**
 * Returns the text; refuses it if it is longer than `longest` characters (counted by code point, like XML
 * Schema and .NET).
 */
export function boundedText(text: string, field: string, longest: number): string {
  const clean = plainText(text);
  if ([...clean].length > longest) throw fieldRefused('long', field, `has more than ${longest} characters`);
  return clean;
}

/** Converts a text to one line without control characters, which neither XML nor the providers accept. */
export function plainText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replaceAll(/[\uFFFE\uFFFF]/g, '')
    .trim();
}

/** Truncates a text to `longest` characters, ending with … if something was cut. */
export function shortened(text: string, longest: number): string {
  const signs = [...plainText(text)];
  return signs.length <= longest ? signs.join('') : `${signs.slice(0, longest - 1).join('')}…`;
}
