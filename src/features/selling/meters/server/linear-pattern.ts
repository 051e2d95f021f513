// Linear-time regular expressions, because customers provide both the patterns and the texts.
import { RE2JS, RE2JSException } from 're2js';

/** The pattern is not a regular expression, or cannot be matched in linear time. */
export class PatternRefused extends Error {}

// The library reads a reference to a named group as literal text, and finds word boundaries inside surrogate
// pairs.
const misread = /(?<!\\)(?:\\\\)*\\(?:k<|b|B)/;

// A character written as a surrogate pair, which the library expects as one code point.
const pairs = /\\u(d[89ab][\da-f]{2})\\u(d[c-f][\da-f]{2})/gi;
const letterOf = (high: string, low: string): string =>
  (String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16)).codePointAt(0) ?? 0).toString(16);

/** A compiled pattern: `test` takes time proportional to the text's length times `size`. */
export type LinearPattern = { readonly test: (text: string) => boolean; readonly size: number };

// The library expands repetitions before it can report the pattern's size; it rejects nested ones above a
// thousand.
const maxWrittenOut = 200_000;
const maxNested = 1000;
function expandedLength(pattern: string): number {
  const repeated = [...pattern.matchAll(/\{(\d{1,4})(?:,(\d{1,4}))?/g)].reduce(
    (sum, [, least, most]) => sum + Number(most ?? least),
    1,
  );
  return pattern.length * Math.max(repeated, Math.min(maxNested, repeated * repeated));
}

/**
 * Compiles a pattern whose `test` gives the same result as `new RegExp(pattern, 'u').test(text)`, but without
 * backtracking. Throws {@link PatternRefused} for anything that needs backtracking (back-references,
 * look-ahead, look-behind), for word boundaries, and for repetitions that would become too large.
 */
export function linearPattern(pattern: string): LinearPattern {
  try {
    // JSON Schema defines its patterns as JavaScript's, so other syntax is rejected.
    new RegExp(pattern, 'u');
    if (misread.test(pattern))
      throw new SyntaxError(`${pattern}: references back and word edges are not possible`);
    if (expandedLength(pattern) > maxWrittenOut)
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
