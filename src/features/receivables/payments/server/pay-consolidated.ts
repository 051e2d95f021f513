// Pays a consolidated bill: all of its bills at once, or none.
import { contentLanguageOf } from '#kernel/language.ts';
import type { In, Out } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { isId, type Id } from '#kernel/ids.ts';
import { sumMoney } from '#kernel/money.ts';
import { domainError } from '#kernel/errors.ts';
import { oncePerKey } from '#platform/server/http/idempotency.ts';
import { person, tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Reply } from '#platform/server/unit-of-work/feature.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { billingErrors } from '#features/invoicing/billing/contract.ts';
import { consolidatedById, lockConsolidated } from '#features/invoicing/billing/server/index.ts';
import { isProvider } from '#features/receivables/gateways/contract.ts';
import { paymentsErrors, type payments } from '../contract.ts';
import { payMistake } from '../rules.ts';
import { bankAccountOf } from './bank.ts';
import { assertNotPaidTwice, createBankTransfer, open, proceed } from './intents.ts';
import { payParts } from './pay-parts.ts';
import { spendableBalance } from './spendable.ts';
import { shownToPayer } from './store.ts';

type Answer = Out<typeof payments.payConsolidatedBill>;

/**
 * Pays what is due by now on a consolidated bill's bills; from the balance, all of them in one transaction.
 */
export async function payConsolidatedBill(
  ctx: Ctx,
  input: In<typeof payments.payConsolidatedBill>,
  reply: Reply,
): Promise<Answer> {
  const unitFor = { actor: ctx.actor, language: ctx.language, requestId: ctx.requestId };
  // The result stored for the idempotency key: the payment that waits for its money, or else the paid bill.
  const made = await unitOfWork(ctx.app, unitFor, async (unit) => {
    const id = await oncePerKey(unit, reply.once, () => start(unit, input));
    unit.audit('payments.payConsolidatedBill', id);
    return id;
  });
  const payment = isId('pay', made) ? shownToPayer(await proceed(ctx.app, made)) : null;
  return unitOfWork(ctx.app, { ...unitFor, mode: 'read' }, async (unit) => ({
    bill: required(
      await consolidatedById(unit, input.consolidatedId, tenant(unit)),
      'the bill that was just paid',
    ),
    payment,
  }));
}

async function start(
  ctx: Ctx,
  { consolidatedId, method }: In<typeof payments.payConsolidatedBill>,
): Promise<Id<'pay'> | Id<'cbl'>> {
  const organizationId = tenant(ctx);
  const bill = await consolidatedById(ctx, consolidatedId, organizationId);
  if (!bill) throw domainError(billingErrors, 'billing.consolidated_not_found');
  const parts = await lockConsolidated(ctx, consolidatedId);
  if (parts.length === 0) throw domainError(billingErrors, 'billing.already_paid');
  const amount = sumMoney(
    parts.map(({ due }) => due),
    bill.currency,
  );
  // Also if money for all of them is already in transit.
  for (const part of parts) await assertNotPaidTwice(ctx, part, part.due);
  const wanted = { billId: null, consolidatedId, amount, note: '' };
  if (isProvider(method)) return open(ctx, { ...wanted, method });
  if (method === 'bank_transfer') {
    if (!(await bankAccountOf(ctx))) throw domainError(paymentsErrors, 'payments.method_not_offered');
    return createBankTransfer(ctx, { ...wanted, method });
  }
  const mistake = payMistake(amount, amount, await spendableBalance(ctx, organizationId, bill.currency));
  if (mistake) throw domainError(paymentsErrors, mistake);
  await payParts(ctx, consolidatedId, parts, {
    limit: amount,
    by: person(ctx).userId,
    language: contentLanguageOf(ctx.language),
  });
  return consolidatedId;
}
