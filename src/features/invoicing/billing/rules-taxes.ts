// The taxes of a bill: each computed once on the sum of its rounded lines (domain.md, "Money"), and each
// line's share of them.
import { assert, required } from '#kernel/assert.ts';
import { money, percentOf, sumMoney, type Currency, type Money } from '#kernel/money.ts';
import type { LineTax } from '#features/invoicing/taxes/contract.ts';
import { taxKey, taxOfService, type Taxation } from '#features/invoicing/taxes/rules.ts';
import type { BillTax, LineTerm } from './contract.ts';
import { chargedOfLines } from './rules-interim.ts';
import type { PlannedBillLine } from './rules-late.ts';
import { taxParts } from './rules-totals.ts';

/** A line as taxes see it: its amount and, for a discount or the like, what it took from which lines. */
type LineWithShares = { readonly amount: Money; readonly shares: LineTerm['shares'] };

/**
 * How a line is taxed: by its service. Lines without a service and one-off charges use the standard rate; a
 * line that takes from others is taxed like them.
 */
export const taxOfLine = (
  taxation: Taxation,
  { kind, serviceId, lateFee }: Pick<PlannedBillLine, 'kind' | 'serviceId' | 'lateFee'>,
): LineTax =>
  kind !== 'one_off'
    ? taxOfService(taxation, serviceId)
    : lateFee?.taxedAs === 'exempt'
      ? (taxation.exempt ?? taxation.standard)
      : taxation.standard;

/**
 * Returns the taxes of a bill, one for each category and rate in the order of their first lines. A row's net
 * amount is that of its lines after discounts, agreed rates and promotional credit; its tax is rounded once,
 * half away from zero. Asserts that the rows add up to the bill.
 */
export function taxRows(
  currency: Currency,
  lines: readonly PlannedBillLine[],
  taxation: Taxation,
): BillTax[] {
  const charged = chargedOfLines(
    lines.map(({ amount, term }) => ({ amount: amount.minor, shares: term?.shares })),
  );
  const rows = new Map<string, { tax: LineTax; net: bigint; lines: string[] }>();
  for (const [index, line] of lines.entries()) {
    if (line.term?.shares !== undefined) continue;
    const tax = taxOfLine(taxation, line);
    const row = rows.get(taxKey(tax)) ?? { tax, net: 0n, lines: [] };
    rows.set(taxKey(tax), row);
    row.net += required(charged[index], 'a line’s charge');
    row.lines.push(String(index + 1));
  }
  const made = [...rows.values()].map(({ tax, net, lines: own }): BillTax => {
    const amount = money(net, currency);
    return { ...tax, net: amount, tax: percentOf(amount, tax.rate), lines: own };
  });
  assert(
    made.reduce((sum, { net }) => sum + net.minor, 0n) ===
      lines.reduce((sum, { amount }) => sum + amount.minor, 0n),
    'the taxed amounts are the net amount',
  );
  return made;
}

/** The sum of a bill's taxes. */
export const taxOfRows = (rows: readonly BillTax[], currency: Currency): Money =>
  sumMoney(
    rows.map(({ tax }) => tax),
    currency,
  );

/** A bill's taxes with their bases; for older bills with a single tax, one row for all of its lines. */
export const rowsOf = (
  bill: { readonly taxes?: readonly BillTax[] | undefined; readonly tax: Money; readonly net: Money },
  lineIds: readonly string[],
): readonly Pick<BillTax, 'tax' | 'lines'>[] => bill.taxes ?? [{ tax: bill.tax, lines: [...lineIds] }];

/**
 * Each line's share of the taxes, in minor units: every tax is divided cumulatively among its lines, so that
 * the shares add up to it exactly. A line that takes from others lowers the tax of each of them.
 */
export function taxesByLine(
  lines: readonly LineWithShares[],
  rows: readonly Pick<BillTax, 'tax' | 'lines'>[],
): bigint[] {
  const byLine = lines.map(() => 0n);
  for (const { tax, lines: own } of rows) {
    const members = new Set(own);
    const parts = lines.flatMap(({ amount, shares }, index) => {
      if (shares === undefined) return members.has(String(index + 1)) ? [{ index, net: amount }] : [];
      const taken = shares.filter(({ lineId }) => members.has(lineId)).map((share) => share.amount);
      return taken.length === 0
        ? []
        : [{ index, net: money(-sumMoney(taken, amount.currency).minor, amount.currency) }];
    });
    const divided = taxParts(
      parts.map(({ net }) => net),
      tax,
    );
    for (const [place, { index }] of parts.entries())
      byLine[index] = (byLine[index] ?? 0n) + (divided[place] ?? 0n);
  }
  return byLine;
}

/**
 * The lines' amounts including their share of the taxes, for a buyer who cannot reclaim them (domain.md,
 * "Money").
 */
export function grossOfLines(
  lines: readonly LineWithShares[],
  rows: readonly Pick<BillTax, 'tax' | 'lines'>[],
): Money[] {
  const taxes = taxesByLine(lines, rows);
  return lines.map(({ amount }, index) => money(amount.minor + (taxes[index] ?? 0n), amount.currency));
}
