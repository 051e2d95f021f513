// The problem with a field, as a key with parameters, so that it can be shown in the current language.
import type { enUS } from '#platform/locales/enUS.ts';

/**
 * A problem encoded as a string: `form.too_long?max=40`, or `=` followed by a finished sentence (the server's
 * own).
 */
export type Problem = string;

type FormKey = Extract<keyof typeof enUS, `form.${string}`>;
/** Creates a problem with a key of the platform's forms. */
export const problem = (key: FormKey, params: Record<string, string> = {}): Problem => {
  const query = new URLSearchParams(params).toString();
  return query === '' ? key : `${key}?${query}`;
};

/** Creates a problem from a finished sentence. */
export const finished = (sentence: string): Problem => `=${sentence}`;

/** Decodes a problem: a sentence, or a key with its parameters. */
export function readProblem(
  text: Problem,
): { sentence: string } | { key: string; params: Record<string, string> } {
  if (text.startsWith('=')) return { sentence: text.slice(1) };
  const [key = '', query = ''] = text.split('?');
  return { key, params: Object.fromEntries(new URLSearchParams(query)) };
}
