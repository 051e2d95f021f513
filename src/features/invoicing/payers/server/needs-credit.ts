// What needs prepaid credit has no payer of its own: credit stays with the organization, would keep the service metered, and never be used by it.
import type { Id } from '#kernel/ids.ts';
import { domainError } from '#kernel/errors.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { payersErrors } from '../contract.ts';
import {
  paidSubscriptionOfService,
  payerOfSubscriptionSince,
  requiresCredit,
} from './store-subscriptions.ts';

/** A service begins to require prepaid credit: refused while others pay for subscriptions of it. */
export async function refuseWherePaid(
  ctx: Ctx,
  { serviceId, isRequired }: { readonly serviceId: Id<'svc'>; readonly isRequired: boolean },
): Promise<void> {
  const paid = isRequired ? await paidSubscriptionOfService(ctx, serviceId) : undefined;
  if (paid) throw domainError(payersErrors, 'payers.service_paid', { ...paid }, ['requiresPrepaidCredit']);
}

/** A subscription is to be of a service from a moment on: not of one that requires prepaid credit while another organization pays for it then or later. */
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
