// Creates and changes services.
import type { In } from '#kernel/contract.ts';
import { ValidationError, domainError } from '#kernel/errors.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { domainEvent } from '#platform/server/unit-of-work/domain-event.ts';
import { isRestrictViolation } from '#platform/server/unit-of-work/unit-of-work.ts';
import { catalogueErrors, type catalogue, type Meter, type Pricing, type Service } from '../contract.ts';
import { isAddOn, unmetered } from '../rules.ts';
import type { NewMeter } from '#features/selling/meters/contract.ts';
import { requireService, requireLockedService } from './find-service.ts';
import { notifyInterested } from './interest.ts';
import { assertAddOn, assertChargeable, assertSameCurrency, assertNotPast } from './price-checks.ts';
import { assertMeters, assertSamePeriods, limitedMeter, limitFor, pricingSent } from './rate-cards.ts';
import { insertPriceVersion, isCurrentPricing } from './store-prices.ts';
import { insertService, updateServiceRow, type NewService, type ServiceChange } from './store.ts';

/** Creates a service; its first price is in force from now on. */
export async function createService(ctx: Ctx, input: In<typeof catalogue.createService>): Promise<Service> {
  const pricing = pricingSent(input);
  if (!pricing) throw new ValidationError([{ field: 'pricing', code: 'platform.field_required' }]);
  assertChargeable({ ...input, pricing });
  const meter = await meterFor(ctx, pricing, input);
  const quota = await limitFor(ctx, input.quota, pricing, meter);
  assertAddOn(input.addOnTo, { pricing, meter, quota });
  const { id } = await addService(
    ctx,
    { ...withDefaults({ ...input, meter, quota }), externalRef: null },
    pricing,
    ctx.now,
  );
  ctx.audit('catalogue.createService', id);
  return requireService(ctx, id);
}

/**
 * Returns the meter of a new service, to which its limit applies: the submitted one, or that of the first
 * usage charge with a single quantity.
 */
export async function meterFor(
  ctx: Ctx,
  pricing: Pricing,
  sent: { readonly meter?: Meter | undefined; readonly addOnTo?: readonly string[] | undefined },
  newMeters: readonly NewMeter[] = [],
): Promise<Meter> {
  const named = await limitedMeter(ctx, pricing, newMeters);
  // An add-on counts the events of the subscription that it is added to.
  const meter = sent.meter ?? (isAddOn(sent) ? unmetered : named);
  if (meter) return meter;
  if (pricing.model !== 'rate_card')
    throw domainError(catalogueErrors, 'catalogue.meter_needed', {}, ['meter']);
  return unmetered;
}

/** Returns a new service with defaults for missing fields. */
export function withDefaults(
  input: Omit<In<typeof catalogue.createService>, 'pricing' | 'meter'> & { readonly meter: Meter },
): Omit<NewService, 'externalRef'> {
  return {
    name: input.name,
    type: input.type,
    category: input.category,
    description: input.description ?? '',
    status: input.status ?? 'active',
    releaseState: input.releaseState ?? 'Active',
    meter: input.meter,
    billingCycle: input.billingCycle ?? 'monthly',
    proration: input.proration ?? 'day',
    trialDays: input.trialDays ?? 0,
    family: input.family ?? '',
    addOnTo: input.addOnTo ?? [],
    quota: input.quota ?? { type: 'unlimited' },
    features: input.features ?? [],
    tags: input.tags ?? [],
    popular: input.popular ?? false,
    recommended: input.recommended ?? false,
    requiresPrepaidCredit: input.requiresPrepaidCredit ?? false,
  };
}

/** Adds a service and the price version that starts at `effectiveFrom`, unless they exist. */
export async function addService(
  ctx: Ctx,
  service: NewService,
  pricing: Pricing,
  effectiveFrom: Date,
): Promise<{ id: Service['id']; created: boolean; priceCreated: boolean }> {
  const { id, created } = await insertService(ctx, service);
  const priceCreated = await insertPriceVersion(ctx, id, effectiveFrom, pricing);
  return { id, created, priceCreated };
}

/** Emitted when a service starts or stops requiring prepaid credit, in the transaction that changes it. */
export const prepaidRequirementChanged = domainEvent<{
  readonly serviceId: Service['id'];
  readonly isRequired: boolean;
}>('catalogue.prepaidRequirementChanged');

type Change = Omit<In<typeof catalogue.updateService>, 'serviceId' | 'version'>;

