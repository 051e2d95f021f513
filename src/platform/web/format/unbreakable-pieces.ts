// Finds the parts of a sentence that must not wrap.

export type Piece = { readonly piece: string; readonly isWhole: boolean };

/**
 * A day with its time, a day or month in Chinese or English, or a run of characters without spaces that contains a
 * hyphen.
 */
const candidate =
  /\d{4}-\d{2}-\d{2} \d{2}:\d{2}|\d+年\d+月(?:\d+日(?: \d{2}:\d{2})?)?|\d+月\d+日|\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) (?:\d{4}|\d{1,2}(?:, \d{4}(?:, \d{2}:\d{2})?)?)\b|[!-~]*-[!-~]*/g;
/** Longer ones (URLs, machine identifiers) would be wider than a phone's screen. */
const longest = 24;
/** Of letters alone: `sign-in`, `e-mail`, `one-off`. */
const longestCompound = 12;

/**
 * Splits a sentence into pieces; joined, they give the sentence. `isWhole` is set for a piece with a digit
 * and a hyphen (`-NT$21`, `B-202610-000001`), for short compounds (`sign-in`) and for days, with or without a time, and months:
 * `2026-11-23 06:53`, `2026年11月23日 06:53`, `Nov 23, 2026, 06:53`, `Nov 2026`.
 */
export function unbreakablePieces(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(candidate)) {
    const [piece] = match;
    if (piece.length > (/\d/.test(piece) ? longest : longestCompound)) continue;
    if (match.index > end) pieces.push({ piece: text.slice(end, match.index), isWhole: false });
    pieces.push({ piece, isWhole: true });
    end = match.index + piece.length;
  }
  if (end < text.length) pieces.push({ piece: text.slice(end), isWhole: false });
  return pieces;
}

/** The width of a fact in Latin characters that fits a line of a card on a phone. */
const longestFact = 29;
const widthOf = (text: string): number =>
  [...text].reduce((width, character) => width + (character >= '\u2e80' ? 2 : 1), 0);

/**
 * The facts of a line with dots between them (`運算 · 月費 NT$2,400 · 2026年12月1日重新計算`); empty if one of them
 * is too long to be a fact, as in a sentence with a dot in it.
 */
export function shortFacts(text: string): readonly string[] {
  const facts = text.split(' · ');
  return facts.every((fact) => widthOf(fact) <= longestFact) ? facts : [];
}
