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

/** A pattern ready to use: `test` takes time in proportion to the text's length times `size`. */
export type LinearPattern = { readonly test: (text: string) => boolean; readonly size: number };

// The library writes a repetition out before it can say how large the pattern becomes; nested ones it refuses above a thousand.
const mostWrittenOut = 200_000;
const mostNested = 1000;
function writtenOut(pattern: string): number {
  const repeated = [...pattern.matchAll(/\{(\d{1,4})(?:,(\d{1,4}))?/g)].reduce(
    (sum, [, least, most]) => sum + Number(most ?? least),
    1,
  );
  return pattern.length * Math.max(repeated, Math.min(mostNested, repeated * repeated));
}

/**
 * Whether a text has the pattern somewhere, as `new RegExp(pattern, 'u').test(text)` says, without ever going back in the
 * text. Throws {@link PatternRefused} for what only going back could do (references, looking ahead or behind), for word edges, and for
 * repetitions that would become too large.
 */
export function linearPattern(pattern: string): LinearPattern {
  try {
    // What this language does not take is no pattern of a JSON Schema either.
    new RegExp(pattern, 'u');
    if (misread.test(pattern))
      throw new SyntaxError(`${pattern}: references back and word edges are not possible`);
    if (writtenOut(pattern) > mostWrittenOut)
      throw new SyntaxError(`${pattern.slice(0, 100)}: too many repetitions`);
    const compiled = RE2JS.compile(
      RE2JS.translateRegExp(
        pattern.replace(pairs, (_pair, high: string, low: string) => `\\u{${letterOf(high, low)}}`),
      ),
    );
    return { test: (text) => compiled.test(text), size: compiled.programSize() };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RE2JSException)
      throw new PatternRefused(error.message);
    throw error;
  }
}
