// Waives a late fee with a reason: withdrawn while it is unbilled, credited once it is billed. A waived fee
// counts as charged, so that it is not charged again.
import type { In } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import { money, moneyText } from '#kernel/money.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { billById } from '#features/invoicing/billing/server/index.ts';
import { creditTerm } from '#features/invoicing/credits/server/index.ts';
import { markCredited, takeBackLateFee } from '#features/invoicing/one-offs/server/index.ts';
import { lateFeesErrors, type BillLateFees, type lateFees } from '../contract.ts';
import { notifyWaived, publishLateFees } from './notices.ts';
import { shownFees } from './read.ts';
import { lockFee, storeWaiver } from './store.ts';

export async function waiveLateFee(
  ctx: Ctx,
  { lateFeeId, reason }: In<typeof lateFees.waiveLateFee>,
): Promise<BillLateFees> {
  const fee = await lockFee(ctx, lateFeeId);
  if (!fee) throw domainError(lateFeesErrors, 'latefees.not_found');
  if (fee.creditNoteId !== null || fee.oneOffState === 'withdrawn')
    throw domainError(lateFeesErrors, 'latefees.waived_already');
  const { number } = required(await billById(ctx, fee.billId, null), 'the bill of a late fee');
  if (await takeBackLateFee(ctx, fee.oneOffId, person(ctx).userId, reason)) {
    await storeWaiver(ctx, fee.id, null, reason);
    await notifyWaived(ctx, {
      id: fee.id,
      organizationId: fee.organizationId,
      number,
      amount: money(fee.minor, fee.currency),
    });
  } else {
    // Read again: the close of a month may have billed it while this waited.
    const { onBillId } = required(await lockFee(ctx, fee.id), 'a late fee');
    const note = await creditTerm(
      ctx,
      required(onBillId, 'the bill that has the late fee'),
      fee.oneOffId,
      reason,
    );
    await markCredited(ctx, fee.oneOffId, reason);
    await storeWaiver(ctx, fee.id, note.id, reason);
  }
  ctx.audit('latefees.waiveLateFee', fee.id, {
    organizationId: fee.organizationId,
    bill: number,
    amount: moneyText(money(fee.minor, fee.currency)),
    currency: fee.currency,
    reason,
  });
  publishLateFees(ctx, fee.organizationId);
  return shownFees(ctx, fee.billId, null);
}
