// Voids a bill: its remaining amount is reversed and its number stays used. Also issues a new bill for its
// month.
import type { In } from '#kernel/contract.ts';
import { money, moneyText } from '#kernel/money.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { billingErrors, type Bill } from '#features/invoicing/billing/contract.ts';
import {
  billById,
  billLineOf,
  deductedBy,
  holdMonth,
  issueAgain,
  markVoid,
  planReissue,
  prepaidUsed,
  releaseTerms,
} from '#features/invoicing/billing/server/index.ts';
import { accountsOf, append, lockBalance } from '#features/invoicing/ledger/server/index.ts';
import { postToOrganizations } from '#features/messaging/notifications/server/index.ts';
import { creditsErrors, type CreditPreview, type credits, type ReissuePreview } from '../contract.ts';
import { takeRest } from '../rules.ts';
import {
  balanceCredited,
  entriesOf,
  findBill,
  previewOf,
  standingOf,
  takingOf,
  publishBills,
  takeDeferred,
  type CreditableBill,
  type CreditSums,
} from './standing.ts';
import { insertReplacement, insertVoid, replacementOf } from './store.ts';

async function shown(ctx: Ctx, billId: string): Promise<Bill> {
  const { buyer: _buyer, ...bill } = required(await billById(ctx, billId, null), 'the bill');
  return bill;
}

/** Previews what voiding a bill would do. */
export async function previewVoid(ctx: Ctx, input: In<typeof credits.previewVoid>): Promise<CreditPreview> {
  const bill = await findBill(ctx, input.billId, null);
  if (bill.state === 'void') throw domainError(billingErrors, 'billing.bill_void');
  return voidPreview(ctx, await standingOf(ctx, bill));
}

/** Previews a void; throws in the same cases as voiding. */
async function voidPreview(ctx: Ctx, standing: CreditableBill): Promise<CreditPreview> {
  const { bill } = standing;
  await refuseDeducted(ctx, bill);
  const voiding = await voidingOf(ctx, standing);
  assertCovered(
    voiding,
    (await accountsOf(ctx, bill.organizationId)).find(
      ({ kind, amount }) => kind === 'balance' && amount.currency === bill.currency,
    )?.amount,
  );
  return previewOf(standing, voiding, money(0n, bill.currency));
}

/**
 * A bill with a negative total credited the balance: what was spent of it since cannot be taken back. Without
 * a balance account, nothing is prepaid.
 */
function assertCovered({ toBalance }: CreditSums, balance = money(0n, toBalance.currency)): void {
  if (toBalance.minor < 0n && balance.minor + toBalance.minor < 0n)
    throw domainError(creditsErrors, 'credits.balance_too_low');
}

/**
 * What voiding takes: the entire remainder of the lines and everything they defer, even if a refund line took
 * more of the deferred amount than it refunded. What prepaid credit paid returns to it, but at most what
 * credit notes have left of the payment.
 */
async function voidingOf(ctx: Ctx, standing: CreditableBill): Promise<CreditSums> {
  const taken = takeRest(standing.lines);
  const { toBalance } = takingOf(standing, taken);
  const used = await prepaidUsed(ctx, standing.bill);
  const left = toBalance.minor > 0n ? toBalance.minor : 0n;
  const { discount, promotional, promotionalOfTrueUps } = standing;
  const undone = {
    discount,
    promotional,
    promotionalOfTrueUps,
    toPrepaid: used.minor < left ? used.minor : left,
  };
  return { ...takingOf(standing, taken, undone), deferred: standing.deferred };
}

/** Reverses the remaining amount of a bill. */
export async function voidBill(ctx: Ctx, input: In<typeof credits.voidBill>): Promise<Bill> {
  const bill = await findBill(ctx, input.billId, null, true);
  if (bill.state === 'void') throw domainError(billingErrors, 'billing.bill_void');
  await voidWithin(ctx, await standingOf(ctx, bill, { lock: true }), input.reason);
  return shown(ctx, bill.id);
}

/**
 * An interim bill that the month's bill deducts must be voided after that one; otherwise no bill would charge
 * its usage.
 */
