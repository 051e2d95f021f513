// Parts of a list, for statements, messages and transactions that hold a limited number of items.

/** Yields the items in parts of at most `size`, in order. */
export function* chunksOf<T>(items: readonly T[], size: number): Generator<T[], void> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}
