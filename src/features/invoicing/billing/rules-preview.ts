// Summarizes what a month close would issue, while organizations are processed: totals, and the bills that an
// Admin should review.
import { money, subtractMoney, type Currency, type Money, absolute } from '#kernel/money.ts';
import type { Id } from '#kernel/ids.ts';
import type { ClosePreview, standOuts } from './contract.ts';

export type ReviewReason = (typeof standOuts)[number];
/**
 * One organization's bill in one currency: the planned one and the previous month's, each null if there is
 * none.
 */
export type PreviewedBill = {
  readonly organizationId: Id<'org'>;
  readonly organization: string;
  readonly net: Money | null;
  readonly tax: Money | null;
  readonly total: Money | null;
  readonly previousTotal: Money | null;
  readonly currency: Currency;
};

/** The maximum number of bills listed per kind; all are counted. */
export const maxNamed = 10;
const rise = 150n;
const fall = 50n;

/**
 * Why a bill needs review; undefined if it does not. A rise or fall counts from half of the previous month.
 */
export function reviewReason({
  total,
  previousTotal,
}: Pick<PreviewedBill, 'total' | 'previousTotal'>): ReviewReason | undefined {
  if (total !== null && total.minor < 0n) return 'negative';
  if (previousTotal === null) return total === null ? undefined : 'first';
  if (total === null) return previousTotal.minor === 0n ? undefined : 'missing';
  if (total.minor * 100n >= previousTotal.minor * rise && total.minor > previousTotal.minor) return 'rise';
  return total.minor * 100n <= previousTotal.minor * fall && total.minor < previousTotal.minor
    ? 'fall'
    : undefined;
}

const moved = (bill: PreviewedBill): bigint =>
  absolute((bill.total?.minor ?? 0n) - (bill.previousTotal?.minor ?? 0n));

/** Sums bills chunk by chunk, in memory independent of their number. */
export class PreviewSum {
  readonly #totals = new Map<
    Currency,
    { bills: number; net: bigint; tax: bigint; total: bigint; previousBills: number; previousTotal: bigint }
  >();
  readonly #named = new Map<
    string,
    { kind: ReviewReason; currency: Currency; count: number; bills: PreviewedBill[] }
  >();

  add(bill: PreviewedBill): void {
    const sums = this.#totals.get(bill.currency) ?? {
      bills: 0,
      net: 0n,
      tax: 0n,
      total: 0n,
      previousBills: 0,
      previousTotal: 0n,
    };
    this.#totals.set(bill.currency, {
      bills: sums.bills + (bill.total === null ? 0 : 1),
      net: sums.net + (bill.net?.minor ?? 0n),
      tax: sums.tax + (bill.tax?.minor ?? 0n),
      total: sums.total + (bill.total?.minor ?? 0n),
      previousBills: sums.previousBills + (bill.previousTotal === null ? 0 : 1),
      previousTotal: sums.previousTotal + (bill.previousTotal?.minor ?? 0n),
    });
    const kind = reviewReason(bill);
    if (kind === undefined) return;
    const key = `${bill.currency} ${kind}`;
    const named = this.#named.get(key) ?? { kind, currency: bill.currency, count: 0, bills: [] };
    const bills = [...named.bills, bill].toSorted((a, b) =>
      moved(a) > moved(b) ? -1 : moved(a) < moved(b) ? 1 : a.organizationId < b.organizationId ? -1 : 1,
    );
    this.#named.set(key, { ...named, count: named.count + 1, bills: bills.slice(0, maxNamed) });
  }

  /** The sums so far: currencies by code, then the notable bills, largest change first. */
  report(): Pick<ClosePreview, 'totals' | 'standOuts'> {
    const byCode = <T extends { currency: string }>(list: T[]): T[] =>
      list.toSorted((a, b) => (a.currency < b.currency ? -1 : a.currency > b.currency ? 1 : 0));
    const totals = byCode(
      [...this.#totals].map(([currency, sums]) => {
        const [total, previousTotal] = [money(sums.total, currency), money(sums.previousTotal, currency)];
        return {
          currency,
          bills: sums.bills,
          net: money(sums.net, currency),
          tax: money(sums.tax, currency),
          total,
          previousBills: sums.previousBills,
          previousTotal,
          difference: subtractMoney(total, previousTotal),
        };
      }),
    );
    return {
      totals,
      standOuts: byCode(
        [...this.#named.values()].map((named) => ({
          ...named,
          bills: named.bills.map(({ organizationId, organization, total, previousTotal }) => ({
            organizationId,
            organization,
            total,
            previousTotal,
          })),
        })),
      ),
    };
  }
}
