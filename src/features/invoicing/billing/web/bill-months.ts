// Chooses the month that the bills screen shows: the running one, one with bills, or one without.
import type { BillingMonth } from '#kernel/shape.ts';
import type { Bill } from '../contract.ts';

export type ChosenMonth =
  /** With the bills of one-off charges and the interim bills that were issued in it. */
  | { readonly kind: 'running'; readonly bills: readonly Bill[] }
  | { readonly kind: 'issued'; readonly month: BillingMonth; readonly bills: readonly Bill[] }
  | { readonly kind: 'none'; readonly month: BillingMonth };

/**
 * `wanted` comes from the address. A running month has no bill of its own yet; once it has one, the bill is
 * shown.
 */
export function chooseMonth(
  wanted: BillingMonth | undefined,
  running: BillingMonth,
  issued: readonly Bill[],
): ChosenMonth {
  const month = wanted ?? running;
  // Valid bills come before voided ones, the own ones before those that are paid for others.
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

/** Whether a month has a bill of its own: one of a one-off charge alone or an interim bill is none. */
const isBilled = (month: BillingMonth, issued: readonly Pick<Bill, 'month' | 'kind'>[]): boolean =>
  issued.some((bill) => bill.month === month && bill.kind === 'month');

/** Months for the choice, the latest first, each once; the wanted one is among them even without bills. */
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

/** The years of the months that valid bills are for, the latest first. */
export const yearsOf = (bills: readonly Pick<Bill, 'month' | 'state'>[]): string[] =>
  [...new Set(bills.filter(({ state }) => state !== 'void').map(({ month }) => month.slice(0, 4)))]
    .toSorted()
    .toReversed();
