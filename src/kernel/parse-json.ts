// Parses JSON texts that may be anything: what a person, a client, another system or the browser's storage
// gave.
import { asError } from './errors.ts';

/** The value of a JSON text, or why the text is not JSON, in the engine's words. */
export function readJson(text: string): { readonly value: unknown } | { readonly reason: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { reason: asError(error).message };
  }
}

/** The value of a JSON text; undefined, which no JSON text stands for, when it is invalid. */
export function parseJson(text: string): unknown {
  const read = readJson(text);
  return 'value' in read ? read.value : undefined;
}

/** A JSON text indented for reading; any other text unchanged. */
export function indentedJson(text: string): string {
  const value = parseJson(text);
  return value === undefined ? text : JSON.stringify(value, null, 2);
}
