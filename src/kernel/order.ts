// Orders that are the same on every machine and in every language.

/** Compares texts by their code units. */
export const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Compares entries by their key. */
export const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  compareTexts(a, b);

/** An object with its keys in order; any other value as it is. As JSON, equal values then have equal texts. */
export const withSortedKeys = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(byKey))
    : value;
