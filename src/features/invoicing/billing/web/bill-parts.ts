// The services of a bill by net amount, largest first.
import { roundedQuotient } from '#kernel/decimal.ts';
import type { BillLine } from '../contract.ts';

export type BillPart = {
  /** Null for the rest. */
  readonly name: string | null;
  /** In minor units of the bill's currency; above zero. */
  readonly minor: bigint;
};

/**
 * At most `most` services, and the rest combined. Services with a sum of zero or less and terms without a
 * service are left out.
 */
export function partsOf(lines: readonly BillLine[], most: number): BillPart[] {
  const byName = Map.groupBy(
    lines.filter(({ serviceName }) => serviceName !== ''),
    ({ serviceName }) => serviceName,
  );
  const all = [...byName]
    .map(([name, own]) => ({ name, minor: own.reduce((sum, { total }) => sum + total.minor, 0n) }))
    .filter(({ minor }) => minor > 0n)
    .toSorted((a, b) => (a.minor === b.minor ? a.name.localeCompare(b.name) : a.minor < b.minor ? 1 : -1));
  const rest = all.slice(most).reduce((sum, { minor }) => sum + minor, 0n);
  return [...all.slice(0, most), ...(rest > 0n ? [{ name: null, minor: rest }] : [])];
}

/** A part's share of the whole, to a tenth of a percent. */
export const shareOf = (minor: bigint, whole: bigint): number =>
  Number(roundedQuotient(minor * 1000n, whole)) / 1000;
