// Subscriptions that require prepaid credit cannot have a payer of their own: the credit belongs to the
// organization; it would keep the service metered but never be used for it.
import type { Id } from '#kernel/ids.ts';
import { domainError } from '#kernel/errors.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { payersErrors } from '../contract.ts';
import {
  paidSubscriptionOfService,
  payerOfSubscriptionSince,
  requiresCredit,
} from './store-subscriptions.ts';

/** Prevents a service from requiring prepaid credit while others pay for subscriptions to it. */
export async function refuseWherePaid(
  ctx: Ctx,
  { serviceId, isRequired }: { readonly serviceId: Id<'svc'>; readonly isRequired: boolean },
): Promise<void> {
  const paid = isRequired ? await paidSubscriptionOfService(ctx, serviceId) : undefined;
  if (paid) throw domainError(payersErrors, 'payers.service_paid', { ...paid }, ['requiresPrepaidCredit']);
}

/**
 * Prevents a subscription from moving, at a given time, to a service that requires prepaid credit while
 * another organization pays for it then or later.
 */
export async function refusePaidPlan(
  ctx: Ctx,
  {
    subscriptionId,
    serviceId,
    at,
  }: { readonly subscriptionId: Id<'sub'>; readonly serviceId: Id<'svc'>; readonly at: Date },
): Promise<void> {
  const paid = await payerOfSubscriptionSince(ctx, subscriptionId, at);
  if (paid && (await requiresCredit(ctx, serviceId)))
    throw domainError(payersErrors, 'payers.plan_needs_credit', { payer: paid.payer }, ['serviceId']);
}
