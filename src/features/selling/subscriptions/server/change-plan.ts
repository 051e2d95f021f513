// Changes plan or quantity: lists available plans, previews a change, makes it, and withdraws it.
import { inLanguage } from '#kernel/language.ts';
import type { In, Out } from '#kernel/contract.ts';
import { decimal, decimalText } from '#kernel/decimal.ts';
import { required } from '#kernel/assert.ts';
import { ValidationError, domainError } from '#kernel/errors.ts';
import { addMonths, dayOf, monthOf } from '#kernel/time.ts';
import { dayFormat } from '#kernel/format-date.ts';
import type { Id } from '#kernel/ids.ts';
import { tenant, type Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { domainEvent } from '#platform/server/unit-of-work/domain-event.ts';
import { tryOut } from '#platform/server/unit-of-work/try-out.ts';
import { serviceById, servicesOfFamily } from '#features/selling/catalogue/server/index.ts';
import { subscriptionsErrors, type ChangePreview, type Plan, type subscriptions } from '../contract.ts';
import { canChange } from '../rules.ts';
import {
  anchorOf,
  changeMoment,
  directionOf,
  isPreviewed,
  periodEnd,
  phaseAt,
  planMistake,
  stateAt,
} from '../rules-course.ts';
import { feeOfMonth, undividedBeyond, type Units } from '../rules-charges.ts';
import { priceAt, yearOf, type Phase } from '../rules-fees.ts';
import { lockOrganization, moreTaken, moreWanted, planWanted, quantitiesOf } from './subscribe.ts';
import { scheduleNextStep, lockForChange } from './apply-due-changes.ts';
import { feesOfMonth } from './fee-previews.ts';
import {
  dropPendingPhase,
  hasOpen,
  insertPhase,
  insertTerm,
  subscriptionById,
  updateSubscription,
  type SubscriptionRow,
} from './store.ts';
import { insertTransition } from './store-history.ts';
import { offersFor, shownQuantities, servicesOf, type Offers } from './view.ts';

const field = (name: string, code: keyof typeof subscriptionsErrors): ValidationError =>
  new ValidationError([{ field: name, code }]);

/** Emitted when a subscription changes to another service, now or at the end of its period. */
export const planChanged = domainEvent<{
  readonly organizationId: Id<'org'>;
  readonly subscriptionId: Id<'sub'>;
  readonly serviceId: string;
  /** When it changes to that service. */
  readonly at: Date;
}>('subscriptions.planChanged');

type Wanted = {
  readonly serviceId?: string | undefined;
  readonly quantity?: string | undefined;
  readonly quantities?: Readonly<Record<string, string>> | undefined;
  readonly when?: 'now' | 'end' | undefined;
};
type Decided = {
  readonly direction: ChangePreview['direction'];
  readonly at: Date;
  readonly isNow: boolean;
  readonly phase: Phase & { readonly serviceId: string };
  readonly offers: Offers;
};

/** Returns the phase that a change leads to as of `now`; throws if it is not allowed. */
async function decide(ctx: Ctx, row: SubscriptionRow, wanted: Wanted, now: Date): Promise<Decided> {
  if (!canChange(stateAt(row, now)))
    throw domainError(subscriptionsErrors, 'subscriptions.transition_refused');
  if (row.phases.some((phase) => phase.from > now))
    throw domainError(subscriptionsErrors, 'subscriptions.change_pending');
  const present = phaseAt(row.phases, now);
  const fromId = present.serviceId ?? row.serviceId;
  const toId = wanted.serviceId ?? fromId;
  const { organizationId } = row;
  const known = await offersFor(ctx, servicesOf(row));
  const from = known.service(fromId);
  const to = toId === fromId ? from : await serviceById(ctx, toId);
  const mistake = planMistake(from, to);
  if (mistake) throw field('serviceId', mistake);
  const quantity = decimalText(decimal(wanted.quantity ?? present.quantity));
  // Quantities of single charges are kept within the plan; another plan has its own charges.
  const chosen = {
    ...(toId === fromId && present.chargeQuantities),
    ...quantitiesOf(to?.pricing ?? from.pricing, wanted.quantities),
  };
  const chargeQuantities = Object.keys(chosen).length === 0 ? undefined : chosen;
  if (
    toId === fromId &&
    quantity === present.quantity &&
    Object.entries(chosen).every(([key, count]) => present.chargeQuantities?.[key] === count)
  )
    throw domainError(subscriptionsErrors, 'subscriptions.same_plan');
  if (toId !== fromId && (await hasOpen(ctx, organizationId, toId, row.parentId)))
    throw field('serviceId', 'subscriptions.plan_taken');
  const offers = await offersFor(ctx, [...servicesOf(row), { serviceId: toId, organizationId }]);
  const cycle = offers.service(toId).billingCycle;
  // A subscription without renewal has paid for its current term, so the customer must turn on renewal before
  // changing to another billing cycle.
  if (!row.autoRenew && cycle !== from.billingCycle)
    throw domainError(subscriptionsErrors, 'subscriptions.term_fixed');
  const offer = (serviceId: string, units: Units) => ({
    pricing: priceAt(offers.plan(serviceId, organizationId).prices, now).pricing,
    billingCycle: offers.service(serviceId).billingCycle,
    ...units,
  });
  const units = { quantity, ...(chargeQuantities && { chargeQuantities }) };
  const direction = directionOf(offer(fromId, present), offer(toId, units));
  if (direction === 'downgrade' && wanted.when === 'now')
    throw field('when', 'subscriptions.downgrade_waits');
  const at = changeMoment(direction, wanted.when, now, periodEnd(row, now));
  const yearAnchor = anchorOf(cycle, present.yearAnchor, at, row.trialEndsAt, row.timeZone);
  const phase = { from: at, serviceId: toId, ...units, yearAnchor };
  if (toId !== fromId) {
    assertDivides(ctx, row, phase, offers, periodEnd(row, now));
    await ctx.emit(planWanted, { subscriptionId: row.id, serviceId: offers.service(toId).id, at });
  }
  return { direction, at, isNow: at <= now, offers, phase };
}

/**
 * Leaving a plan in the middle of a fully paid period would mean paying for it next to the following plan, so
 * such a change has to wait for the end of the period. Throws with the first possible day, at its field.
 */
function assertDivides(ctx: Ctx, row: SubscriptionRow, phase: Phase, offers: Offers, endOfTerm: Date): void {
  const { timeZone: zone, organizationId } = row;
  const found = undividedBeyond(
    { ...row, phases: [...row.phases, phase] },
    (serviceId) => offers.plan(serviceId, organizationId),
    zone,
  );
  if (!found) return;
  const { charge, until } = found;
  const isEndOfTerm = until.getTime() === endOfTerm.getTime();
  throw new ValidationError([
    {
      field: isEndOfTerm ? 'when' : 'serviceId',
      code: isEndOfTerm ? 'subscriptions.undivided_waits' : 'subscriptions.undivided_until',
      params: {
        charge: inLanguage(charge.name, ctx.language),
        day: dayFormat(ctx.language).day(dayOf(until, zone)),
      },
    },
  ]);
}

/**
 * Returns the effect of a change: the lines on the bill of the month in which it takes effect, and of the
 * next. Refused in the same cases as the change, which is attempted: a credit limit, for example, is checked
 * before and after it. Only consent to a Beta service is not required yet.
 */
export async function previewChange(
  ctx: Ctx,
  input: In<typeof subscriptions.previewChange>,
): Promise<ChangePreview> {
  const stored = await subscriptionById(ctx.db, input.subscriptionId, tenant(ctx));
  if (!stored) throw domainError(subscriptionsErrors, 'subscriptions.not_found');
  const { row, direction, at, isNow, phase, offers } = await tryOut(ctx, (trial) =>
    changeTo(trial, { ...input, acceptBeta: true }),
  );
  const { id, name, billingCycle } = offers.service(phase.serviceId);
  const { pricing } = priceAt(offers.plan(id, row.organizationId).prices, ctx.now);
  const { currency } = pricing;
  const changed = { ...row, phases: [...row.phases, phase] };
  const month = monthOf(at, row.timeZone);
  return {
    direction,
    at,
    isNow,
    currency,
    service: { id, name, billingCycle },
    quantity: phase.quantity,
    ...shownQuantities(pricing, phase),
    thisBill: feesOfMonth(changed, offers, month, currency),
    nextBill: feesOfMonth(changed, offers, addMonths(month, 1), currency),
    version: stored.version,
  };
}

/**
 * Changes plan or quantity, immediately or at the end of the period; a change that was previewed moments ago
 * takes effect as of the preview.
 */
export async function change(ctx: Ctx, input: In<typeof subscriptions.change>): Promise<void> {
  await changeTo(ctx, input);
}

/** Returns the previous subscription, and the decision about it. */
async function changeTo(
  ctx: Ctx,
  input: In<typeof subscriptions.change>,
): Promise<Decided & { readonly row: SubscriptionRow }> {
  const row = await lockForChange(ctx, input.subscriptionId, tenant(ctx), input.version);
  await lockOrganization(ctx, row.organizationId);
  if (input.previewedAt && !isPreviewed(row, input.previewedAt, ctx.now))
    throw domainError(subscriptionsErrors, 'subscriptions.preview_over');
  const decided = await decide(ctx, row, input, input.previewedAt ?? ctx.now);
  const { direction, at, isNow, phase, offers } = decided;
  if (
    offers.service(phase.serviceId).releaseState === 'Beta' &&
    phase.serviceId !== row.serviceId &&
    !input.acceptBeta
  )
    throw domainError(subscriptionsErrors, 'subscriptions.beta_not_accepted');
  const { organizationId } = row;
  if (direction === 'upgrade') await ctx.emit(moreWanted, { organizationId });
  const before = phaseAt(row.phases, ctx.now);
  await insertPhase(ctx, row.id, { ...phase, isApplied: isNow });
  if (isNow && phase.yearAnchor !== null && before.yearAnchor !== phase.yearAnchor)
    await insertTerm(ctx, row.id, yearOf(phase.yearAnchor, at, row.timeZone));
  await updateSubscription(
    ctx,
    row.id,
    isNow ? { ...row, serviceId: phase.serviceId, quantity: phase.quantity } : row,
  );
  await insertTransition(ctx, row.id, {
    at: ctx.now,
    action: isNow ? 'change' : 'schedule_change',
    from: row.state,
    to: row.state,
    detail: { serviceId: phase.serviceId, quantity: phase.quantity, effectiveAt: at },
    ...(input.reason && { reason: input.reason }),
  });
  await scheduleNextStep(ctx, row.id);
  if (phase.serviceId !== row.serviceId)
    await ctx.emit(planChanged, {
      organizationId,
      subscriptionId: row.id,
      serviceId: phase.serviceId,
      at,
    });
  if (direction === 'upgrade') await ctx.emit(moreTaken, { organizationId });
  ctx.audit('subscriptions.change', row.id, { serviceId: phase.serviceId, quantity: phase.quantity, at });
  ctx.publish(`org/${row.organizationId}/usage`, { kind: 'subscription' });
  return { ...decided, row };
}

/** Withdraws a change that has not taken effect yet. */
export async function takeBackChange(
  ctx: Ctx,
  input: In<typeof subscriptions.takeBackChange>,
): Promise<void> {
  const row = await lockForChange(ctx, input.subscriptionId, tenant(ctx));
  const pending = row.phases.find((phase) => !phase.isApplied);
  if (!pending) throw domainError(subscriptionsErrors, 'subscriptions.no_pending_change');
  await dropPendingPhase(ctx, row.id);
  await updateSubscription(ctx, row.id, row);
  await insertTransition(ctx, row.id, {
    at: ctx.now,
    action: 'take_back_change',
    from: row.state,
    to: row.state,
    detail: {
      serviceId: required(pending.serviceId, 'the plan of a pending change'),
      quantity: pending.quantity,
      effectiveAt: pending.from,
    },
  });
  await scheduleNextStep(ctx, row.id);
  ctx.audit('subscriptions.takeBackChange', row.id);
  ctx.publish(`org/${row.organizationId}/usage`, { kind: 'subscription' });
}

/** Returns the plans of the family that a subscription can change to, including the current one. */
export async function listPlans(
  ctx: Ctx,
  input: In<typeof subscriptions.listPlans>,
): Promise<Out<typeof subscriptions.listPlans>> {
  const row = await subscriptionById(ctx.db, input.subscriptionId, tenant(ctx));
  if (!row) throw domainError(subscriptionsErrors, 'subscriptions.not_found');
  const present = phaseAt(row.phases, ctx.now);
  const fromId = present.serviceId ?? row.serviceId;
  const { organizationId } = row;
  const from = (await offersFor(ctx, servicesOf(row))).service(fromId);
  const others = (await servicesOfFamily(ctx.db, from.family, ctx.now)).filter(
    (each) => each.id !== fromId && planMistake(from, each) === undefined,
  );
  const offers = await offersFor(
    ctx,
    [from, ...others].map((each) => ({ serviceId: each.id, organizationId })),
  );
  const offer = (serviceId: string) => ({
    pricing: priceAt(offers.plan(serviceId, organizationId).prices, ctx.now).pricing,
    billingCycle: offers.service(serviceId).billingCycle,
    quantity: present.quantity,
    ...(present.chargeQuantities && { chargeQuantities: present.chargeQuantities }),
  });
  const items = [from, ...others].map((service): Plan => {
    const { id, name, description, meter, meterUnits, billingCycle, quota, features, releaseState } = service;
    const { pricing } = offer(id);
    return {
      service: {
        id,
        name,
        description,
        pricing,
        meter,
        meterUnits,
        billingCycle,
        quota,
        features,
        releaseState,
      },
      isCurrent: id === fromId,
      monthlyFee: feeOfMonth(pricing, billingCycle, present),
      direction: directionOf(offer(fromId), offer(id)),
    };
  });
  // Ordered by cost, cheapest first.
  return {
    items: items.toSorted(
      (a, b) =>
        decimal(a.monthlyFee).cmp(decimal(b.monthlyFee)) || (a.service.name < b.service.name ? -1 : 1),
    ),
  };
}
