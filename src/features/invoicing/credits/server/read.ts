// The history of bills, for members and for Admins, and the remarks on them.
import type { In, Out } from '#kernel/contract.ts';
import type { Page } from '#kernel/shape.ts';
import { person, tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { BillHistory, BillNote, CreditNote, credits } from '../contract.ts';
import { creditableLines, findBill, standingOf, publishBills } from './standing.ts';
import { historyOf, insertBillNote, pageOfCreditNotes } from './store.ts';

/**
 * Returns the history of one of the caller's organization's bills, without internal remarks and Admins'
 * names.
 */
export async function billHistory(ctx: Ctx, input: In<typeof credits.billHistory>): Promise<BillHistory> {
  const history = await historyOf(ctx, await findBill(ctx, input.billId, tenant(ctx)));
  return {
    ...history,
    void: history.void && { ...history.void, by: null },
    notes: history.notes
      .filter((note) => note.visibleTo === 'customer')
      .map((note) => ({ ...note, by: null })),
  };
}

export async function adminBillHistory(
  ctx: Ctx,
  input: In<typeof credits.adminBillHistory>,
): Promise<Out<typeof credits.adminBillHistory>> {
  const bill = await findBill(ctx, input.billId, null);
  return { ...(await historyOf(ctx, bill)), lines: creditableLines(await standingOf(ctx, bill)) };
}

export async function listCreditNotes(
  ctx: Ctx,
  input: In<typeof credits.listCreditNotes>,
): Promise<Page<CreditNote>> {
  return pageOfCreditNotes(ctx, tenant(ctx), input);
}

export async function adminListCreditNotes(
  ctx: Ctx,
  input: In<typeof credits.adminListCreditNotes>,
): Promise<Page<CreditNote>> {
  const { organizationId, ...filter } = input;
  return pageOfCreditNotes(ctx, organizationId ?? null, filter);
}

/** Adds a remark to a bill; remarks are never changed or removed. */
export async function addBillNote(ctx: Ctx, input: In<typeof credits.addBillNote>): Promise<BillNote> {
  const bill = await findBill(ctx, input.billId, null);
  const { userId, name } = person(ctx);
  const id = await insertBillNote(ctx, {
    billId: bill.id,
    body: input.body,
    visibleTo: input.visibleTo,
    writtenBy: userId,
    writerName: name,
  });
  ctx.audit('credits.addBillNote', bill.id, { note: id, visibleTo: input.visibleTo });
  publishBills(ctx, bill.organizationId, 'note');
  return { id, body: input.body, visibleTo: input.visibleTo, writtenAt: ctx.now, by: name };
}
