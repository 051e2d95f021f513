// Previews an export, and proves that exported and waiting amounts equal the ledger's movement.
import type { In } from '#kernel/contract.ts';
import { money, type Currency } from '#kernel/money.ts';
import { byKey } from '#kernel/order.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { AccountKind } from '#features/invoicing/ledger/rules.ts';
import { sumsByKind } from '#features/reporting/books/server/index.ts';
import type { accounting, JournalPreview, LedgerProof } from '../contract.ts';
import { notInBig5 } from './big5.ts';
import {
  lineSummaryOf,
  planOf,
  shownOf,
  sumsOfAccounts,
  summaryOf,
  totalsOf,
  type JournalPlan,
} from './plan.ts';
import { exportedSums, exportsWithin } from './store-exports.ts';

const shownVouchers = 20;

/** Everything is read as of one moment, so that it adds up while bills are issued. */
export async function previewJournal(
  { app, actor, language, requestId }: Ctx,
  input: In<typeof accounting.previewJournal>,
): Promise<JournalPreview> {
  return unitOfWork(app, { actor, language, requestId, mode: 'snapshot' }, (unit) => preview(unit, input));
}

async function preview(ctx: Ctx, { period }: In<typeof accounting.previewJournal>): Promise<JournalPreview> {
  const plan = await planOf(ctx, period);
  const { vouchers } = plan;
  const accounts = sumsOfAccounts(
    vouchers.flatMap(({ currency, lines }) => lines.map((line) => ({ ...line, currency }))),
  );
  return {
    isOver: plan.isOver,
    ...(await exportsWithin(ctx, plan)),
    transactions: vouchers.reduce((sum, { count }) => sum + count, 0),
    unmapped: plan.unmapped.map(({ accountKind, currency, taxRate, serviceId, service }) => ({
      accountKind,
      currency,
      taxRate,
      service: serviceId === null ? null : { id: serviceId, name: service ?? serviceId },
    })),
    totals: totalsOf(accounts),
    accounts,
    vouchers: vouchers.length,
    lines: vouchers.reduce((sum, { lines }) => sum + lines.length, 0),
    shown: shownOf(ctx, vouchers.slice(0, shownVouchers)),
    notInBig5: notInBig5(textsOf(ctx, plan)),
    proof: await proofOf(ctx, plan),
  };
}

/** All texts that the files of a plan contain. */
function* textsOf(ctx: Ctx, { vouchers }: JournalPlan): Iterable<string> {
  for (const voucher of vouchers) {
    yield summaryOf(ctx, voucher);
    for (const line of voucher.lines) {
      yield line.code;
      yield line.name;
      yield line.department;
      yield lineSummaryOf(ctx, voucher, line);
    }
  }
}

/**
 * Compares, by ledger account and currency, the vouchers of the period's days (exported or waiting) with the
 * movement of the ledger's balances. Waiting amounts without an account are in no voucher, so they show as a
 * difference.
 */
async function proofOf(ctx: Ctx, plan: JournalPlan): Promise<LedgerProof[]> {
  const key = (kind: AccountKind, currency: Currency) => `${currency} ${kind}`;
  const proof = new Map<
    string,
    { kind: AccountKind; currency: Currency; exported: bigint; waiting: bigint; ledger: bigint }
  >();
  const at = (kind: AccountKind, currency: Currency) => {
    const found = proof.get(key(kind, currency)) ?? { kind, currency, exported: 0n, waiting: 0n, ledger: 0n };
    proof.set(key(kind, currency), found);
    return found;
  };
  for (const { kind, currency, minor } of await exportedSums(ctx, plan.first, plan.last))
    at(kind, currency).exported += minor;
  for (const { currency, lines } of plan.vouchers)
    for (const line of lines) at(line.accountKind, currency).waiting += line.debit - line.credit;
  for (const [place, sign] of [
    [plan.scope.until, 1n],
    [plan.scope.from, -1n],
  ] as const)
    for (const { kind, currency, debit, credit } of await sumsByKind(ctx, place))
      at(kind, currency).ledger += sign * ((debit?.minor ?? 0n) - (credit?.minor ?? 0n));
  return [...proof.entries()]
    .filter(([, { exported, waiting, ledger }]) => exported !== 0n || waiting !== 0n || ledger !== 0n)
    .toSorted(byKey)
    .map(([, { kind, currency, exported, waiting, ledger }]) => ({
      accountKind: kind,
      exported: money(exported, currency),
      waiting: money(waiting, currency),
      ledger: money(ledger, currency),
      isEqual: exported + waiting === ledger,
    }));
}
