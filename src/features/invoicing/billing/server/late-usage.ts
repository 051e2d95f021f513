// Usage that arrives after its month: recorded on arrival, and settled by the next bill as the difference it
// makes to its own month.
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { required } from '#kernel/assert.ts';
import { monthPeriod } from '#kernel/time.ts';
import { compareTexts } from '#kernel/order.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Organization } from '#features/access/identity/contract.ts';
import type { PriceBasis } from '#features/selling/catalogue/server/index.ts';
import { sellersOf } from '#features/selling/resale/server/index.ts';
import { linesOf, type BillableSubscription } from '#features/selling/subscriptions/rules.ts';
import { subscriptionsByIds } from '#features/selling/subscriptions/server/index.ts';
import { billableSubscriptions, type UsageChange } from '#features/metering/usage/server/index.ts';
import { adjustmentLines, type BilledUsage, type PlannedBillLine } from '../rules-late.ts';
import { payersOfMonth } from './paid-by.ts';
import { billedUsage, notedMonths, recordLateMonths, type LateMonth } from './store-late.ts';

// A unit of work that started in the last minutes of a month may commit after a close has read the usage.
const aboutToEndMs = 10 * 60_000;

/**
 * Records changes of months that are over or about to end; the next close determines whether they were
 * closed.
 */
export async function recordLateUsage(ctx: Ctx, changes: readonly UsageChange[]): Promise<void> {
  const late = changes.filter(
    ({ subscription, month }) =>
      monthPeriod(month, subscription.timeZone).end.getTime() <= ctx.now.getTime() + aboutToEndMs,
  );
  if (late.length > 0)
    await recordLateMonths(
      ctx,
      late.map(({ subscription, month }) => ({ subscriptionId: subscription.id, month })),
    );
}

/**
 * Returns the changed months of some organizations before a given one, without those whose bill is void and
 * not replaced: the replacement will include the changes. Other payers' bills do not hold them back. With
 * `without`, as if that bill were void.
 */
export async function lateMonths(
  ctx: Ctx,
  organizations: readonly Organization[],
  before: BillingMonth,
  without?: Id<'bil'>,
): Promise<LateMonth[]> {
  const noted = await notedMonths(
    ctx,
    organizations.map(({ id }) => id),
    before,
    without,
  );
  const found = noted.filter(({ voidOf }) => voidOf.length === 0);
  for (const [month, kept] of Map.groupBy(
    noted.filter(({ voidOf }) => voidOf.length > 0),
    (each) => each.month,
  )) {
    const payers = await payersOfMonth(ctx, month, organizations);
    for (const each of kept) {
      const organization = required(
        organizations.find(({ id }) => id === each.organizationId),
        'the organization of a late month',
      );
      const { id } = payers.ofSubscription(organization, each.subscriptionId);
      if (!each.voidOf.includes(id === payers.ofOrganization(organization).id ? null : id)) found.push(each);
    }
  }
  return found
    .toSorted((a, b) => compareTexts(a.subscriptionId, b.subscriptionId) || compareTexts(a.month, b.month))
    .map(({ voidOf: _voidOf, ...late }) => late);
}

export type LateLines = {
  readonly months: readonly LateMonth[];
  readonly lines: ReadonlyMap<string, readonly PlannedBillLine[]>;
};

/**
 * Returns what bills of `month` must settle for some organizations, by organization, and the changes this
 * settles; with `without`, as if that bill were void.
 */
export async function lateLines(
  ctx: Ctx,
  organizations: readonly Organization[],
  month: BillingMonth,
  without?: Id<'bil'>,
): Promise<LateLines> {
  const ids = organizations.map(({ id }) => id);
  const noted = await lateMonths(ctx, organizations, month, without);
  const sellerIn = noted.length === 0 ? () => undefined : await sellersOf(ctx, ids);
  // If another party was the seller in a month, neither the old nor the new seller's prices are disclosed to
  // the other.
  const months = noted.filter(
    (late) => sellerIn(late.organizationId, late.month) === sellerIn(late.organizationId, month),
  );
  const lines = await linesOfLate(ctx, months, 'wholesale', (subscriptionIds, late) =>
    billedUsage(ctx, subscriptionIds, late, without),
  );
  return { months, lines };
}

/** The units in which the usage of a month was counted. */
const unitsOf = (billable: readonly BillableSubscription[]): ReadonlySet<string> =>
  new Set(
    billable
      .flatMap(({ times }) => times)
      .flatMap(({ charges, unit }) => (charges ? [...charges.values()].map((used) => used.unit) : [unit])),
  );

/**
 * Returns what changed months add to the next bill, by organization and by the prices of a basis. `billedOf`
 * returns what some subscriptions were billed for a month on that basis.
 */
export async function linesOfLate(
  ctx: Ctx,
  months: readonly LateMonth[],
  basis: PriceBasis,
  billedOf: (
    subscriptionIds: readonly string[],
    month: BillingMonth,
  ) => Promise<ReadonlyMap<string, BilledUsage[]>>,
): Promise<LateLines['lines']> {
  const lines = new Map<string, PlannedBillLine[]>();
  for (const [late, changed] of Map.groupBy(months, (each) => each.month)) {
    const ids = changed.map((each) => each.subscriptionId);
    const subscriptions = await subscriptionsByIds(ctx.db, ids);
    const billable = await billableSubscriptions(ctx, subscriptions, late, { basis });
    const billed = await billedOf(ids, late);
    for (const subscription of subscriptions) {
      const ownBillable = (billable.get(subscription.organizationId) ?? []).filter(
        (each) => each.subscriptionId === subscription.id,
      );
      const time = ownBillable[0]?.times.at(-1);
      const now = ownBillable.flatMap((each) => linesOf(each, late, subscription.timeZone));
      // A month without any plan was not billed either.
      if (!time) continue;
      const named = {
        subscriptionId: subscription.id,
        serviceId: time.plan.id,
        serviceName: time.plan.name,
        priceVersionId: time.price.id,
        unit: time.unit,
        hasSeveralUnits: unitsOf(ownBillable).size > 1,
      };
      const own = lines.get(subscription.organizationId) ?? [];
      own.push(...adjustmentLines(now, billed.get(subscription.id) ?? [], late, named));
      lines.set(subscription.organizationId, own);
    }
  }
  return new Map(
    [...lines].map(([id, list]) => [
      id,
      list.toSorted((a, b) =>
        required(a.forMonth, 'its month') < required(b.forMonth, 'its month') ? -1 : 1,
      ),
    ]),
  );
}
