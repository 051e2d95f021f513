// The changes field by field: `before` and `after` of a row side by side, nested fields by their path.

export type Change = {
  readonly field: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The leaves of a value by their paths; lists are leaves, because an index is not a name. */
function leafEntries(value: unknown, path: string): [string, string][] {
  if (!isObject(value)) return value === undefined || value === null ? [] : [[path, textOf(value)]];
  return Object.entries(value).flatMap(([name, each]) =>
    leafEntries(each, path === '' ? name : `${path}.${name}`),
  );
}

/** The fields that differ, in order; empty if there is neither `before` nor `after`. */
export function changesOf(detail: Readonly<Record<string, unknown>>): readonly Change[] {
  const [before, after] = [
    new Map(leafEntries(detail['before'], '')),
    new Map(leafEntries(detail['after'], '')),
  ];
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((field) => ({ field, before: before.get(field), after: after.get(field) }))
    .filter((change) => change.before !== change.after);
}

/** The other recorded details. */
export function otherDetails(
  detail: Readonly<Record<string, unknown>>,
): readonly (readonly [string, string])[] {
  return Object.entries(detail)
    .filter(([name]) => name !== 'before' && name !== 'after')
    .map(([name, value]) => [name, textOf(value)] as const);
}
