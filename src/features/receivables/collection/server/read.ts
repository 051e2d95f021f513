// The collection of bills, for members and Admins, and an Admin's settings.
import type { In } from '#kernel/contract.ts';
import { ValidationError, domainError } from '#kernel/errors.ts';
import type { LocalDay, Page } from '#kernel/shape.ts';
import { person, tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { storeSetting } from '#platform/server/unit-of-work/settings.ts';
import { identityErrors } from '#features/access/identity/contract.ts';
import { organizationById } from '#features/access/identity/server/index.ts';
import { billingErrors } from '#features/invoicing/billing/contract.ts';
import { billById } from '#features/invoicing/billing/server/index.ts';
import type { BillCollection, collection, CollectedOrganization, CollectionPlan } from '../contract.ts';
import { daysRise, reasonOf } from '../rules.ts';
import { areCardsOffered } from './cards.ts';
import { publishCollection } from './notices.ts';
import { planSetting } from './settings.ts';
import {
  attemptsOfBill,
  pageOfCollected,
  standingsOf,
  storeSwitch,
  type BillStanding,
} from './store-attempts.ts';

export async function billCollection(
  ctx: Ctx,
  { billId }: In<typeof collection.billCollection>,
): Promise<BillCollection> {
  return shownOf(ctx, billId, tenant(ctx));
}

export async function adminBillCollection(
  ctx: Ctx,
  { billId }: In<typeof collection.adminBillCollection>,
): Promise<BillCollection> {
  return shownOf(ctx, billId, null);
}

async function shownOf(ctx: Ctx, billId: string, organizationId: string | null): Promise<BillCollection> {
  if (!(await billById(ctx, billId, organizationId)))
    throw domainError(billingErrors, 'billing.bill_not_found');
  const [standing] = await standingsOf(ctx, await ctx.setting(planSetting), [billId]);
  const isOffered = areCardsOffered(ctx);
  return {
    isOn: isOffered && standing?.isOn === true,
    nextOn: isOffered ? (standing?.nextOn ?? null) : null,
    card: standing?.card ?? null,
    stopped: standing?.stopped ?? null,
    attempts: (await attemptsOfBill(ctx, billId)).map(({ code, state, ...attempt }) => ({
      ...attempt,
      state: state === 'refunded' ? 'succeeded' : state,
      reason: state === 'failed' ? reasonOf(code) : null,
      code: organizationId === null ? code : '',
    })),
  };
}

/**
 * Returns those of some bills that are charged to a card, with the day of the next attempt; null while one is
 * pending. Dunning words their reminders differently and does not suspend for them.
 */
export async function billsCollected(
  ctx: Ctx,
  billIds: readonly string[],
): Promise<ReadonlyMap<string, LocalDay | null>> {
  if (billIds.length === 0 || !areCardsOffered(ctx)) return new Map();
  const standings = await standingsOf(ctx, await ctx.setting(planSetting), billIds);
  return new Map(
    standings
      .filter((each: BillStanding) => each.isUnderWay || each.nextOn !== null)
      .map((each) => [each.billId, each.isUnderWay ? null : each.nextOn]),
  );
}

export async function collectionPlan(ctx: Ctx): Promise<CollectionPlan> {
  return ctx.setting(planSetting);
}

export async function saveCollectionPlan(
  ctx: Ctx,
  plan: In<typeof collection.saveCollectionPlan>,
): Promise<CollectionPlan> {
  if (!daysRise(plan.retryDays))
    throw new ValidationError([{ field: 'retryDays', code: 'collection.days_not_rising' }]);
  ctx.audit('collection.saveCollectionPlan', undefined, {
    before: await ctx.setting(planSetting),
    after: plan,
  });
  await storeSetting(ctx.db, planSetting, plan, ctx.now, person(ctx).userId);
  ctx.publish('system/billing', { kind: 'collection' });
  return plan;
}

export async function listCollected(
  ctx: Ctx,
  input: In<typeof collection.listCollected>,
): Promise<Page<CollectedOrganization>> {
  return pageOfCollected(ctx, input);
}

/**
 * Turns automatic charging of an organization off; an Admin cannot turn it on, because the card is not
 * theirs.
 */
export async function stopCollection(
  ctx: Ctx,
  { organizationId }: In<typeof collection.stopCollection>,
): Promise<null> {
  if (!(await organizationById(ctx.db, organizationId)))
    throw domainError(identityErrors, 'identity.organization_not_found');
  if (await storeSwitch(ctx, organizationId, false, person(ctx).userId)) {
    ctx.audit('collection.stopCollection', organizationId);
    publishCollection(ctx, organizationId);
  }
  return null;
}
