// Matches typed text with names in any language, ignoring width and case.

/** Folds all spellings of the same letters: ＡＢＣ, Abc and abc are equal, and so are café and cafe. */
export function fold(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll(/\s+/g, ' ').trim();
}

/**
 * How well names match the typed text; 0 when they do not. Every word must occur in one of the names. The
 * first name counts most, and a name that begins with a word counts more than one that contains it.
 */
export function fitness(typed: string, names: readonly string[]): number {
  const words = fold(typed)
    .split(' ')
    .filter((word) => word !== '');
  const folded = names.map(fold);
  let total = 0;
  for (const word of words) {
    const best = Math.max(0, ...folded.map((name, index) => placeOf(word, name) * (index === 0 ? 2 : 1)));
    if (best === 0) return 0;
    total += best;
  }
  return total;
}

/** 4 at the start of the name, 2 at the start of one of its words, 1 elsewhere, 0 when not found. */
function placeOf(word: string, name: string): number {
  if (name.startsWith(word)) return 4;
  // Chinese has no spaces, so only in English does a hyphen, slash or space begin a word.
  if (new RegExp(`[\\s/_-]${escaped(word)}`).test(name)) return 2;
  return name.includes(word) ? 1 : 0;
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** The matches, best first; equal ones keep their order. All entries when nothing was typed. */
export function fitting<Entry extends { readonly names: readonly string[] }>(
  typed: string,
  entries: readonly Entry[],
): readonly Entry[] {
  if (fold(typed) === '') return entries;
  return entries
    .map((entry) => ({ entry, fit: fitness(typed, entry.names) }))
    .filter(({ fit }) => fit > 0)
    .toSorted((a, b) => b.fit - a.fit)
    .map(({ entry }) => entry);
}
