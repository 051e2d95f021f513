// The fonts of our documents, opened once: what they can draw, and how wide texts are in them.
import { fileURLToPath } from 'node:url';
import { openSync, type Font, type GlyphRun } from 'fontkit';

/** A weight of the family. `name` is how a document calls it. */
export type Face = {
  readonly name: 'regular' | 'bold';
  readonly font: Font;
  /** How far signs reach above and below the line they stand on, for a text of size 1. */
  readonly ascent: number;
  readonly descent: number;
  /** How wide a text without line feeds is at size 1. */
  readonly widthOf: (text: string) => number;
};

// What some hundreds of bills say between them; then it begins anew.
const mostKept = 4000;

/** Answers what was asked before without asking again. */
function keeping<Answer>(ask: (text: string) => Answer): (text: string) => Answer {
  const kept = new Map<string, Answer>();
  return (text) => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    if (kept.size >= mostKept) kept.clear();
    const answer = ask(text);
    kept.set(text, answer);
    return answer;
  };
}

/** The library that writes documents changes the run it is given: it gets one of its own, whose width follows its positions as a run's does. */
function ownRun(run: GlyphRun): GlyphRun {
  const positions = run.positions.map((position) => ({ ...position }));
  return {
    ...run,
    glyphs: [...run.glyphs],
    positions,
    get advanceWidth() {
      return positions.reduce((width, position) => width + position.xAdvance, 0);
    },
  };
}

function openFace(name: Face['name'], file: string): Face {
  const font = openSync(fileURLToPath(import.meta.resolve(`@expo-google-fonts/noto-sans-tc/${file}`)));
  if (!('layout' in font)) throw new Error(`${file} holds more than one font`);
  // A bill says the same units, prices and kinds on every line; shaping them once is most of what makes it quick.
  const set = font.layout.bind(font);
  const runs = keeping(set);
  font.layout = (text, ...asked) =>
    ownRun(asked.some((each) => each !== undefined) ? set(text, ...asked) : runs(text));
  const widthOfWord = keeping((word) => runs(word).advanceWidth / font.unitsPerEm);
  return {
    name,
    font,
    ascent: font.ascent / font.unitsPerEm,
    descent: -font.descent / font.unitsPerEm,
    // As documents are written: each word is shaped with the space behind it.
    widthOf: (text) =>
      (text.match(/[^ ]* |[^ ]+$/g) ?? []).reduce((width, word) => width + widthOfWord(word), 0),
  };
}

export const faces = {
  regular: openFace('regular', '400Regular/NotoSansTC_400Regular.ttf'),
  bold: openFace('bold', '700Bold/NotoSansTC_700Bold.ttf'),
} as const;

/** Which characters the family can draw; the rest would leave no mark and pull what follows over itself. */
const hasGlyph = (character: string): boolean =>
  faces.regular.font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0);

/** A character as the font can draw it: itself, without its accent, or as a box that shows that one is missing. */
function drawableCharacter(character: string): string {
  if (character === '\n' || hasGlyph(character)) return character;
  const base = character.normalize('NFKD')[0] ?? '';
  if (base !== character && hasGlyph(base)) return base;
  return /\p{M}/u.test(character) ? '' : '□';
}

/** The text with only what the fonts can draw; a lone half of a character would break the file. */
export function drawable(text: string): string {
  const plain = text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[^\S\n]+/gu, ' ')
    .replace(/[\p{Cf}\p{Cc}]/gu, (sign) => (sign === '\n' ? sign : ''))
    .replaceAll('₹', 'INR ');
  return [...plain.normalize('NFC')].map(drawableCharacter).join('');
}
