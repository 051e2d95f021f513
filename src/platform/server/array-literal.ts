// PostgreSQL array literals, built at once: for long arrays the driver's own way costs several times as much.

/** `{1,2,3}` from values that need no quoting: numbers, decimals, times, ids. A comma, quote, brace or space in one would change its meaning. */
export function plainArray(values: readonly (string | number | bigint)[]): string {
  return `{${values.join(',')}}`;
}

const special = /["\\]/g;

/** `{"a","b\"c"}` from any texts. */
export function textArray(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replace(special, '\\$&')}"`).join(',')}}`;
}
