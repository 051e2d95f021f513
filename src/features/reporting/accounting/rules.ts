// Rules of journals: which account of the accounting program an entry belongs to, and vouchers that balance. Amounts are minor units of the voucher's
// currency.
import { assert } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import type { Currency } from '#kernel/money.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { isDay } from '#kernel/shape.ts';
import { addDays, addMonths, dayPeriod, monthPeriod, type Period } from '#kernel/time.ts';
import type { transactionKinds } from '#features/invoicing/ledger/contract.ts';
import type { AccountKind } from '#features/invoicing/ledger/rules.ts';

export type TransactionKind = (typeof transactionKinds)[number];

/** A part of an account of the ledger: null stands for whatever is not split. */
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
/** What a part of an account is called in the accounting program; null: whatever it is. */
export type MappingRule = Target & {
  readonly accountKind: AccountKind;
  readonly currency: Currency | null;
  readonly taxRate: string | null;
  readonly serviceId: Id<'svc'> | null;
};

const fits = (rule: string | null, value: string | null): boolean => rule === null || rule === value;
/** A service or a tax rate says more than a currency. */
const exactness = (rule: MappingRule): number =>
  (rule.serviceId === null ? 0 : 4) + (rule.taxRate === null ? 0 : 2) + (rule.currency === null ? 0 : 1);

/** The most exact rule for a part of an account; undefined when none fits. */
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

/** What the ledger booked in a day by transactions of one kind on a part of an account, each side by itself. */
export type EntrySum = AccountPart & {
  readonly day: LocalDay;
  readonly kind: TransactionKind;
  readonly service: string | null;
  readonly debit: bigint;
  readonly credit: bigint;
};
/** How many transactions of a kind and currency a day has. */
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
  /** The service's name where the line is one service's. */
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
 * Vouchers of a period: one for each day, currency and kind of transaction, in this order. What has no account is left out of them and answered as
 * `unmapped`; then the vouchers are only good to look at. Throws when mapped vouchers do not balance, which is a bug.
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
      // Parts that are mapped by themselves but called the same are one line, which then is no single rate's or service's.
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
/** Debits first, then by number and department, as accountants write vouchers. */
function inOrder(a: PlannedLine, b: PlannedLine): number {
  const key = (line: PlannedLine) =>
    `${line.debit > 0n ? 0 : 1} ${line.code} ${line.department} ${line.accountKind} ${line.name} ${line.taxName}`;
  return key(a) < key(b) ? -1 : 1;
}

/** The number of a day's voucher, `count` from 1: `20261105001`. 鼎新 has eleven places for it. */
export const voucherNumber = (day: LocalDay, count: number): string =>
  `${day.replaceAll('-', '')}${String(count).padStart(3, '0')}`;

/** The time of a day or a month in a zone, with its first and last day. */
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

/** Which voucher is in which part of so many lines: a voucher is never torn. Undefined: one has more lines than a part may have. */
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
