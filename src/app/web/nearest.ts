// Finds the page that a mistyped path probably meant.
type Known = { readonly path: string };

/**
 * The page that has every word of the path (`/admin/services` means `/admin/service-management`), or else the
 * one whose path needs the fewest single-character changes, if those are at most a third of its length.
 */
export function nearest<Page extends Known>(path: string, pages: readonly Page[]): Page | undefined {
  const typed = path.toLowerCase().slice(0, 80);
  const words = wordsOf(typed);
  const withWords = words.length === 0 ? [] : pages.filter((page) => hasWords(wordsOf(page.path), words));
  if (withWords.length > 0) return closest(typed, withWords)?.page;
  const found = closest(typed, pages);
  return found && found.changes <= found.page.path.length / 3 ? found.page : undefined;
}

const wordsOf = (path: string): string[] => path.split(/[/-]/).filter((word) => word !== '');
/** A word also stands for its plural. */
const hasWords = (own: readonly string[], words: readonly string[]): boolean =>
  words.every((word) => own.some((each) => each === word || `${each}s` === word || each === `${word}s`));

function closest<Page extends Known>(path: string, pages: readonly Page[]) {
  let best: { page: Page; changes: number } | undefined;
  for (const page of pages) {
    const changes = distance(path, page.path);
    if (!best || changes < best.changes) best = { page, changes };
  }
  return best;
}

/** Levenshtein distance, computed row by row. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries()) {
      next.push(
        Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (letter === other ? 0 : 1)),
      );
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
