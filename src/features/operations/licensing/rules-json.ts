// Parses JSON more strictly than JSON.parse, and records positions, so that error messages can name lines.

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
/** A position in a text; both numbers start at 1. */
export type Place = { readonly line: number; readonly column: number };
export type JsonMistake = { readonly kind: 'syntax' | 'twice' | 'deep'; readonly place: Place };
/** `placeOf`: the position of the value of a name in the outermost object. */
export type JsonRead =
  | { readonly value: Json; readonly placeOf: (name: string) => Place }
  | { readonly mistake: JsonMistake };

class Mistake extends Error {
  readonly kind: JsonMistake['kind'];
  readonly offset: number;
  constructor(kind: JsonMistake['kind'], offset: number) {
    super(kind);
    this.kind = kind;
    this.offset = offset;
  }
}

const spaces = /[ \t\r\n]*/y;
// eslint-disable-next-line no-control-regex
const stringToken = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const plainToken = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** Reads exactly one value. Duplicate names in an object and nesting deeper than `maxDepth` are errors. */
export function readJson(text: string, maxDepth: number): JsonRead {
  const reader = new Reader(text, maxDepth);
  try {
    const value = reader.document();
    return { value, placeOf: (name) => placeAt(text, reader.offsets.get(name) ?? 0) };
  } catch (error) {
    if (!(error instanceof Mistake)) throw error;
    return { mistake: { kind: error.kind, place: placeAt(text, error.offset) } };
  }
}

function placeAt(text: string, offset: number): Place {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}

class Reader {
  /** The offsets of the values in the outermost object. */
  readonly offsets = new Map<string, number>();
  readonly #text: string;
  readonly #maxDepth: number;
  #at = 0;

  constructor(text: string, maxDepth: number) {
    this.#text = text;
    this.#maxDepth = maxDepth;
  }

  document(): Json {
    const value = this.#value(1);
    this.#take(spaces);
    if (this.#at < this.#text.length) throw new Mistake('syntax', this.#at);
    return value;
  }

  #value(depth: number): Json {
    this.#take(spaces);
    const next = this.#text[this.#at];
    if (next === '{' || next === '[') {
      if (depth > this.#maxDepth) throw new Mistake('deep', this.#at);
      this.#at += 1;
      return next === '{' ? this.#object(depth) : this.#list(depth);
    }
    const token = this.#take(next === '"' ? stringToken : plainToken);
    if (token === undefined) throw new Mistake('syntax', this.#at);
    // The grammar above has accepted this token, so it is only a string, a number or a keyword.
    return JSON.parse(token) as Json;
  }

  #object(depth: number): Json {
    const entries = new Map<string, Json>();
    if (this.#sign('}')) return {};
    do {
      this.#take(spaces);
      const start = this.#at;
      const token = this.#take(stringToken);
      if (token === undefined) throw new Mistake('syntax', this.#at);
      const name = String(JSON.parse(token));
      if (entries.has(name)) throw new Mistake('twice', start);
      this.#expect(':');
      this.#take(spaces);
      if (depth === 1) this.offsets.set(name, this.#at);
      entries.set(name, this.#value(depth + 1));
    } while (this.#sign(','));
    this.#expect('}');
    return Object.fromEntries(entries);
  }

  #list(depth: number): Json {
    const items: Json[] = [];
    if (this.#sign(']')) return items;
    do items.push(this.#value(depth + 1));
    while (this.#sign(','));
    this.#expect(']');
    return items;
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text)?.[0];
    if (match !== undefined) this.#at += match.length;
    return match;
  }

  #sign(sign: string): boolean {
    this.#take(spaces);
    if (this.#text[this.#at] !== sign) return false;
    this.#at += 1;
    return true;
  }

  #expect(sign: string): void {
    if (!this.#sign(sign)) throw new Mistake('syntax', this.#at);
  }
}
