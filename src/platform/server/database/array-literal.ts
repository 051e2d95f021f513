// PostgreSQL array literals, built at once: for long lists the driver's own way costs several times as much.

const special = /["\\]/;
const everySpecial = /["\\]/g;
const quoted = (text: string): string =>
  special.test(text) ? `"${text.replace(everySpecial, '\\$&')}"` : `"${text}"`;
const isPlainText = (value: unknown): boolean => typeof value === 'string' && !special.test(value);
const isNumber = (value: unknown): boolean => typeof value === 'number' || typeof value === 'bigint';

/** An element as it stands in a literal; undefined for what is left to the driver. */
function element(value: unknown): string | undefined {
  if (value === null || value === undefined) return 'NULL';
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
    return String(value);
  // Years of four digits: others are written in another way by each side.
  const iso = value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : '';
  return iso.length === '2026-01-31T00:00:00.000Z'.length && !iso.startsWith('0000') ? iso : undefined;
}

/** `{"a","b\"c",NULL,3}` from texts, numbers, moments, booleans and nothings; undefined when there is anything else, which the driver writes in its own way. */
export function arrayLiteral(values: readonly unknown[]): string | undefined {
  if (values.length === 0) return '{}';
  // The two that nearly all are: no list in between.
  if (values.every(isPlainText)) return `{"${values.join('","')}"}`;
  if (values.every(isNumber)) return `{${values.join(',')}}`;
  const elements = values.map(element);
  return elements.includes(undefined) ? undefined : `{${elements.join(',')}}`;
}
