// Rules of journals: the account of the accounting program for an entry, and balanced vouchers. Amounts are
// in minor units of the voucher's currency.
import { assert } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import type { Currency } from '#kernel/money.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { isDay } from '#kernel/shape.ts';
import { addDays, addMonths, dayPeriod, monthPeriod, type Period } from '#kernel/time.ts';
import type { transactionKinds } from '#features/invoicing/ledger/contract.ts';
import type { AccountKind } from '#features/invoicing/ledger/rules.ts';

export type TransactionKind = (typeof transactionKinds)[number];

/** A part of an account of the ledger; null in a dimension that is not split. */
export type AccountPart = {
  readonly accountKind: AccountKind;
  readonly currency: Currency;
  readonly taxRate: string | null;
  readonly serviceId: Id<'svc'> | null;
};
export type Target = {
  readonly code: string;
  readonly name: string;
  readonly department: string;
  readonly taxName: string;
};
/** Maps a part of an account to the accounting program; null matches any value. */
export type MappingRule = Target & {
  readonly accountKind: AccountKind;
  readonly currency: Currency | null;
  readonly taxRate: string | null;
  readonly serviceId: Id<'svc'> | null;
};

const fits = (rule: string | null, value: string | null): boolean => rule === null || rule === value;
/** A service or a tax rate is more specific than a currency. */
const exactness = (rule: MappingRule): number =>
  (rule.serviceId === null ? 0 : 4) + (rule.taxRate === null ? 0 : 2) + (rule.currency === null ? 0 : 1);

/** The most specific rule for a part of an account; undefined when none matches. */
export function ruleFor(rules: readonly MappingRule[], part: AccountPart): MappingRule | undefined {
  return rules
    .filter(
      (rule) =>
        rule.accountKind === part.accountKind &&
        fits(rule.currency, part.currency) &&
        fits(rule.taxRate, part.taxRate) &&
        fits(rule.serviceId, part.serviceId),
    )
    .toSorted((a, b) => exactness(b) - exactness(a))[0];
}

/**
 * The day's entries of one kind of transaction on a part of an account, debits and credits summed separately.
 */
export type EntrySum = AccountPart & {
  readonly day: LocalDay;
  readonly kind: TransactionKind;
  readonly service: string | null;
  readonly debit: bigint;
  readonly credit: bigint;
};
/** The number of a day's transactions of a kind and currency. */
export type TransactionCount = {
  readonly day: LocalDay;
  readonly kind: TransactionKind;
  readonly currency: Currency;
  readonly count: number;
};
export type PlannedLine = Target & {
  readonly accountKind: AccountKind;
  readonly taxRate: string | null;
  readonly serviceId: Id<'svc'> | null;
  /** The service's name if the line belongs to a single service. */
  readonly service: string | null;
  readonly debit: bigint;
  readonly credit: bigint;
};
export type PlannedVoucher = TransactionCount & {
  readonly total: bigint;
  readonly lines: readonly PlannedLine[];
};

const voucherKey = ({ day, kind, currency }: Pick<EntrySum, 'day' | 'kind' | 'currency'>): string =>
  `${day} ${currency} ${kind}`;

/**
 * Creates the vouchers of a period: one for each day, currency and kind of transaction, in this order. Parts
 * without an account are omitted and returned as `unmapped`; the vouchers are then only a preview. Throws
 * when mapped vouchers do not balance, which is a bug.
 */
export function vouchersOf(
  sums: readonly EntrySum[],
  counts: readonly TransactionCount[],
  rules: readonly MappingRule[],
): { readonly vouchers: PlannedVoucher[]; readonly unmapped: AccountPart[] } {
  const unmapped = new Map<string, AccountPart>();
  const lines = new Map<string, Map<string, PlannedLine>>();
  for (const sum of sums) {
    const rule = ruleFor(rules, sum);
    if (!rule) {
      const { accountKind, currency, taxRate, serviceId } = sum;
      unmapped.set(`${accountKind} ${currency}`, { accountKind, currency, taxRate, serviceId });
      continue;
    }
    const own = lines.get(voucherKey(sum)) ?? new Map<string, PlannedLine>();
    lines.set(voucherKey(sum), own);
    for (const side of ['debit', 'credit'] as const) {
      const minor = sum[side];
      if (minor === 0n) continue;
      const { code, name, department, taxName, taxRate, serviceId } = rule;
      const key = JSON.stringify([code, name, department, taxName, sum.accountKind, side]);
      const before = own.get(key);
      // Parts with separate mappings to the same account share one line, which then belongs to no single rate
      // or service.
      const isSame = before === undefined || (before.taxRate === taxRate && before.serviceId === serviceId);
      own.set(key, {
        code,
        name,
        department,
        taxName,
        accountKind: sum.accountKind,
        taxRate: isSame ? taxRate : null,
        serviceId: isSame ? serviceId : null,
        service: isSame && serviceId !== null ? sum.service : null,
        debit: (before?.debit ?? 0n) + (side === 'debit' ? minor : 0n),
        credit: (before?.credit ?? 0n) + (side === 'credit' ? minor : 0n),
      });
    }
  }
  const vouchers = counts
    .toSorted((a, b) => (voucherKey(a) < voucherKey(b) ? -1 : 1))
    .map((count): PlannedVoucher => {
      const own = [...(lines.get(voucherKey(count))?.values() ?? [])].toSorted(inOrder);
      lines.delete(voucherKey(count));
      const [debit, credit] = [sumOf(own, 'debit'), sumOf(own, 'credit')];
      assert(unmapped.size > 0 || debit === credit, 'a voucher of balanced transactions balances');
      return { ...count, total: debit, lines: own };
    });
  assert(lines.size === 0, 'every line is in a voucher');
  return { vouchers, unmapped: [...unmapped.values()] };
}

const sumOf = (lines: readonly PlannedLine[], side: 'debit' | 'credit'): bigint =>
  lines.reduce((sum, line) => sum + line[side], 0n);
/** Debits first, then by number and department, as accountants order vouchers. */
function inOrder(a: PlannedLine, b: PlannedLine): number {
  const key = (line: PlannedLine) =>
    `${line.debit > 0n ? 0 : 1} ${line.code} ${line.department} ${line.accountKind} ${line.name} ${line.taxName}`;
  return key(a) < key(b) ? -1 : 1;
}

/** The number of a day's voucher, `count` from 1: `20261105001`. 鼎新 allows eleven characters. */
export const voucherNumber = (day: LocalDay, count: number): string =>
  `${day.replaceAll('-', '')}${String(count).padStart(3, '0')}`;

/** The time range of a day or a month in a time zone, with its first and last day. */
export function timeOf(
  period: LocalDay | BillingMonth,
  zone: string,
): { readonly time: Period; readonly first: LocalDay; readonly last: LocalDay } {
  if (isDay(period)) return { time: dayPeriod(period, zone), first: period, last: period };
  const first = `${period}-01`;
  const next = `${addMonths(period, 1)}-01`;
  assert(isDay(first) && isDay(next), 'a month begins with a day');
  return { time: monthPeriod(period, zone), first, last: addDays(next, -1) };
}

/**
 * Assigns vouchers to parts with at most this many lines, without splitting a voucher. Undefined when a
 * voucher has more lines than a part allows.
 */
export function partsOf(lineCounts: readonly number[], most: number): number[] | undefined {
  const parts: number[] = [];
  let [part, lines] = [1, 0];
  for (const count of lineCounts) {
    if (count > most) return undefined;
    if (lines + count > most) {
      part += 1;
      lines = 0;
    }
    lines += count;
    parts.push(part);
  }
  return parts;
}
