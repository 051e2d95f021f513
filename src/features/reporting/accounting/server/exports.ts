// Exports of a day or a month: created once, immutable, withdrawn with a reason.
import { createHash } from 'node:crypto';
import type { In, Out } from '#kernel/contract.ts';
import { assert, required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { oncePerKey } from '#platform/server/http/idempotency.ts';
import type { Reply } from '#platform/server/unit-of-work/feature.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { accountingErrors, type accounting, type JournalExport } from '../contract.ts';
import { partsOf, voucherNumber } from '../rules.ts';
import { xeroLines } from '../rules-files.ts';
import { notInBig5 } from './big5.ts';
import { accountingSettings } from './mappings.ts';
import { lineSummaryOf, planOf, summaryOf, sumsOfAccounts, totalsOf, type JournalPlan } from './plan.ts';
import {
  accountsOf,
  amountsOf,
  exportById,
  filesOf,
  beginExport,
  insertExport,
  lineCounts,
  linesAfter,
  lockExports,
  markWithdrawn,
  pageOfExports,
  takenNumbers,
  textsOfExport,
  vouchersFrom,
  type StoredLine,
  type StoredVoucher,
} from './store-exports.ts';

const shownVouchers = 20;
const shownFiles = 50;
/** More than the lines of this many vouchers. */
const shownLines = 2000;

/** The names of parts without an account, for the error message. */
function namesOf(ctx: Ctx, { unmapped }: JournalPlan): string {
  // used as: 'books.account_*'
  const names = unmapped.map(
    ({ accountKind, currency }) => `${ctx.text(`books.account_${accountKind}`)} ${currency}`,
  );
  return [...new Set(names)].join(' · ');
}

/** Numbers the vouchers: each continues after the last number of its day, in whatever export. */
function numbered(
  ctx: Ctx,
  { vouchers }: JournalPlan,
  ofDay: ReadonlyMap<LocalDay, number>,
): { vouchers: StoredVoucher[]; lines: StoredLine[] } {
  const counts = new Map(ofDay);
  return {
    vouchers: vouchers.map((voucher, index) => {
      const count = (counts.get(voucher.day) ?? 0) + 1;
      counts.set(voucher.day, count);
      const { day, kind, currency, total } = voucher;
      return {
        position: index + 1,
        number: voucherNumber(day, count),
        day,
        kind,
        currency,
        summary: summaryOf(ctx, voucher),
        transactions: voucher.count,
        total,
      };
    }),
    lines: vouchers.flatMap((voucher, index) =>
      voucher.lines.map((planned, place) => {
        const { service: _service, ...line } = planned;
        return {
          ...line,
          voucher: index + 1,
          position: place + 1,
          summary: lineSummaryOf(ctx, voucher, planned),
        };
      }),
    ),
  };
}

/**
 * Exports the transactions of a day or a month that no export contains yet.
 * @throws DomainError when the period has not ended, nothing waits, or something has no account
 */
export async function makeJournal(
  { app, actor, language, requestId }: Ctx,
  { period }: In<typeof accounting.makeJournal>,
  { once }: Reply,
): Promise<JournalExport> {
  const id = await unitOfWork(app, { actor, language, requestId }, async (unit) => {
    await beginExport(unit);
    return oncePerKey(unit, once, () => make(unit, period));
  });
  return unitOfWork(
    app,
    { actor, mode: 'read' },
    async (unit) => required(await exportById(unit, id), 'the export that was made').journal,
  );
}

async function make(ctx: Ctx, period: LocalDay | BillingMonth): Promise<Id<'jex'>> {
  const plan = await planOf(ctx, period);
  if (!plan.isOver) throw domainError(accountingErrors, 'accounting.period_not_over', {}, ['period']);
  if (plan.unmapped.length > 0)
    throw domainError(accountingErrors, 'accounting.unmapped', { accounts: namesOf(ctx, plan) }, ['period']);
  if (plan.vouchers.length === 0)
    throw domainError(accountingErrors, 'accounting.nothing_to_export', {}, ['period']);
  const settings = await ctx.setting(accountingSettings);
  const { sequence, ofDay } = await takenNumbers(ctx, period, plan.first, plan.last);
  const { vouchers, lines } = numbered(ctx, plan, ofDay);
  const { userId, name } = person(ctx);
  const id = ctx.newId('jex');
  const transactions = await insertExport(
    ctx,
    {
      id,
      period,
      sequence,
      first: plan.first,
      last: plan.last,
      zone: plan.zone,
      settings,
      digest: digestOf([period, sequence, settings, vouchers, lines]),
      madeBy: userId,
      makerName: name,
      vouchers,
      lines,
    },
    plan.scope,
  );
  const counted = vouchers.reduce((sum, each) => sum + each.transactions, 0);
  assert(transactions === counted, 'an export has the transactions that its vouchers have');
  ctx.audit('accounting.makeJournal', id, { period, sequence, vouchers: vouchers.length, transactions });
  ctx.publish('system/billing', { kind: 'journal' });
  return id;
}

/** A digest of an export's content in canonical form. */
function digestOf(content: unknown): string {
  const text = JSON.stringify(content, (_key, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
  return createHash('sha256').update(text).digest('hex');
}

export async function listJournals(
  ctx: Ctx,
  input: In<typeof accounting.listJournals>,
): Promise<Out<typeof accounting.listJournals>> {
  return pageOfExports(ctx, input);
}

export async function getJournal(
  ctx: Ctx,
  { exportId }: In<typeof accounting.getJournal>,
): Promise<Out<typeof accounting.getJournal>> {
  const found = await exportById(ctx, exportId);
  if (!found) throw domainError(accountingErrors, 'accounting.not_found');
  const accounts = sumsOfAccounts(await accountsOf(ctx, exportId));
  const counts = await lineCounts(ctx, exportId);
  const vouchers = await vouchersFrom(ctx, exportId, shownVouchers);
  const last = vouchers.at(-1)?.position ?? 0;
  const everything = { currency: null, from: 1, to: last };
  const lines = await linesAfter(ctx, exportId, everything, { voucher: 0, position: 0 }, shownLines);
  const byVoucher = Map.groupBy(lines, ({ voucher }) => voucher);
  return {
    ...found.journal,
    totals: totalsOf(accounts),
    accounts,
    xeroParts: [...Map.groupBy(counts, ({ currency }) => currency)].map(([currency, own]) => ({
      currency,
      parts:
        partsOf(
          own.map((each) => each.lines),
          xeroLines,
        )?.at(-1) ?? 1,
    })),
    notInBig5: notInBig5(await textsOfExport(ctx, exportId)),
    shown: vouchers.map(({ position, total, ...voucher }) => ({
      ...voucher,
      total: { minor: total, currency: voucher.currency },
      lines: (byVoucher.get(position) ?? []).map((line) => {
        const { debit, credit } = amountsOf(line);
        return {
          accountKind: line.accountKind,
          code: line.code,
          name: line.name,
          department: line.department,
          taxName: line.taxName,
          summary: line.summary,
          debit: debit.minor > 0n ? debit : null,
          credit: credit.minor > 0n ? credit : null,
        };
      }),
    })),
    files: await filesOf(ctx, exportId, shownFiles),
  };
}

/** @throws DomainError when it does not exist or was already withdrawn */
export async function withdrawJournal(
  ctx: Ctx,
  { exportId, reason }: In<typeof accounting.withdrawJournal>,
): Promise<JournalExport> {
  await lockExports(ctx);
  if (!(await exportById(ctx, exportId))) throw domainError(accountingErrors, 'accounting.not_found');
  const { userId, name } = person(ctx);
  if (!(await markWithdrawn(ctx, exportId, { userId, name, reason })))
    throw domainError(accountingErrors, 'accounting.withdrawn_already');
  ctx.audit('accounting.withdrawJournal', exportId, { reason });
  ctx.publish('system/billing', { kind: 'journal' });
  return required(await exportById(ctx, exportId), 'the export').journal;
}