async function refuseDeducted(ctx: Ctx, bill: Bill): Promise<void> {
  if (bill.kind !== 'interim') return;
  const number = await deductedBy(ctx, bill);
  if (number !== undefined) throw domainError(billingErrors, 'billing.interim_deducted', { number });
}

/** Voids a bill in this transaction; the caller must hold its lock. */
async function voidWithin(ctx: Ctx, standing: CreditableBill, reason: string): Promise<void> {
  const { bill } = standing;
  const { organizationId, currency } = bill;
  await refuseDeducted(ctx, bill);
  const taking = await voidingOf(ctx, standing);
  const { toBalance, toPrepaid } = taking;
  // Marked before the ledger's accounts are locked, in the same order as in a close, to avoid deadlocks.
  await markVoid(ctx, bill.id);
  await releaseTerms(ctx, bill.id, toPrepaid);
  assertCovered(taking, await lockBalance(ctx, organizationId, currency));
  const { userId, name } = person(ctx);
  await insertVoid(ctx, {
    billId: bill.id,
    organizationId,
    currency,
    voidedBy: userId,
    voiderName: name,
    reason,
    netMinor: taking.net.minor,
    taxMinor: taking.tax.minor,
    toDueMinor: taking.toDue.minor,
    toBalanceMinor: toBalance.minor,
    toPrepaidMinor: toPrepaid.minor,
  });
  await takeDeferred(ctx, standing, taking, 'void');
  await append(ctx, [{ kind: 'void', reference: bill.id, entries: entriesOf(standing, taking) }]);
  if (toBalance.minor > 0n) await ctx.emit(balanceCredited, { organizationId });
  ctx.audit('credits.voidBill', bill.id, {
    number: bill.number,
    reason,
    total: moneyText(taking.total),
    currency,
  });
  publishBills(ctx, organizationId, 'void');
  await postToOrganizations(ctx, [
    {
      organizationId,
      notice: {
        kind: 'bill.void',
        type: 'payment',
        category: 'billing',
        subject: bill.id,
        period: bill.month,
        textKey: 'credits.notice_void',
        params: { number: bill.number, reason },
        link: `/billing/management?month=${bill.month}`,
      },
    },
  ]);
}

/**
 * Previews the bill that the month would get now, and the effect of voiding the old bill first if it is not
 * void.
 */
export async function previewReissue(
  ctx: Ctx,
  input: In<typeof credits.previewReissue>,
): Promise<ReissuePreview> {
  const bill = await findBill(ctx, input.billId, null);
  const voiding =
    bill.state === 'void' ? null : await voidPreview(ctx, await standingOf(ctx, bill, { isReplaced: true }));
  const plan = await planReissue(ctx, bill, voiding && voiding.toPrepaid);
  return {
    void: voiding,
    previousTotal: bill.total,
    bill: plan
      ? {
          currency: plan.currency,
          net: plan.net,
          taxRate: plan.taxRate,
          tax: plan.tax,
          total: plan.total,
          lines: plan.lines.map(billLineOf),
        }
      : null,
  };
}

/** Issues a new bill for a void bill's month. Safe to repeat: an existing replacement is returned. */
export async function reissueBill(ctx: Ctx, input: In<typeof credits.reissueBill>): Promise<Bill> {
  const bill = await findBill(ctx, input.billId, null, true);
  const replacement = await replacementOf(ctx, bill.id);
  if (replacement) return shown(ctx, replacement.id);
  if (bill.state !== 'void' && input.reason === undefined)
    throw domainError(creditsErrors, 'credits.not_void');
  await holdMonth(ctx, bill);
  if (input.reason !== undefined && bill.state !== 'void')
    await voidWithin(ctx, await standingOf(ctx, bill, { lock: true, isReplaced: true }), input.reason);
  const issued = await issueAgain(ctx, bill);
  if (!issued) throw domainError(creditsErrors, 'credits.nothing_to_issue');
  await insertReplacement(ctx, bill.id, issued.id);
  ctx.audit('credits.reissueBill', bill.id, { replacedBy: issued.id, number: issued.number });
  publishBills(ctx, bill.organizationId, 'reissued');
  return shown(ctx, issued.id);
}