/** Changes a service; throws if another user changed it after the version that this change is based on. */
export async function updateService(ctx: Ctx, input: In<typeof catalogue.updateService>): Promise<Service> {
  const { serviceId, version, ...change } = input;
  const before = await requireLockedService(ctx, serviceId);
  if (version !== undefined && version !== before.version)
    throw domainError(catalogueErrors, 'catalogue.changed_meanwhile', { name: before.name });
  const { changed, newPrice } = await changeService(ctx, before, change);
  ctx.audit('catalogue.updateService', before.id, {
    changed,
    newPrice,
    ...(newPrice && change.effectiveFrom ? { effectiveFrom: change.effectiveFrom.toISOString() } : {}),
  });
  return requireService(ctx, before.id);
}

/**
 * Changes a service whose lock the transaction holds. A different pricing becomes a price version, from now
 * on or a later time.
 */
export async function changeService(
  ctx: Ctx,
  before: Service,
  change: Change,
): Promise<{ changed: string[]; newPrice: boolean }> {
  const pricing = pricingSent(change, before.pricing.currency);
  assertChargeable({ ...change, pricing }, before.pricing);
  const quota = await limitFor(ctx, change.quota, pricing ?? before.pricing, before.meter, {
    before: before.quota,
  });
  assertAddOn(change.addOnTo ?? before.addOnTo, {
    pricing: pricing ?? before.pricing,
    meter: before.meter,
    quota: quota ?? before.quota,
  });
  const columns = columnsOf({ ...change, quota });
  const newPrice = await publishPrice(ctx, before, pricing, change.effectiveFrom);
  if (Object.keys(columns).length > 0 || newPrice) await write(ctx, before, columns, change);
  if (
    before.releaseState === 'Coming Soon' &&
    change.releaseState !== undefined &&
    change.releaseState !== 'Coming Soon'
  )
    await notifyInterested(ctx, { ...before, name: change.name ?? before.name });
  if (
    change.requiresPrepaidCredit !== undefined &&
    change.requiresPrepaidCredit !== before.requiresPrepaidCredit
  )
    await ctx.emit(prepaidRequirementChanged, {
      serviceId: before.id,
      isRequired: change.requiresPrepaidCredit,
    });
  return { changed: Object.keys(columns), newPrice };
}

/**
 * Stores the columns; the database rejects a different billing cycle once the service has subscriptions,
 * because it would change past fees.
 */
async function write(ctx: Ctx, before: Service, columns: ServiceChange, change: Change): Promise<void> {
  try {
    await updateServiceRow(ctx, before.id, columns);
  } catch (error) {
    if (isRestrictViolation(error))
      throw domainError(
        catalogueErrors,
        'catalogue.cycle_fixed',
        {},
        (['billingCycle', 'proration'] as const).filter(
          (field) => change[field] !== undefined && change[field] !== before[field],
        ),
      );
    throw error;
  }
}

/** Adds the price version, if there is one to add; returns whether it did. */
async function publishPrice(
  ctx: Ctx,
  service: Service,
  pricing: Pricing | undefined,
  effectiveFrom: Date | undefined,
): Promise<boolean> {
  if (!pricing) {
    if (effectiveFrom) throw new ValidationError([{ field: 'pricing', code: 'platform.field_required' }]);
    return false;
  }
  assertSameCurrency(pricing, service.pricing.currency);
  assertNotPast(effectiveFrom, ctx.now);
  await assertSamePeriods(ctx, service.id, pricing);
  await assertMeters(ctx, pricing);
  // The price in force needs no second version; a scheduled price may well equal today's.
  if (!effectiveFrom && (await isCurrentPricing(ctx, service.id, pricing))) return false;
  if (!(await insertPriceVersion(ctx, service.id, effectiveFrom ?? ctx.now, pricing)))
    throw domainError(catalogueErrors, 'catalogue.price_there', {}, ['effectiveFrom']);
  return true;
}

function columnsOf(change: Change): ServiceChange {
  const all: Record<keyof ServiceChange, ServiceChange[keyof ServiceChange] | undefined> = {
    name: change.name,
    type: change.type,
    category: change.category,
    description: change.description,
    status: change.status,
    release_state: change.releaseState,
    billing_cycle: change.billingCycle,
    proration: change.proration,
    trial_days: change.trialDays,
    family: change.family,
    add_on_to: change.addOnTo,
    quota_type: change.quota?.type,
    quota_limit: change.quota && (change.quota.type === 'unlimited' ? null : change.quota.limit),
    quota_meter: change.quota && (change.quota.type === 'unlimited' ? null : (change.quota.meter ?? null)),
    features: change.features && JSON.stringify(change.features),
    tags: change.tags,
    popular: change.popular,
    recommended: change.recommended,
    requires_prepaid_credit: change.requiresPrepaidCredit,
    data_schema: change.dataSchema && JSON.stringify(change.dataSchema),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}
