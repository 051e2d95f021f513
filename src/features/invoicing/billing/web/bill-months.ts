// Chooses the month that the bills screen shows: the current month, a month with bills, or one without.
import type { BillingMonth } from '#kernel/shape.ts';
import type { Bill } from '../contract.ts';

export type ChosenMonth =
  /** With the bills for one-off charges and the interim bills that were issued in the month. */
  | { readonly kind: 'running'; readonly bills: readonly Bill[] }
  | { readonly kind: 'issued'; readonly month: BillingMonth; readonly bills: readonly Bill[] }
  | { readonly kind: 'none'; readonly month: BillingMonth };

/**
 * `wanted` comes from the address. The current month usually has no bill of its own yet; if it has one, that
 * bill is shown.
 */
export function chooseMonth(
  wanted: BillingMonth | undefined,
  running: BillingMonth,
  issued: readonly Bill[],
): ChosenMonth {
  const month = wanted ?? running;
  // Valid bills come before voided ones, own bills before those paid for others.
  const bills = issued
    .filter((bill) => bill.month === month)
    .toSorted(
      (a, b) =>
        Number(a.state === 'void') - Number(b.state === 'void') ||
        Number(a.usedBy !== undefined) - Number(b.usedBy !== undefined),
    );
  if (month === running && (wanted === undefined || !isBilled(running, bills))) {
    return { kind: 'running', bills: bills.filter((bill) => bill.kind !== 'month') };
  }
  return bills.length > 0 ? { kind: 'issued', month, bills } : { kind: 'none', month };
}

/** Whether a month has its own bill; interim bills and bills for a single one-off charge do not count. */
const isBilled = (month: BillingMonth, issued: readonly Pick<Bill, 'month' | 'kind'>[]): boolean =>
  issued.some((bill) => bill.month === month && bill.kind === 'month');

/**
 * Months to choose from, newest first and without duplicates; includes the wanted month even if it has no
 * bills.
 */
export function monthsToChoose(
  wanted: BillingMonth | undefined,
  running: BillingMonth,
  issued: readonly Pick<Bill, 'month' | 'kind'>[],
): readonly BillingMonth[] {
  const months = new Set(issued.map((bill) => bill.month));
  if (!isBilled(running, issued)) months.delete(running);
  if (wanted !== undefined && wanted !== running) months.add(wanted);
  return [...months].toSorted((a, b) => (a < b ? 1 : -1));
}

/** The years that valid bills are for, newest first. */
export const yearsOf = (bills: readonly Pick<Bill, 'month' | 'state'>[]): string[] =>
  [...new Set(bills.filter(({ state }) => state !== 'void').map(({ month }) => month.slice(0, 4)))]
    .toSorted()
    .toReversed();
