// Regular expressions that take time in proportion to the text, whatever the text: for patterns and texts of others.

/** A pattern that is no regular expression, or one that cannot be tried in linear time. */
export class PatternRefused extends Error {}

type Part =
  | { readonly kind: 'one'; readonly test: (letter: string) => boolean }
  | { readonly kind: 'edge'; readonly at: 'start' | 'end' }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Part[] }
  | { readonly kind: 'repeat'; readonly part: Part; readonly from: number; readonly to: number };
/** A place in the pattern: a letter to take or an edge to stand at before going on to `next`. */
type Place = { readonly take?: (letter: string) => boolean; readonly at?: 'start' | 'end'; next: number[] };

const mostPlaces = 1000;
const matched = 0;

/**
 * Whether a text has the pattern somewhere, as `new RegExp(pattern, 'u').test(text)` says, without ever going back in the
 * text. Throws {@link PatternRefused} for what only going back could do (references, looking ahead or behind, word edges)
 * and for more than {@link mostPlaces} places.
 */
export function linearPattern(pattern: string): (text: string) => boolean {
  try {
    new RegExp(pattern, 'u');
  } catch (error) {
    throw new PatternRefused(error instanceof Error ? error.message : pattern);
  }
  const places: Place[] = [{ next: [] }];
  const add = (place: Place): number => {
    if (places.length >= mostPlaces) throw new PatternRefused('the pattern is too long once its repetitions are written out');
    return places.push(place) - 1;
  };
  const first = lay(new Reader(pattern).choice(), matched, add, places);
  return (text) => walk(places, first, [...text]);
}

/** Lays a part before `next` and answers where it begins. */
function lay(part: Part, next: number, add: (place: Place) => number, places: Place[]): number {
  switch (part.kind) {
    case 'one': return add({ take: part.test, next: [next] });
    case 'edge': return add({ at: part.at, next: [next] });
    case 'sequence': return part.parts.reduceRight((after, each) => lay(each, after, add, places), next);
    case 'choice': return add({ next: part.parts.map((each) => lay(each, next, add, places)) });
    case 'repeat': {
      if (part.from > mostPlaces || (part.to > mostPlaces && part.to < Infinity)) throw new PatternRefused('the pattern repeats too often');
      let after = next;
      if (part.to === Infinity) {
        after = add({ next: [] });
        const loop = places[after];
        if (loop) loop.next = [lay(part.part, after, add, places), next];
      }
      else for (let more = part.from; more < part.to; more++) after = add({ next: [lay(part.part, after, add, places), next] });
      for (let needed = 0; needed < part.from; needed++) after = lay(part.part, after, add, places);
      return after;
    }
  }
}

/** Goes through the text once, in all places that its beginning may have led to. */
function walk(places: readonly Place[], first: number, letters: readonly string[]): boolean {
  const seenAt = new Int32Array(places.length).fill(-1);
  let now: number[] = [];
  for (let position = 0; position <= letters.length; position++) {
    const letter = letters[position];
    const open = [...now, first];
    now = [];
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      if (place === matched) return true;
      if (seenAt[place] === position) continue;
      seenAt[place] = position;
      const { take, at, next } = places[place] ?? { next: [] };
      if (take) {
        if (letter !== undefined && take(letter)) now.push(...next);
      } else if (at === undefined || (at === 'start' ? position === 0 : position === letters.length)) open.push(...next);
    }
  }
  return false;
}

/** Reads a pattern that is known to be a regular expression. */
class Reader {
  readonly #letters: readonly string[];
  #at = 0;

  constructor(pattern: string) {
    this.#letters = [...pattern];
  }

  choice(): Part {
    const parts = [this.#sequence()];
    while (this.#takes('|')) parts.push(this.#sequence());
    return parts.length === 1 && parts[0] ? parts[0] : { kind: 'choice', parts };
  }

  #takes(text: string): boolean {
    if (this.#letters.slice(this.#at, this.#at + text.length).join('') !== text) return false;
    this.#at += text.length;
    return true;
  }

  /** What is left up to and with `end`, as it is written. */
  #upTo(end: string): string {
    const from = this.#at;
    while (this.#letters[this.#at] !== end) this.#at += this.#letters[this.#at] === '\\' ? 2 : 1;
    this.#at++;
    return this.#letters.slice(from, this.#at).join('');
  }

  #sequence(): Part {
    const parts: Part[] = [];
    while (this.#at < this.#letters.length && this.#letters[this.#at] !== '|' && this.#letters[this.#at] !== ')') parts.push(this.#repeated(this.#single()));
    return { kind: 'sequence', parts };
  }

  #repeated(part: Part): Part {
    const [from, to] = this.#takes('*') ? [0, Infinity] : this.#takes('+') ? [1, Infinity] : this.#takes('?') ? [0, 1] : this.#takes('{') ? this.#counts() : [1, 1];
    if (from === 1 && to === 1) return part;
    // Greedy or not is the same question when only the answer counts.
    this.#takes('?');
    return { kind: 'repeat', part, from, to };
  }

  #counts(): [number, number] {
    const [from = '', to] = this.#upTo('}').slice(0, -1).split(',');
    return [Number(from), to === undefined ? Number(from) : to === '' ? Infinity : Number(to)];
  }

  #single(): Part {
    if (this.#takes('^')) return { kind: 'edge', at: 'start' };
    if (this.#takes('$')) return { kind: 'edge', at: 'end' };
    if (this.#takes('(')) return this.#group();
    if (this.#takes('[')) return one(`[${this.#upTo(']')}`);
    if (this.#takes('\\')) return one(this.#escaped());
    const letter = this.#letters[this.#at++] ?? '';
    return letter === '.' ? one('.') : { kind: 'one', test: (there) => there === letter };
  }

  #group(): Part {
    if (this.#takes('?') && !this.#takes(':')) {
      if (!this.#takes('<') || this.#takes('=') || this.#takes('!')) throw new PatternRefused('a pattern here cannot look ahead or behind, or change how it reads');
      this.#upTo('>');
    }
    const part = this.choice();
    this.#takes(')');
    return part;
  }

  /** What stands after a backslash, with it. */
  #escaped(): string {
    const letter = this.#letters[this.#at++] ?? '';
    if (/[1-9kbB]/.test(letter)) throw new PatternRefused('a pattern here cannot refer back or ask for the edge of a word');
    if (letter === 'p' || letter === 'P' || (letter === 'u' && this.#letters[this.#at] === '{')) return `\\${letter}${this.#upTo('}')}`;
    const more = { u: 4, x: 2, c: 1 }[letter] ?? 0;
    const rest = this.#letters.slice(this.#at, (this.#at += more)).join('');
    // Two halves of one letter.
    const isFirstHalf = letter === 'u' && /^d[89ab]/i.test(rest) && /^\\ud[c-f]$/i.test(this.#letters.slice(this.#at, this.#at + 4).join(''));
    return `\\${letter}${rest}${isFirstHalf ? this.#letters.slice(this.#at, (this.#at += 6)).join('') : ''}`;
  }
}

/** One letter of a kind that is written as in a regular expression. */
function one(written: string): Part {
  const expression = new RegExp(`^${written}$`, 'u');
  const ascii = Array.from({ length: 128 }, (_, code) => expression.test(String.fromCharCode(code)));
  return { kind: 'one', test: (letter) => ascii[letter.length === 1 ? letter.charCodeAt(0) : 128] ?? expression.test(letter) };
}
