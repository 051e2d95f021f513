// Canonical JSON: exactly one text per value, so that signed content can be reproduced byte for byte (RFC
// 8785, JCS).

/**
 * The values in licenses. Numbers are integers; decimals are strings, so that no reader's arithmetic can
 * change them.
 */
export type Canonical =
  | null
  | boolean
  | number
  | string
  | readonly Canonical[]
  | { readonly [name: string]: Canonical };

/**
 * The canonical text: no whitespace, names sorted by their UTF-16 code units, strings as ECMAScript writes
 * them. Throws for values that RFC 8785 cannot represent (a lone surrogate) and for numbers that are not safe
 * integers.
 */
export function canonicalJson(value: Canonical): string {
  if (value === null || typeof value === 'boolean') return JSON.stringify(value);
  if (typeof value === 'string') {
    if (!value.isWellFormed()) throw new Error('a lone surrogate has no canonical text');
    return JSON.stringify(value);
  }
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw new Error(`${value} is not a safe whole number`);
    // Minus zero is written as 0.
    return String(value);
  }
  if (isList(value)) return `[${value.map(canonicalJson).join(',')}]`;
  return `{${Object.keys(value)
    .toSorted()
    .map((name) => `${canonicalJson(name)}:${canonicalJson(value[name] ?? null)}`)
    .join(',')}}`;
}

const isList = (
  value: readonly Canonical[] | { readonly [name: string]: Canonical },
): value is readonly Canonical[] => Array.isArray(value);
