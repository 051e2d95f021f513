// Queries of rows and the overview.
import type { In } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { money, type Currency } from '#kernel/money.ts';
import { domainError } from '#kernel/errors.ts';
import type { Page } from '#kernel/shape.ts';
import { dayMs } from '#kernel/durations.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { bankingErrors, type banking, type BankLine, type BankOverview, type BankRow } from '../contract.ts';
import { pageOfRows, rowById, type StoredRow } from './store.ts';
import { applicationsOf } from './store-apply.ts';
import { targetsOf } from './store-match.ts';
import {
  knownAccounts,
  bankMovements,
  closingBalances,
  lateTransfers,
  waitingRows,
  type Movement,
} from './store-overview.ts';

const lateAfterDays = 7;

async function shownRows(ctx: Ctx, rows: readonly StoredRow[]): Promise<BankRow[]> {
  const targets = await targetsOf(
    ctx,
    rows.flatMap(({ targetKind, targetId }) =>
      targetKind === null || targetId === null ? [] : [{ kind: targetKind, id: targetId }],
    ),
  );
  const applied = Map.groupBy(
    await applicationsOf(
      ctx,
      rows.map((row) => row.id),
    ),
    (each) => each.rowId,
  );
  return rows.map(({ targetKind, targetId, ...row }) => ({
    ...row,
    target: targets.get(`${targetKind} ${targetId}`) ?? null,
    applied: (applied.get(row.id) ?? []).map(
      ({ rowId: _row, organizationId: _organization, ...each }) => each,
    ),
  }));
}

/** One row for an Admin. */
export async function shownRow(ctx: Ctx, rowId: string): Promise<BankRow> {
  const row = await rowById(ctx, rowId);
  if (!row) throw domainError(bankingErrors, 'banking.row_not_found');
  return required((await shownRows(ctx, [row]))[0], 'the row');
}

export async function getRow(ctx: Ctx, input: In<typeof banking.getRow>): Promise<BankRow> {
  return shownRow(ctx, input.rowId);
}

export async function listRows(ctx: Ctx, input: In<typeof banking.listRows>): Promise<Page<BankRow>> {
  const page = await pageOfRows(ctx, input);
  return { ...page, items: await shownRows(ctx, page.items) };
}

export async function bankOverview(ctx: Ctx, input: In<typeof banking.bankOverview>): Promise<BankOverview> {
  const before = new Date(ctx.now.getTime() - (input.days ?? lateAfterDays) * dayMs);
  const [late, waiting, movements, closings, accounts] = await Promise.all([
    lateTransfers(ctx, before),
    waitingRows(ctx),
    bankMovements(ctx),
    closingBalances(ctx),
    knownAccounts(ctx),
  ]);
  return {
    asOf: ctx.now,
    late,
    ...waiting,
    lines: movements.map((each) => lineOf(each, closings)),
    accounts,
  };
}

type Closings = Awaited<ReturnType<typeof closingBalances>>;

/**
 * Explains the statement's movement: the ledger's movement plus open and ignored rows, minus bookings on no
 * statement; the rest is unexplained.
 */
function lineOf(movement: Movement, closings: Closings): BankLine {
  const { currency, statement, booked, open, ignored, byHand, refundsUnseen } = movement;
  const amount = (minor: bigint): ReturnType<typeof money> => money(minor, currency satisfies Currency);
  return {
    currency,
    statement: amount(statement),
    booked: amount(booked),
    open: amount(open),
    ignored: amount(ignored),
    notOnStatement: amount(byHand),
    refundsNotOnStatement: amount(-refundsUnseen),
    difference: amount(statement - (booked + open + ignored - byHand + refundsUnseen)),
    closings: closings.filter((each) => each.balance.currency === currency),
  };
}
