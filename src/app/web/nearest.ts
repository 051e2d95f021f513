// Finds the page that a mistyped path probably meant.
/**
 * The page whose path needs the fewest single-character changes, if those are at most a third of its length.
 */
export function nearest<Page extends { readonly path: string }>(
  path: string,
  pages: readonly Page[],
): Page | undefined {
  let best: { item: Page; changes: number } | undefined;
  for (const item of pages) {
    const changes = distance(path.toLowerCase().slice(0, 80), item.path);
    if (changes <= item.path.length / 3 && (!best || changes < best.changes)) best = { item, changes };
  }
  return best?.item;
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
