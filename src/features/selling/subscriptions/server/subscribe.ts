// Subscribes: an order for a service, a trial if it has one, and the first term.
import type { In } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { required } from '#kernel/assert.ts';
import { decimal, decimalText } from '#kernel/decimal.ts';
import { ValidationError, domainError } from '#kernel/errors.ts';
import { dayFormat } from '#kernel/format-date.ts';
import { dayOf, monthOf, monthPeriod } from '#kernel/time.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { domainEvent } from '#platform/server/unit-of-work/domain-event.ts';
import { lockUntilEnd } from '#platform/server/unit-of-work/unit-of-work.ts';
import type { LocalDay } from '#kernel/shape.ts';
import type { Pricing, Service } from '#features/selling/catalogue/contract.ts';
import { isAddOn } from '#features/selling/catalogue/rules.ts';
import { serviceById } from '#features/selling/catalogue/server/index.ts';
import { organizationById } from '#features/access/identity/server/index.ts';
import { subscriptionsErrors, type subscriptions } from '../contract.ts';
import { countedCharges } from '../rules-charges.ts';
import { anchorOf, termEnd, trialEnd } from '../rules-course.ts';
import { yearOf } from '../rules-fees.ts';
import { scheduleNextStep } from './apply-due-changes.ts';
import { assertFamilyNotPausedBySeller } from './paused-by-seller.ts';
import { begunSince, hasSubscribedBefore, hasOpen, insertSubscription, insertTerm } from './store.ts';
import { insertTransition } from './store-history.ts';
import { isSuspended } from './store-holds.ts';
import type { Use } from './view.ts';

/**
 * Emitted when an organization subscribed to a service; `promoCode` is the code of a discount to start with.
 */
export type Subscribed = {
  readonly subscriptionId: Id<'sub'>;
  readonly organizationId: Id<'org'>;
  readonly serviceId: Id<'svc'>;
  readonly promoCode: string | null;
};
export const subscribed = domainEvent<Subscribed>('subscriptions.subscribed');

type More = { readonly organizationId: Id<'org'> };
/**
 * Emitted before an organization gets something that costs more: a subscription, an add-on, a bigger plan, a
 * new term of an expired one. Handlers refuse by throwing. The organization's lock is held.
 */
export const moreWanted = domainEvent<More>('subscriptions.moreWanted');
/**
 * Emitted before a pause that has begun ends, now or at a planned time, by request. Handlers refuse by
 * throwing. The organization's lock is held.
 */
export const resumeWanted = domainEvent<More>('subscriptions.resumeWanted');
/** Emitted after either, in the same transaction; handlers may still refuse. */
export const moreTaken = domainEvent<More>('subscriptions.moreTaken');
/**
 * Emitted before a subscription gets a service from a given time on: another plan, or a new term of an
 * expired one. Handlers refuse by throwing.
 */
export const planWanted = domainEvent<{
  readonly subscriptionId: Id<'sub'>;
  readonly serviceId: Id<'svc'>;
  readonly at: Date;
}>('subscriptions.planWanted');

/** Subscribes the caller's organization. */
export async function subscribe(ctx: Ctx, input: In<typeof subscriptions.subscribe>): Promise<Id<'sub'>> {
  const organizationId = tenant(ctx);
  const { timeZone } = required(await organizationById(ctx.db, organizationId), 'the actor’s organization');
  await lockOrganization(ctx, organizationId);
  await assertNotTooOften(ctx, {
    organizationId,
    timeZone,
    serviceId: input.serviceId,
    parentId: null,
    from: ctx.now,
  });
  const service = await serviceById(ctx, input.serviceId);
  if (service) await assertFamilyNotPausedBySeller(ctx, organizationId, service);
  return startNew(ctx, { ...input, organizationId, startedAt: ctx.now });
}
/** How often an organization may start a service in a month: once, and once more after a mistake. */
const maxBeginnings = 2;

/**
 * Throws if an organization has started a service too often in the month of a given time: each subscription
 * has its own free units and tiers, so cancelling and subscribing again must not be a way to get more of
 * them.
 */
export async function assertNotTooOften(
  ctx: Ctx,
  {
    organizationId,
    timeZone,
    serviceId,
    parentId,
    from,
  }: {
    readonly organizationId: string;
    readonly timeZone: string;
    readonly serviceId: string;
    readonly parentId: string | null;
    readonly from: Date;
  },
): Promise<void> {
  const { start, end } = monthPeriod(monthOf(from, timeZone), timeZone);
  if ((await begunSince(ctx, organizationId, serviceId, parentId, start)) >= maxBeginnings)
    throw domainError(subscriptionsErrors, 'subscriptions.too_often', {
      most: maxBeginnings,
      day: dayOf(end, timeZone),
    });
}

