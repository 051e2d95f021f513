// Books rows exactly once through the payments feature's public API, in one transaction with the row's state.
import type { In, Out } from '#kernel/contract.ts';
import { money } from '#kernel/money.ts';
import { DomainError, domainError } from '#kernel/errors.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Reply } from '#platform/server/unit-of-work/feature.ts';
import { oncePerKey } from '#platform/server/http/idempotency.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { takeBack, bookReceived } from '#features/receivables/payments/server/index.ts';
import { bankingErrors, type banking, type BankRow } from '../contract.ts';
import { payerKeys } from '../rules-match.ts';
import { shownRow } from './read.ts';
import { decideRow, rowById, rowsByIds, type StoredRow } from './store.ts';
import { applicationsOf, insertApplication, markUndone, unseenRefund } from './store-apply.ts';
import { forgetPayer, rememberPayer } from './store-match.ts';

type Parts = In<typeof banking.applyRow>['parts'];

async function lockedRow(ctx: Ctx, rowId: string): Promise<StoredRow> {
  const row = await rowById(ctx, rowId, true);
  if (!row) throw domainError(bankingErrors, 'banking.row_not_found');
  return row;
}

/** An undecided row, locked until the transaction ends. */
async function waitingRow(ctx: Ctx, rowId: string): Promise<StoredRow> {
  const row = await lockedRow(ctx, rowId);
  if (row.state === 'applied') throw domainError(bankingErrors, 'banking.row_applied');
  if (row.state === 'ignored') throw domainError(bankingErrors, 'banking.row_ignored');
  return row;
}

const payerOf = (row: StoredRow): string[] =>
  payerKeys({ payerName: row.payerName, payerAccount: row.payerAccount });

async function book(ctx: Ctx, row: StoredRow, parts: Parts): Promise<void> {
  const { minor, currency } = row.amount;
  const isRight = parts.every(
    (part) =>
      part.amount.currency === currency && part.amount.minor !== 0n && part.amount.minor > 0n === minor > 0n,
  );
  if (!isRight || parts.reduce((sum, part) => sum + part.amount.minor, 0n) !== minor)
    throw domainError(bankingErrors, 'banking.parts_differ');
  if (parts.some((part) => (part.kind === 'refund') !== minor < 0n))
    throw domainError(bankingErrors, 'banking.part_wrong_way');
  const { userId } = person(ctx);
  const organizations = new Set<string>();
  for (const [index, part] of parts.entries()) {
    const id = ctx.newId('bka');
    const made = {
      id,
      rowId: row.id,
      part: index + 1,
      kind: part.kind,
      minor: part.amount.minor,
      by: userId,
    };
    if (part.kind === 'refund') {
      const refund = await unseenRefund(ctx, part.id);
      if (refund?.currency !== currency || refund.minor !== -part.amount.minor)
        throw domainError(bankingErrors, 'banking.target_gone');
      await insertApplication(ctx, {
        ...made,
        organizationId: refund.organizationId,
        paymentId: null,
        refundId: part.id,
      });
    } else {
      const { paymentId, organizationId } = await bookReceived(
        ctx,
        { kind: part.kind, id: part.id },
        part.amount,
        id,
      );
      await insertApplication(ctx, { ...made, organizationId, paymentId, refundId: null });
      organizations.add(organizationId);
    }
  }
  await decideRow(ctx, row.id, 'applied', userId);
  // A payer who pays for several organizations is not remembered, because it does not predict the next
  // payment.
  const [only, ...others] = organizations;
  if (only !== undefined && others.length === 0) await rememberPayer(ctx, payerOf(row), only);
  ctx.publish('system/billing', { kind: 'bank' });
}

/** Books a row, whole or split. */
export async function applyRow(ctx: Ctx, input: In<typeof banking.applyRow>): Promise<BankRow> {
  await book(ctx, await waitingRow(ctx, input.rowId), input.parts);
  ctx.audit('banking.applyRow', input.rowId, { parts: input.parts.map(({ kind, id }) => `${kind} ${id}`) });
  return shownRow(ctx, input.rowId);
}

/**
 * Books all certain rows, each in its own transaction. A repeat with the same key continues where the first
 * call ended.
 */
