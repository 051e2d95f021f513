// Regular expressions that take time in proportion to the text, whatever the text: for patterns and texts of others.
import { RE2JS, RE2JSException } from 're2js';

/** A pattern that is no regular expression, or one that cannot be tried in linear time. */
export class PatternRefused extends Error {}

// The library reads a reference to a named group as letters, and finds word edges within letters of two halves.
const misread = /(?<!\\)(?:\\\\)*\\(?:k<|b|B)/;

// One letter written as two halves, which the library knows as one number.
const pairs = /\\u(d[89ab][\da-f]{2})\\u(d[c-f][\da-f]{2})/gi;
const letterOf = (high: string, low: string): string =>
  (String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16)).codePointAt(0) ?? 0).toString(16);

/**
 * Whether a text has the pattern somewhere, as `new RegExp(pattern, 'u').test(text)` says, without ever going back in the
 * text. Throws {@link PatternRefused} for what only going back could do (references, looking ahead or behind), for word edges, and for
 * repetitions that would become too large.
 */
export function linearPattern(pattern: string): (text: string) => boolean {
  try {
    // What this language does not take is no pattern of a JSON Schema either.
    new RegExp(pattern, 'u');
    if (misread.test(pattern))
      throw new SyntaxError(`${pattern}: references back and word edges are not possible`);
    const compiled = RE2JS.compile(
      RE2JS.translateRegExp(
        pattern.replace(pairs, (_pair, high: string, low: string) => `\\u{${letterOf(high, low)}}`),
      ),
    );
    return (text) => compiled.test(text);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RE2JSException)
      throw new PatternRefused(error.message);
    throw error;
  }
}
