// Parses JSON whose numbers may have more digits than a 64-bit float can hold.

const longNumber = /\d[\d.]{15,}/;
/**
 * Whether a JSON text may contain a number of more than 15 digits. Strings of digits also match, which only
 * costs time.
 */
export const hasLongNumber = (text: string): boolean => longNumber.test(text);

/** Like JSON.parse, but returns numbers that a float would round as their source text. */
export function parseExactly(text: string): unknown {
  // TypeScript does not know the third argument yet: https://github.com/tc39/proposal-json-parse-with-source
  const keep = (_key: string, value: unknown, context?: { readonly source?: string }): unknown =>
    typeof value === 'number' && context?.source !== undefined && isRounded(context.source)
      ? context.source
      : value;
  return JSON.parse(text, keep as (key: string, value: unknown) => unknown) as unknown;
}

const isRounded = (source: string): boolean => {
  const digits = (source.toLowerCase().split('e')[0] ?? '').replace('-', '').replace('.', '');
  return digits.replace(/^0+/, '').length > 15;
};
