// What the program reads of JSON, and exact decimals.

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
export type Fields = { readonly [name: string]: Json };

export const isFields = (value: Json | undefined): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const fieldsOf = (value: Json | undefined): Fields => (isFields(value) ? value : {});
export const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);
export const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
export const numberOf = (value: Json | undefined): number => (typeof value === 'number' ? value : Number.NaN);

/** An exact decimal: a whole number of units, each 10^-digits. */
export type Exact = { readonly units: bigint; readonly digits: number };
export const scaled = ({ units, digits }: Exact, to: number): bigint => units * 10n ** BigInt(to - digits);
export function exact(text: string): Exact {
  const found = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
  if (!found) throw new Error(`not a number: ${text}`);
  const [, sign = '', whole = '0', fraction = ''] = found;
  return { units: BigInt(`${sign}${whole}${fraction}`), digits: fraction.length };
}
export const add = (a: Exact, b: Exact): Exact => {
  const digits = Math.max(a.digits, b.digits);
  return { units: scaled(a, digits) + scaled(b, digits), digits };
};
export const times = (a: Exact, b: Exact): Exact => ({
  units: a.units * b.units,
  digits: a.digits + b.digits,
});
export const minus = (a: Exact, b: Exact): Exact => add(a, { units: -b.units, digits: b.digits });
export const compare = (a: Exact, b: Exact): number => {
  const { units } = minus(a, b);
  return units > 0n ? 1 : units < 0n ? -1 : 0;
};
export const nothing = exact('0');
export const sum = (all: readonly Exact[]): Exact => all.reduce(add, nothing);
export const least = (a: Exact, b: Exact): Exact => (compare(a, b) < 0 ? a : b);
export const whole = (count: number | bigint): Exact => ({ units: BigInt(count), digits: 0 });
/** A quotient of whole numbers, halves away from zero. */
function rounded(value: bigint, by: bigint): bigint {
  const half = (value < 0n ? -value : value) * 2n + by;
  const found = half / (by * 2n);
  return value < 0n ? -found : found;
}
export const divide = (a: Exact, by: Exact, digits: number): Exact => ({
  units: rounded(
    scaled(a, Math.max(a.digits, by.digits)) * 10n ** BigInt(digits),
    scaled(by, Math.max(a.digits, by.digits)),
  ),
  digits,
});
export const roundTo = (a: Exact, digits: number): Exact =>
  a.digits <= digits ? a : { units: rounded(a.units, 10n ** BigInt(a.digits - digits)), digits };
export function show({ units, digits }: Exact): string {
  const text = (units < 0n ? -units : units).toString().padStart(digits + 1, '0');
  const [head, tail] = [
    text.slice(0, text.length - digits),
    text.slice(text.length - digits).replace(/0+$/, ''),
  ];
  return `${units < 0n ? '-' : ''}${head}${tail === '' ? '' : `.${tail}`}`;
}