/** Subscribes any organization, starting now or in the past, within its open months. */
export async function adminSubscribe(
  ctx: Ctx,
  input: In<typeof subscriptions.adminSubscribe>,
  use: Pick<Use, 'holdMonthsSince'>,
): Promise<Id<'sub'>> {
  const startedAt = input.startedAt ?? ctx.now;
  if (startedAt > ctx.now) throw domainError(subscriptionsErrors, 'subscriptions.start_in_future');
  const id = await startNew(ctx, { ...input, startedAt });
  if (startedAt < ctx.now) {
    const { timeZone } = required(await organizationById(ctx.db, input.organizationId), 'the organization');
    await assertMonthsOpen(ctx, { ...input, timeZone }, startedAt, use);
  }
  return id;
}

/**
 * Throws for a start in or before a month whose bills are issued: fees of closed months are never billed
 * afterwards, only usage is. Months that are over but not closed yet stay open until the transaction ends.
 */
export async function assertMonthsOpen(
  ctx: Ctx,
  { organizationId, timeZone }: { readonly organizationId: Id<'org'>; readonly timeZone: string },
  startedAt: Date,
  { holdMonthsSince }: Pick<Use, 'holdMonthsSince'>,
): Promise<void> {
  const closed = await holdMonthsSince(ctx, { id: organizationId, timeZone }, startedAt);
  if (closed === undefined) return;
  const { end } = monthPeriod(closed, timeZone);
  if (startedAt >= end) return;
  const format = dayFormat(ctx.language);
  throw new ValidationError([
    {
      field: 'startedAt',
      code: 'subscriptions.begin_in_closed_month',
      params: { month: format.month(closed), day: format.day(dayOf(end, timeZone)) },
    },
  ]);
}

/**
 * Locks an organization's subscriptions until the transaction ends, so that concurrent requests cannot
 * subscribe to a service twice.
 */
export async function lockOrganization(ctx: Ctx, organizationId: string): Promise<void> {
  await lockUntilEnd(ctx, `subscriptions ${organizationId}`);
}

/**
 * Throws while an organization is suspended for unpaid bills: a new subscription would circumvent that. The
 * caller must hold the organization's lock.
 */
export async function assertNotSuspended(ctx: Ctx, organizationId: string): Promise<void> {
  if (await isSuspended(ctx, organizationId))
    throw domainError(subscriptionsErrors, 'subscriptions.organization_suspended');
}

/**
 * Returns the quantities chosen for single charges in their stored form; undefined if there are none. Throws
 * for a charge that the rate card does not have, or that has no quantity (usage, and flat fees).
 */
export function quantitiesOf(
  pricing: Pricing,
  chosen: Readonly<Record<string, string>> | undefined,
): Readonly<Record<string, string>> | undefined {
  const entries = Object.entries(chosen ?? {});
  const known = new Set(countedCharges(pricing).map(({ key }) => key));
  for (const [key] of entries)
    if (!known.has(key))
      throw domainError(subscriptionsErrors, 'subscriptions.charge_unknown', { key }, [`quantities.${key}`]);
  return entries.length === 0
    ? undefined
    : Object.fromEntries(entries.map(([key, quantity]) => [key, decimalText(decimal(quantity))]));
}

/**
 * Returns the end of the trial and the anchor day of the years for a subscription that starts at a given
 * time; null if there is none. There is no trial for an organization that had the service or another plan of
 * its family before.
 */
export function beginningOf(
  service: Pick<Service, 'billingCycle' | 'trialDays'>,
  startedAt: Date,
  zone: string,
  hadIt: boolean,
): { readonly trialEndsAt: Date | null; readonly yearAnchor: LocalDay | null } {
  const trialEndsAt = hadIt ? null : trialEnd(startedAt, service.trialDays, zone);
  return { trialEndsAt, yearAnchor: anchorOf(service.billingCycle, null, startedAt, trialEndsAt, zone) };
}

type Order = In<typeof subscriptions.subscribe> & {
  readonly organizationId: Id<'org'>;
  readonly startedAt: Date;
  /** The subscription that an add-on is added to, and the add-on's own end. */
  readonly addedTo?: { readonly subscriptionId: Id<'sub'>; readonly family: string };
  readonly endsAt?: Date | undefined;
};

/**
 * Starts a subscription to a service on sale; refuses a second open one to the same service, for an add-on on
 * the same subscription.
 */
