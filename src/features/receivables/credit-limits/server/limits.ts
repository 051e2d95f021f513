// Credit limits as an Admin sets them, and what is outstanding against them.
import type { In, Out } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { domainError } from '#kernel/errors.ts';
import type { Id } from '#kernel/ids.ts';
import { moneyText } from '#kernel/money.ts';
import { person, tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { organizationById } from '#features/access/identity/server/index.ts';
import { creditLimitsErrors, type CreditLimit, type creditLimits } from '../contract.ts';
import { noExposure, useOf } from '../rules.ts';
import { checkLimits } from './check.ts';
import { exposuresOf } from './exposure.ts';
import { deleteLimit, limitsOf, pageOfLimits, storeLimit } from './store.ts';

type Uses = Out<typeof creditLimits.creditLimit>;

async function usesOf(ctx: Ctx, organizationId: Id<'org'>): Promise<Uses> {
  const limits = (await limitsOf(ctx, [organizationId])).get(organizationId) ?? [];
  if (limits.length === 0) return { items: [] };
  const exposures = (await exposuresOf(ctx, [organizationId])).get(organizationId);
  return {
    items: limits.map(({ limit, isOwn }) =>
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
  return pageOfLimits(ctx, input);
}

/** Sets a limit for all organizations or for one; it holds at once, also for what is outstanding already. */
export async function setCreditLimit(
  ctx: Ctx,
  { organizationId, currency, amount }: In<typeof creditLimits.setCreditLimit>,
): Promise<CreditLimit> {
  if (organizationId !== null && !(await organizationById(ctx.db, organizationId)))
    throw domainError(creditLimitsErrors, 'creditlimits.organization_not_found', {}, ['organizationId']);
  if (organizationId === null && amount === null)
    throw domainError(creditLimitsErrors, 'creditlimits.needs_amount', {}, ['amount']);
  if (amount && amount.currency !== currency)
    throw domainError(creditLimitsErrors, 'creditlimits.other_currency', { currency }, ['amount']);
  if (amount && amount.minor <= 0n)
    throw domainError(creditLimitsErrors, 'creditlimits.not_positive', {}, ['amount']);
  const stored = required(
    await storeLimit(ctx, {
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
  const removed = await deleteLimit(ctx, limitId);
  if (!removed) throw domainError(creditLimitsErrors, 'creditlimits.not_found');
  await changed(ctx, removed.organizationId);
  ctx.audit('creditlimits.removeCreditLimit', limitId, removed);
  return null;
}

/** One organization is compared at once; all of them by the job, within minutes. */
async function changed(ctx: Ctx, organizationId: Id<'org'> | null): Promise<void> {
  if (organizationId !== null) {
    await checkLimits(ctx, [organizationId]);
    ctx.publish(`org/${organizationId}/bills`, { kind: 'credit-limit' });
  }
  ctx.publish('system/billing', { kind: 'credit-limits' });
}
