// Add-ons: further services attached to a subscription for a time. Each is a separate subscription with its
// own price, start and end, and never outlives the one it was added to, whose events also feed its meters.
import type { In } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { ValidationError, domainError } from '#kernel/errors.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import type { Service } from '#features/selling/catalogue/contract.ts';
import { addOnsOfFamily } from '#features/selling/catalogue/server/index.ts';
import { subscriptionsErrors, type subscriptions } from '../contract.ts';
import { isOpen, phaseAt } from '../rules-course.ts';
import { priceAt } from '../rules-fees.ts';
import { lockForChange } from './apply-due-changes.ts';
import { addOnsOf, subscriptionById, type SubscriptionRow } from './store.ts';
import { assertMonthsOpen, assertNotTooOften, startNew } from './subscribe.ts';
import { offersFor, servicesOf, type Use } from './view.ts';

type AddOnUse = Pick<Use, 'uncountedSince' | 'holdMonthsSince'>;

const field = (name: string, code: keyof typeof subscriptionsErrors): ValidationError =>
  new ValidationError([{ field: name, code }]);

/** Returns the current service of a subscription. */
async function serviceOf(ctx: Ctx, row: SubscriptionRow): Promise<Service> {
  const offers = await offersFor(ctx, [row, ...servicesOf(row)]);
  return offers.service(phaseAt(row.phases, ctx.now).serviceId ?? row.serviceId);
}

/**
 * Returns the current and past add-ons of a subscription, and those that can be added to it now, at its
 * organization's prices.
 */
export async function addOnsFor(
  ctx: Ctx,
  subscriptionId: Id<'sub'>,
  organizationId: string | null,
): Promise<{ rows: readonly SubscriptionRow[]; offers: Service[] }> {
  const row = await subscriptionById(ctx.db, subscriptionId, organizationId);
  if (!row) throw domainError(subscriptionsErrors, 'subscriptions.not_found');
  const rows = await addOnsOf(ctx.db, [row.id]);
  const taken = new Set(rows.filter(({ state }) => isOpen(state)).map(({ serviceId }) => serviceId));
  const { family } = await serviceOf(ctx, row);
  const addable =
    row.parentId || !isOpen(row.state)
      ? []
      : (await addOnsOfFamily(ctx.db, family, ctx.now)).filter(({ id }) => !taken.has(id));
  const offers = await offersFor(
    ctx,
    addable.map(({ id }) => ({ serviceId: id, organizationId: row.organizationId })),
  );
  return {
    rows,
    offers: addable.map((service): Service => {
      const { pricing } = priceAt(offers.plan(service.id, row.organizationId).prices, ctx.now);
      return { ...service, pricing, ...(pricing.model === 'rate_card' && { charges: pricing.charges }) };
    }),
  };
}

/** Adds a service to a subscription of the caller's organization, starting now or in the future. */
export async function addAddOn(
  ctx: Ctx,
  input: In<typeof subscriptions.addAddOn>,
  use: AddOnUse,
): Promise<Id<'sub'>> {
  const startedAt = input.startedAt ?? ctx.now;
  if (startedAt < ctx.now) throw field('startedAt', 'subscriptions.add_on_in_past');
  return add(ctx, { ...input, startedAt, isByCustomer: true }, tenant(ctx), use);
}

/** Adds a service to any subscription, starting now, in the future, or in the past. */
export async function adminAddAddOn(
  ctx: Ctx,
  input: In<typeof subscriptions.adminAddAddOn>,
  use: AddOnUse,
): Promise<Id<'sub'>> {
  const startedAt = input.startedAt ?? ctx.now;
  return add(ctx, { ...input, startedAt, isByCustomer: false }, null, use);
}

type Added = In<typeof subscriptions.addAddOn> & {
  readonly startedAt: Date;
  readonly isByCustomer: boolean;
};

async function add(
  ctx: Ctx,
  { subscriptionId, startedAt, isByCustomer, ...order }: Added,
  organizationId: string | null,
  use: AddOnUse,
): Promise<Id<'sub'>> {
  const row = await lockForChange(ctx, subscriptionId, organizationId);
  if (row.parentId) throw domainError(subscriptionsErrors, 'subscriptions.add_on_of_add_on');
  if (!isOpen(row.state)) throw domainError(subscriptionsErrors, 'subscriptions.transition_refused');
  if (startedAt < row.startedAt) throw field('startedAt', 'subscriptions.add_on_before_start');
  if (row.endsAt && startedAt >= row.endsAt) throw field('startedAt', 'subscriptions.add_on_after_end');
  if (order.endsAt && order.endsAt <= ctx.now) throw field('endsAt', 'subscriptions.end_in_past');
  if (order.endsAt && order.endsAt <= startedAt) throw field('endsAt', 'subscriptions.end_before_start');
  const service = await serviceOf(ctx, row);
  if (isByCustomer)
    await assertNotTooOften(ctx, {
      ...row,
      serviceId: order.serviceId,
      parentId: row.id,
      from: startedAt,
    });
  const id = await startNew(ctx, {
    ...order,
    organizationId: row.organizationId,
    startedAt,
    addedTo: { subscriptionId: row.id, family: service.family },
  });
  if (startedAt < ctx.now) {
    await assertMonthsOpen(ctx, row, startedAt, use);
    const added = await offersFor(ctx, [{ serviceId: order.serviceId, organizationId: row.organizationId }]);
    if (await use.uncountedSince(ctx, row, added.service(order.serviceId), startedAt))
      throw field('startedAt', 'subscriptions.usage_not_counted');
  }
  return id;
}
