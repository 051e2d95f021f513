// Plans the export of a period, both for the preview and for the export itself, so that they are equal.
import type { Currency } from '#kernel/money.ts';
import { money } from '#kernel/money.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { byKey } from '#kernel/order.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { timeZoneSetting } from '#features/access/identity/server/index.ts';
import { placeOf } from '#features/reporting/books/server/index.ts';
import type { AccountSum, Voucher } from '../contract.ts';
import { timeOf, vouchersOf, type AccountPart, type PlannedLine, type PlannedVoucher } from '../rules.ts';
import { allMappings, waitingCounts, waitingSums, type Scope } from './store.ts';

export type JournalPlan = {
  readonly zone: string;
  readonly scope: Scope;
  readonly first: LocalDay;
  readonly last: LocalDay;
  readonly isOver: boolean;
  readonly vouchers: readonly PlannedVoucher[];
  readonly unmapped: readonly (AccountPart & { readonly service: string | null })[];
};

/** The transactions of a day or a month that no export contains yet, as vouchers. */
export async function planOf(ctx: Ctx, period: LocalDay | BillingMonth): Promise<JournalPlan> {
  const zone = await ctx.setting(timeZoneSetting);
  const { time, first, last } = timeOf(period, zone);
  const scope = { from: placeOf(time.start), until: placeOf(time.end), zone };
  const rules = await allMappings(ctx);
  const sums = await waitingSums(ctx, scope, {
    byService: rules.some(({ serviceId }) => serviceId !== null),
    byTaxRate: rules.some(({ taxRate }) => taxRate !== null),
  });
  const { vouchers, unmapped } = vouchersOf(sums, await waitingCounts(ctx, scope), rules);
  const services = new Map(sums.map(({ serviceId, service }) => [serviceId, service]));
  return {
    zone,
    scope,
    first,
    last,
    isOver: time.end <= ctx.now,
    vouchers,
    unmapped: unmapped.map((part) => ({ ...part, service: services.get(part.serviceId) ?? null })),
  };
}

/** A voucher's description: "Bill, 12 transactions". */
export function summaryOf(ctx: Ctx, { kind, count }: Pick<PlannedVoucher, 'kind' | 'count'>): string {
  // used as: 'books.kind_*'
  return ctx.text('accounting.summary', { kind: ctx.text(`books.kind_${kind}`), count });
}
/** A line's description: the same, with its service if it belongs to a single one. */
export function lineSummaryOf(ctx: Ctx, voucher: PlannedVoucher, { service, taxRate }: PlannedLine): string {
  const summary = summaryOf(ctx, voucher);
  if (service !== null) return ctx.text('accounting.summary_of', { summary, part: service });
  return taxRate === null ? summary : ctx.text('accounting.summary_of', { summary, part: `${taxRate}%` });
}

/** Converts planned vouchers to the contract's form. */
export function shownOf(ctx: Ctx, vouchers: readonly PlannedVoucher[]): Voucher[] {
  return vouchers.map((voucher) => ({
    number: null,
    day: voucher.day,
    kind: voucher.kind,
    currency: voucher.currency,
    summary: summaryOf(ctx, voucher),
    transactions: voucher.count,
    total: money(voucher.total, voucher.currency),
    lines: voucher.lines.map((line) => ({
      accountKind: line.accountKind,
      code: line.code,
      name: line.name,
      department: line.department,
      taxName: line.taxName,
      summary: lineSummaryOf(ctx, voucher, line),
      debit: line.debit > 0n ? money(line.debit, voucher.currency) : null,
      credit: line.credit > 0n ? money(line.credit, voucher.currency) : null,
    })),
  }));
}

type Booked = {
  readonly currency: Currency;
  readonly code: string;
  readonly name: string;
  readonly department: string;
  readonly debit: bigint;
  readonly credit: bigint;
};
/** Sums lines by account of the accounting program and currency, ordered by account number. */
export function sumsOfAccounts(lines: Iterable<Booked>): AccountSum[] {
  const sums = new Map<string, Booked>();
  for (const line of lines) {
    const { currency, code, name, department } = line;
    const key = JSON.stringify([currency, code, department, name]);
    const before = sums.get(key);
    sums.set(key, {
      currency,
      code,
      name,
      department,
      debit: (before?.debit ?? 0n) + line.debit,
      credit: (before?.credit ?? 0n) + line.credit,
    });
  }
  return [...sums.entries()]
    .toSorted(byKey)
    .map(([, { currency, code, name, department, debit, credit }]) => ({
      code,
      name,
      department,
      debit: money(debit, currency),
      credit: money(credit, currency),
    }));
}

/** Sums account totals by currency. */
export function totalsOf(accounts: readonly AccountSum[]) {
  const currencies = [...new Set(accounts.map(({ debit }) => debit.currency))];
  return currencies.map((currency) => {
    const own = accounts.filter(({ debit }) => debit.currency === currency);
    const sum = (side: 'debit' | 'credit') =>
      money(
        own.reduce((all, account) => all + account[side].minor, 0n),
        currency,
      );
    return { currency, debit: sum('debit'), credit: sum('credit') };
  });
}
