// Chooses the month that the bills screen shows: the running one, one with bills, or one without.
import type { BillingMonth } from '#kernel/shape.ts';
import type { Bill } from '../contract.ts';

export type ChosenMonth =
  | { readonly kind: 'running' }
  | { readonly kind: 'issued'; readonly month: BillingMonth; readonly bills: readonly Bill[] }
  | { readonly kind: 'none'; readonly month: BillingMonth };

/** `wanted` comes from the address. A running month has no bill yet; once it has one, the bill is shown. */
export function chooseMonth(
  wanted: BillingMonth | undefined,
  running: BillingMonth,
  issued: readonly Bill[],
): ChosenMonth {
  if (wanted === undefined) return { kind: 'running' };
  // Valid bills come before voided ones.
  const bills = issued
    .filter((bill) => bill.month === wanted)
    .toSorted((a, b) => Number(a.state === 'void') - Number(b.state === 'void'));
  if (bills.length > 0) return { kind: 'issued', month: wanted, bills };
  return wanted === running ? { kind: 'running' } : { kind: 'none', month: wanted };
}

/** Months for the choice, the latest first, each once; the wanted one is among them even without bills. */
export function monthsToChoose(
  wanted: BillingMonth | undefined,
  running: BillingMonth,
  issued: readonly Bill[],
): readonly BillingMonth[] {
  const months = new Set(issued.map((bill) => bill.month));
  if (wanted !== undefined && wanted !== running) months.add(wanted);
  return [...months].toSorted((a, b) => (a < b ? 1 : -1));
}