export async function startNew(
  ctx: Ctx,
  {
    organizationId,
    serviceId,
    quantity = '1',
    quantities,
    acceptBeta = false,
    autoRenew = true,
    startedAt,
    endsAt,
    addedTo,
    promoCode,
  }: Order,
): Promise<Id<'sub'>> {
  const organization = await organizationById(ctx.db, organizationId);
  if (!organization) throw domainError(subscriptionsErrors, 'subscriptions.organization_not_found');
  const service = await serviceById(ctx, serviceId);
  if (!service || service.status !== 'active' || service.releaseState === 'Coming Soon')
    throw domainError(subscriptionsErrors, 'subscriptions.service_not_available');
  if (service.releaseState === 'Beta' && !acceptBeta)
    throw domainError(subscriptionsErrors, 'subscriptions.beta_not_accepted');
  if (!addedTo && isAddOn(service)) throw domainError(subscriptionsErrors, 'subscriptions.add_on_only');
  if (addedTo && !service.addOnTo.includes(addedTo.family))
    throw new ValidationError([{ field: 'serviceId', code: 'subscriptions.not_addable' }]);
  const parentId = addedTo?.subscriptionId ?? null;
  await lockOrganization(ctx, organizationId);
  await assertNotSuspended(ctx, organizationId);
  if (await hasOpen(ctx, organizationId, serviceId, parentId))
    throw domainError(subscriptionsErrors, 'subscriptions.already_subscribed');
  await ctx.emit(moreWanted, { organizationId });
  const zone = organization.timeZone;
  const { trialEndsAt, yearAnchor } = beginningOf(
    service,
    startedAt,
    zone,
    await hasSubscribedBefore(ctx, organizationId, service),
  );
  const firstCharged = trialEndsAt ?? startedAt;
  const term =
    yearAnchor === null
      ? { start: startedAt, end: termEnd(firstCharged, null, zone) }
      : yearOf(yearAnchor, firstCharged, zone);
  const state = startedAt > ctx.now ? 'scheduled' : endsAt ? 'cancelling' : 'active';
  const { id, created } = await insertSubscription(ctx, {
    organizationId,
    serviceId,
    startedAt,
    quantity,
    chargeQuantities: quantitiesOf(service.pricing, quantities),
    trialEndsAt,
    yearAnchor,
    autoRenew,
    endsAt: endsAt ?? (autoRenew ? null : term.end),
    state,
    parentId,
  });
  if (!created) throw domainError(subscriptionsErrors, 'subscriptions.already_subscribed');
  // Monthly terms that renew automatically are not recorded; yearly terms are, and so is a term that ends the
  // subscription.
  if (yearAnchor !== null || !autoRenew) await insertTerm(ctx, id, term);
  await insertTransition(ctx, id, {
    at: ctx.now,
    action: 'subscribe',
    from: null,
    to: state,
    detail: { serviceId, quantity, effectiveAt: startedAt },
  });
  await scheduleNextStep(ctx, id);
  ctx.audit('subscriptions.subscribe', id, {
    organizationId,
    serviceId,
    quantity,
    ...(parentId && { addedTo: parentId }),
    ...(state === 'scheduled' && { startedAt }),
  });
  await ctx.emit(subscribed, { subscriptionId: id, organizationId, serviceId, promoCode: promoCode ?? null });
  await ctx.emit(moreTaken, { organizationId });
  ctx.publish(`org/${organizationId}/usage`, { kind: 'subscription' });
  return id;
}

/** Creates a subscription unless there is an open one; for imports, which may be repeated. */
export async function ensureSubscription(
  ctx: Ctx,
  {
    organizationId,
    serviceId,
    startedAt,
  }: { organizationId: Id<'org'>; serviceId: Id<'svc'>; startedAt: Date },
): Promise<{ id: Id<'sub'>; created: boolean }> {
  const { billingCycle } = required(await serviceById(ctx, serviceId), 'an imported service');
  const zone = required(await organizationById(ctx.db, organizationId), 'an imported organization').timeZone;
  const yearAnchor = anchorOf(billingCycle, null, startedAt, null, zone);
  const made = await insertSubscription(ctx, {
    organizationId,
    serviceId,
    startedAt,
    quantity: '1',
    trialEndsAt: null,
    yearAnchor,
    autoRenew: true,
    endsAt: null,
  });
  if (made.created)
    await insertTransition(ctx, made.id, {
      at: ctx.now,
      action: 'subscribe',
      from: null,
      to: 'active',
      detail: { serviceId, effectiveAt: startedAt },
    });
  return made;
}
