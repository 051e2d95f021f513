// Parses Python's notation of lists and dictionaries, which nested columns become when Python tables are
// saved as CSV.
import { parseJson } from '#kernel/parse-json.ts';

/** Python literals other than numbers, and their JSON equivalents. */
const words: ReadonlyMap<string, string> = new Map([
  ['None', 'null'],
  ['True', 'true'],
  ['False', 'false'],
  ['nan', 'null'],
]);
/** Brackets and whitespace, a number, a word, and a text in either kind of quotes; in this order. */
const token =
  /\s+|[[\]{}:,]|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|([A-Za-z]+)|'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/y;

/**
 * Parses a list or dictionary of texts, numbers and words; numbers stay the texts they were written as.
 * Undefined if it is invalid.
 */
export function pythonValue(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  let json = '';
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    const match = token.exec(text);
    if (!match) return undefined;
    const [all, number, word, single, double] = match;
    const quoted = single ?? double;
    if (number !== undefined) json += `"${number}"`;
    else if (quoted !== undefined) json += JSON.stringify(unescaped(quoted));
    else if (word === undefined) json += all;
    else {
      const known = words.get(word);
      if (known === undefined) return undefined;
      json += known;
    }
  }
  return parseJson(json);
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);
const unescaped = (text: string): string =>
  text.replace(/\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)/g, (_all, code: string) =>
    code.length > 1 ? String.fromCharCode(Number.parseInt(code.slice(1), 16)) : (escapes.get(code) ?? code),
  );
