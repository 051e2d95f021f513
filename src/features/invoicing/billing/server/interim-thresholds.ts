// The amounts of unbilled usage at which interim bills are issued, as set by an Admin.
import type { In, Out } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import { moneyText } from '#kernel/money.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { billingErrors, type billing } from '../contract.ts';
import type { InterimThreshold } from '../contract-interim.ts';
import { checkAmountToSet } from './checked-amount.ts';
import { thresholds } from './store-interims.ts';

export async function listInterimThresholds(
  ctx: Ctx,
  input: In<typeof billing.listInterimThresholds>,
): Promise<Out<typeof billing.listInterimThresholds>> {
  return thresholds.page(ctx, input);
}

/** Sets an amount for all organizations or for one; it applies from the next recorded usage on. */
export async function setInterimThreshold(
  ctx: Ctx,
  { organizationId, currency, amount }: In<typeof billing.setInterimThreshold>,
): Promise<InterimThreshold> {
  await checkAmountToSet(ctx, { organizationId, currency, amount }, billingErrors, {
    organization_not_found: 'billing.organization_not_found',
    needs_amount: 'billing.threshold_needs_amount',
    other_currency: 'billing.threshold_other_currency',
    not_positive: 'billing.threshold_not_positive',
  });
  const stored = required(
    await thresholds.store(ctx, {
      id: ctx.newId('itt'),
      organizationId,
      currency,
      amount,
      setBy: person(ctx).userId,
    }),
    'the threshold',
  );
  ctx.audit('billing.setInterimThreshold', stored.id, {
    organizationId,
    currency,
    amount: amount && moneyText(amount),
  });
  ctx.publish('system/billing', { kind: 'thresholds' });
  return stored;
}

export async function removeInterimThreshold(
  ctx: Ctx,
  { thresholdId }: In<typeof billing.removeInterimThreshold>,
): Promise<null> {
  const removed = await thresholds.remove(ctx, thresholdId);
  if (!removed) throw domainError(billingErrors, 'billing.threshold_not_found');
  ctx.audit('billing.removeInterimThreshold', thresholdId, removed);
  ctx.publish('system/billing', { kind: 'thresholds' });
  return null;
}
