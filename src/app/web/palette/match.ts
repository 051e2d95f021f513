// Finds what was meant by what was typed: in either language, whatever the width and case of the letters.

/** One form for all spellings of the same letters: ＡＢＣ, Abc and abc are equal, and so are café and cafe. */
export function fold(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll(/\s+/g, ' ').trim();
}

/**
 * How well names fit what was typed, 0 when they do not: every word must be found in one of them. The first name counts most;
 * a name that begins with a word counts more than one that holds it.
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

/** 4 where the name begins, 2 where one of its words does, 1 anywhere, 0 nowhere. */
function placeOf(word: string, name: string): number {
  if (name.startsWith(word)) return 4;
  // Chinese has no spaces: a hyphen, a slash or a space begins a word in English only.
  if (new RegExp(`[\\s/_-]${escaped(word)}`).test(name)) return 2;
  return name.includes(word) ? 1 : 0;
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** What fits, the best first; equals stay in the order they came in. Everything, when nothing was typed. */
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
