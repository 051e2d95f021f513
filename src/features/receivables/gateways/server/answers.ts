// Parses providers' responses: plain data of unknown shape, in which the same field may be a number or a
// text.
import { parseJson } from '#kernel/parse-json.ts';

export type Answer = Readonly<Record<string, unknown>>;

/** Whether a value is an object. */
export const isAnswer = (value: unknown): value is Answer =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parses the JSON object in a text; undefined if there is none. */
export function answerIn(text: string): Answer | undefined {
  const value = parseJson(text);
  return isAnswer(value) ? value : undefined;
}

/** Returns a field as trimmed text; empty if it is missing. */
export function textOf(answer: Answer, name: string): string {
  const value = answer[name];
  if (typeof value === 'string') return value.trim();
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : '';
}
