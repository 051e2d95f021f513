// Builds PostgreSQL array literals directly: for long lists the driver's own serialization is several times
// slower.

const special = /["\\]/;
const everySpecial = /["\\]/g;
const quoted = (text: string): string =>
  special.test(text) ? `"${text.replace(everySpecial, '\\$&')}"` : `"${text}"`;
const isPlainText = (value: unknown): boolean => typeof value === 'string' && !special.test(value);
const isNumber = (value: unknown): boolean => typeof value === 'number' || typeof value === 'bigint';

/** An element in array-literal syntax; undefined for values that are left to the driver. */
function element(value: unknown): string | undefined {
  if (value === null || value === undefined) return 'NULL';
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
    return String(value);
  // Four-digit years only: JavaScript and PostgreSQL write others differently.
  const iso = value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : '';
  return iso.length === '2026-01-31T00:00:00.000Z'.length && !iso.startsWith('0000') ? iso : undefined;
}

/**
 * Formats `{"a","b\"c",NULL,3}` from strings, numbers, dates, booleans and nulls; undefined when there is any
 * other value, which the driver then serializes.
 */
export function arrayLiteral(values: readonly unknown[]): string | undefined {
  if (values.length === 0) return '{}';
  // Fast paths for the two most common cases, without an intermediate list.
  if (values.every(isPlainText)) return `{"${values.join('","')}"}`;
  if (values.every(isNumber)) return `{${values.join(',')}}`;
  const elements = values.map(element);
  return elements.includes(undefined) ? undefined : `{${elements.join(',')}}`;
}