export async function applyCertain(
  ctx: Ctx,
  input: In<typeof banking.applyCertain>,
  reply: Reply,
): Promise<Out<typeof banking.applyCertain>> {
  const { currency } = input.total;
  const rowIds = [...new Set(input.rowIds)];
  const unit = { actor: ctx.actor, language: ctx.language, requestId: ctx.requestId };
  let isFirst = false;
  await unitOfWork(ctx.app, unit, (first) =>
    oncePerKey(first, reply.once, async () => {
      isFirst = true;
      const rows = await rowsByIds(first, rowIds);
      const isSame =
        rows.length === rowIds.length &&
        rows.every(
          (row) => row.state === 'matched' && row.certainty === 'certain' && row.amount.currency === currency,
        ) &&
        rows.reduce((sum, row) => sum + row.amount.minor, 0n) === input.total.minor;
      if (!isSame) throw domainError(bankingErrors, 'banking.batch_changed');
      return 'begun';
    }),
  );
  const done = { applied: 0, minor: 0n, leftOut: 0 };
  for (const rowId of rowIds) {
    const minor = await unitOfWork(ctx.app, unit, (each) => applyOne(each, rowId, isFirst)).catch(
      (error: unknown) => {
        // The row changed in the meantime: it stays open for an Admin, and the others are booked.
        if (error instanceof DomainError) return null;
        throw error;
      },
    );
    if (minor === null) done.leftOut++;
    else {
      done.applied++;
      done.minor += minor;
    }
  }
  return { applied: done.applied, amount: money(done.minor, currency), leftOut: done.leftOut };
}

async function applyOne(ctx: Ctx, rowId: string, isFirst: boolean): Promise<bigint | null> {
  const row = await lockedRow(ctx, rowId);
  // The first call with this key booked it, but its response was lost.
  if (!isFirst && row.state === 'applied') return row.amount.minor;
  if (
    row.state !== 'matched' ||
    row.certainty !== 'certain' ||
    row.targetKind === null ||
    row.targetId === null
  )
    return null;
  await book(ctx, row, [{ kind: row.targetKind, id: row.targetId, amount: row.amount }]);
  ctx.audit('banking.applyCertain', rowId, { target: `${row.targetKind} ${row.targetId}` });
  return row.amount.minor;
}

export async function ignoreRow(ctx: Ctx, input: In<typeof banking.ignoreRow>): Promise<BankRow> {
  const row = await waitingRow(ctx, input.rowId);
  await decideRow(ctx, row.id, 'ignored', person(ctx).userId, input.reason);
  ctx.audit('banking.ignoreRow', row.id, { reason: input.reason });
  ctx.publish('system/billing', { kind: 'bank' });
  return shownRow(ctx, row.id);
}

export async function reopenRow(ctx: Ctx, input: In<typeof banking.reopenRow>): Promise<BankRow> {
  const row = await lockedRow(ctx, input.rowId);
  if (row.state !== 'ignored') throw domainError(bankingErrors, 'banking.row_not_ignored');
  await decideRow(ctx, row.id, 'open', person(ctx).userId);
  ctx.publish('system/billing', { kind: 'bank' });
  return shownRow(ctx, row.id);
}

/** Undoes a row's booking completely or not at all; a refund is only detached from the row. */
export async function undoRow(ctx: Ctx, input: In<typeof banking.undoRow>): Promise<BankRow> {
  const row = await lockedRow(ctx, input.rowId);
  if (row.state !== 'applied') throw domainError(bankingErrors, 'banking.row_not_applied');
  const applied = await applicationsOf(ctx, [row.id]);
  for (const { paymentId } of applied) if (paymentId !== null) await takeBack(ctx, paymentId, input.reason);
  await markUndone(ctx, row.id, person(ctx).userId, input.reason);
  await forgetPayer(
    ctx,
    payerOf(row),
    applied.map((each) => each.organizationId),
  );
  await decideRow(ctx, row.id, 'open', person(ctx).userId);
  ctx.audit('banking.undoRow', row.id, { reason: input.reason });
  ctx.publish('system/billing', { kind: 'bank' });
  return shownRow(ctx, row.id);
}
