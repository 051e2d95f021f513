// From which amounts of unbilled usage interim bills are issued, as an Admin sets it.
import type { In, Out } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import { moneyText } from '#kernel/money.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { organizationById } from '#features/access/identity/server/index.ts';
import { billingErrors, type billing } from '../contract.ts';
import type { InterimThreshold } from '../contract-interim.ts';
import { deleteThreshold, pageOfThresholds, storeThreshold } from './store-interims.ts';

export async function listInterimThresholds(
  ctx: Ctx,
  input: In<typeof billing.listInterimThresholds>,
): Promise<Out<typeof billing.listInterimThresholds>> {
  return pageOfThresholds(ctx, input);
}

/** Sets an amount for all organizations or for one; from the next recorded usage on it is compared with it. */
export async function setInterimThreshold(
  ctx: Ctx,
  { organizationId, currency, amount }: In<typeof billing.setInterimThreshold>,
): Promise<InterimThreshold> {
  if (organizationId !== null && !(await organizationById(ctx.db, organizationId)))
    throw domainError(billingErrors, 'billing.organization_not_found', {}, ['organizationId']);
  if (organizationId === null && amount === null)
    throw domainError(billingErrors, 'billing.threshold_needs_amount', {}, ['amount']);
  if (amount && amount.currency !== currency)
    throw domainError(billingErrors, 'billing.threshold_other_currency', { currency }, ['amount']);
  if (amount && amount.minor <= 0n)
    throw domainError(billingErrors, 'billing.threshold_not_positive', {}, ['amount']);
  const stored = required(
    await storeThreshold(ctx, {
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
  const removed = await deleteThreshold(ctx, thresholdId);
  if (!removed) throw domainError(billingErrors, 'billing.threshold_not_found');
  ctx.audit('billing.removeInterimThreshold', thresholdId, removed);
  ctx.publish('system/billing', { kind: 'thresholds' });
  return null;
}
