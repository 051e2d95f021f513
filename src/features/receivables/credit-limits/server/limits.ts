// Credit limits for Admins, and the amounts outstanding against them.
import type { In, Out } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { moneyText } from '#kernel/money.ts';
import { person, tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { organizationById } from '#features/access/identity/server/index.ts';
import { checkAmountToSet } from '#features/invoicing/billing/server/index.ts';
import { creditLimitsErrors, type CreditLimit, type creditLimits } from '../contract.ts';
import { noExposure, useOf } from '../rules.ts';
import { checkLimits } from './check.ts';
import { exposuresOf } from './exposure.ts';
import { limits } from './store.ts';

type Uses = Out<typeof creditLimits.creditLimit>;

async function usesOf(ctx: Ctx, organizationId: Id<'org'>): Promise<Uses> {
  const inForce = (await limits.inForce(ctx, [organizationId])).get(organizationId) ?? [];
  if (inForce.length === 0) return { items: [] };
  const exposures = (await exposuresOf(ctx, [organizationId])).get(organizationId);
  return {
    items: inForce.map(({ amount: limit, isOwn }) =>
      useOf(limit, isOwn, exposures?.get(limit.currency) ?? noExposure),
    ),
  };
}

export const creditLimit = (ctx: Ctx): Promise<Uses> => usesOf(ctx, tenant(ctx));

export async function adminCreditLimit(
  ctx: Ctx,
  { organizationId }: In<typeof creditLimits.adminCreditLimit>,
): Promise<Uses> {
  if (!(await organizationById(ctx.db, organizationId)))
    throw domainError(creditLimitsErrors, 'creditlimits.organization_not_found');
  return usesOf(ctx, organizationId);
}

export async function listCreditLimits(
  ctx: Ctx,
  input: In<typeof creditLimits.listCreditLimits>,
): Promise<Out<typeof creditLimits.listCreditLimits>> {
  return limits.page(ctx, input);
}

/**
 * Sets a limit for all organizations or for one; it applies at once, including to amounts already
 * outstanding.
 */
export async function setCreditLimit(
  ctx: Ctx,
  { organizationId, currency, amount }: In<typeof creditLimits.setCreditLimit>,
): Promise<CreditLimit> {
  await checkAmountToSet(ctx, { organizationId, currency, amount }, creditLimitsErrors, {
    organization_not_found: 'creditlimits.organization_not_found',
    needs_amount: 'creditlimits.needs_amount',
    other_currency: 'creditlimits.other_currency',
    not_positive: 'creditlimits.not_positive',
  });
  const stored = required(
    await limits.store(ctx, {
      id: ctx.newId('crl'),
      organizationId,
      currency,
      amount,
      setBy: person(ctx).userId,
    }),
    'the limit',
  );
  await changed(ctx, organizationId);
  ctx.audit('creditlimits.setCreditLimit', stored.id, {
    organizationId,
    currency,
    amount: amount && moneyText(amount),
  });
  return stored;
}

export async function removeCreditLimit(
  ctx: Ctx,
  { limitId }: In<typeof creditLimits.removeCreditLimit>,
): Promise<null> {
  const removed = await limits.remove(ctx, limitId);
  if (!removed) throw domainError(creditLimitsErrors, 'creditlimits.not_found');
  await changed(ctx, removed.organizationId);
  ctx.audit('creditlimits.removeCreditLimit', limitId, removed);
  return null;
}

/** One organization is checked at once; all of them by the job, within minutes. */
async function changed(ctx: Ctx, organizationId: Id<'org'> | null): Promise<void> {
  if (organizationId !== null) {
    await checkLimits(ctx, [organizationId]);
    ctx.publish(`org/${organizationId}/bills`, { kind: 'credit-limit' });
  }
  ctx.publish('system/billing', { kind: 'credit-limits' });
}
