// What an Admin can grant: a later due date for a bill or for all bills of an organization, or an exemption
// from dunning.
import type { In } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { ValidationError, domainError } from '#kernel/errors.ts';
import type { LocalDay } from '#kernel/shape.ts';
import { addDays, dayOf } from '#kernel/time.ts';
import { person, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { billById } from '#features/invoicing/billing/server/index.ts';
import { organizationById } from '#features/access/identity/server/index.ts';
import { userOf } from '#features/invoicing/billing/contract.ts';
import { dunningErrors, type dunning, type DunningHistory } from '../contract.ts';
import { billDunning } from './read.ts';
import { releaseSettled } from './release.ts';
import { onSince, planOf } from './settings.ts';
import { lockOverdueUses, usersOfPayer } from './store.ts';
import { dropExemption, putExemption } from './store-exemptions.ts';
import { insertExtension, lockHolds, nextRound } from './store-steps.ts';
import { publishDunning } from './notices.ts';

/** How many days ahead a date may be granted. */
const furthestDays = 366;

async function assertInFuture(ctx: Ctx, organizationId: string, until: LocalDay): Promise<void> {
  const { timeZone } = required(await organizationById(ctx.db, organizationId), 'the organization');
  const today = dayOf(ctx.now, timeZone);
  if (until <= today) throw new ValidationError([{ field: 'until', code: 'dunning.until_past' }]);
  if (until > addDays(today, furthestDays))
    throw new ValidationError([{ field: 'until', code: 'dunning.until_far' }]);
}

/**
 * Grants a bill a later date: the schedule restarts from that date. The due date on the bill's document does
 * not change.
 */
export async function extendBill(
  ctx: Ctx,
  { billId, until, reason }: In<typeof dunning.extendBill>,
): Promise<DunningHistory> {
  const bill = await billById(ctx, billId, null, true);
  if (bill?.state !== 'open') throw domainError(dunningErrors, 'dunning.bill_not_open');
  await assertInFuture(ctx, bill.organizationId, until);
  await insertExtension(ctx, billId, await nextRound(ctx, billId), until, reason, person(ctx));
  await releaseSettled(ctx, [userOf(bill)], 'extended', billId, reason);
  ctx.audit('dunning.extendBill', billId, { until, reason });
  publishDunning(ctx, [bill.organizationId, userOf(bill)]);
  return billDunning(ctx, { billId });
}

/**
 * Ends an organization's restriction now: all overdue bills for its services, whoever pays them, get the same
 * later date.
 */
export async function resumeOrganization(
  ctx: Ctx,
  { organizationId, until, reason }: In<typeof dunning.resumeOrganization>,
): Promise<null> {
  const organization = await organizationById(ctx.db, organizationId);
  if (!organization) throw domainError(dunningErrors, 'dunning.organization_not_found');
  await assertInFuture(ctx, organizationId, until);
  const scope = { on: await onSince(ctx), plan: await planOf(ctx) };
  const overdue = await lockOverdueUses(ctx, scope, organizationId);
  const [hold] = await lockHolds(ctx, [organizationId]);
  if (!hold) throw domainError(dunningErrors, 'dunning.not_held');
  for (const bill of overdue)
    await insertExtension(ctx, bill.billId, await nextRound(ctx, bill.billId), until, reason, person(ctx));
  await releaseSettled(ctx, [organizationId], 'extended', null, reason);
  ctx.audit('dunning.resumeOrganization', organizationId, { until, reason });
  publishDunning(ctx, [organizationId, ...overdue.map((bill) => bill.organizationId)]);
  return null;
}

/** Exempts an organization from dunning from now on, including the bills it pays for others. */
export async function exemptOrganization(
  ctx: Ctx,
  { organizationId, reason }: In<typeof dunning.exemptOrganization>,
): Promise<null> {
  if (!(await organizationById(ctx.db, organizationId)))
    throw domainError(dunningErrors, 'dunning.organization_not_found');
  await putExemption(ctx, organizationId, reason, person(ctx).userId);
  await releaseSettled(ctx, await usersOfPayer(ctx, organizationId), 'swept', null, reason);
  ctx.audit('dunning.exemptOrganization', organizationId, { reason });
  publishDunning(ctx, [organizationId]);
  return null;
}

/** Ends an organization's exemption: due steps are taken at the next run. */
export async function endExemption(
  ctx: Ctx,
  { organizationId }: In<typeof dunning.endExemption>,
): Promise<null> {
  await dropExemption(ctx, organizationId);
  ctx.audit('dunning.endExemption', organizationId);
  publishDunning(ctx, [organizationId]);
  return null;
}
