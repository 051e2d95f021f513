// A service's prices over time: versions of the list price, and overrides for single organizations.
import type { In, Out } from '#kernel/contract.ts';
import { required } from '#kernel/assert.ts';
import { ValidationError, domainError } from '#kernel/errors.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { organizationById } from '#features/access/identity/server/index.ts';
import { ratingErrors } from '#features/selling/rating/contract.ts';
import { catalogueErrors, type catalogue, type PriceOverride, type Pricing } from '../contract.ts';
import { overlap } from '../rules-prices.ts';
import { requireService, requireLockedService } from './find-service.ts';
import { assertChargeable, assertSameCurrency, assertNotPast } from './price-checks.ts';
import { assertMeters, assertSamePeriods } from './rate-cards.ts';
import {
  deleteScheduledPrice,
  endOverrideNow,
  insertOverride,
  overridesOf,
  priceHistory,
} from './store-prices.ts';
import { updateServiceRow } from './store.ts';

/** Returns all versions of the list price, newest first. */
export async function listPrices(
  ctx: Ctx,
  input: In<typeof catalogue.listPrices>,
): Promise<Out<typeof catalogue.listPrices>> {
  await requireService(ctx, input.serviceId);
  return { items: await priceHistory(ctx, input.serviceId) };
}

/** Withdraws a scheduled price, which no bill has used. */
export async function withdrawPrice(ctx: Ctx, input: In<typeof catalogue.withdrawPrice>): Promise<null> {
  const service = await requireLockedService(ctx, input.serviceId);
  if (!(await deleteScheduledPrice(ctx, service.id, input.priceVersionId))) {
    const isThere = (await priceHistory(ctx, service.id)).some(
      (version) => version.id === input.priceVersionId,
    );
    throw domainError(catalogueErrors, isThere ? 'catalogue.price_in_force' : 'catalogue.price_not_found');
  }
  await updateServiceRow(ctx, service.id, {});
  ctx.audit('catalogue.withdrawPrice', service.id, { priceVersionId: input.priceVersionId });
  return null;
}

/** Returns the prices of single organizations, newest first. */
export async function listOverrides(
  ctx: Ctx,
  input: In<typeof catalogue.listOverrides>,
): Promise<Out<typeof catalogue.listOverrides>> {
  await requireService(ctx, input.serviceId);
  return { items: await overridesOf(ctx, input.serviceId) };
}

/**
 * Gives an organization its own price. An organization has one override of a service at a time, so overrides
 * are added under the service's lock.
 */
export async function addOverride(ctx: Ctx, input: In<typeof catalogue.addOverride>): Promise<PriceOverride> {
  const service = await requireLockedService(ctx, input.serviceId);
  const { pricing, onlyCharges } = agreedPrice(input, service.pricing);
  assertChargeable({ pricing }, service.pricing);
  assertSameCurrency(pricing, service.pricing.currency);
  await assertSamePeriods(ctx, service.id, pricing);
  await assertMeters(ctx, pricing);
  assertNotPast(input.effectiveFrom, ctx.now);
  if (!(await organizationById(ctx.db, input.organizationId)))
    throw domainError(catalogueErrors, 'catalogue.organization_unknown', {}, ['organizationId']);
  const time = { id: '', effectiveFrom: input.effectiveFrom ?? ctx.now, until: input.until ?? null };
  if (time.until && time.until <= time.effectiveFrom)
    throw domainError(catalogueErrors, 'catalogue.override_until_wrong', {}, ['until']);
  const others = await overridesOf(ctx, service.id, { organizationId: input.organizationId });
  if (others.some((other) => overlap(other, time)))
    throw domainError(catalogueErrors, 'catalogue.override_overlaps', {}, ['effectiveFrom', 'until']);
  const id = await insertOverride(ctx, {
    serviceId: service.id,
    organizationId: input.organizationId,
    ...time,
    pricing,
    onlyCharges,
    reason: input.reason,
  });
  ctx.audit('catalogue.addOverride', id, {
    serviceId: service.id,
    organizationId: input.organizationId,
    effectiveFrom: time.effectiveFrom.toISOString(),
    until: time.until?.toISOString() ?? null,
  });
  return required((await overridesOf(ctx, service.id, { id }))[0], 'the override just made');
}

/**
 * Returns what a request agrees on: a whole price, or single charges of the list price in force. Throws if it
 * contains neither, both, or an unknown charge.
 */
function agreedPrice(
  { pricing, charges }: Pick<In<typeof catalogue.addOverride>, 'pricing' | 'charges'>,
  listed: Pricing,
): { pricing: Pricing; onlyCharges: boolean } {
  if (pricing && charges) throw domainError(catalogueErrors, 'catalogue.pricing_or_charges', {}, ['charges']);
  if (pricing) return { pricing, onlyCharges: false };
  if (!charges) throw new ValidationError([{ field: 'pricing', code: 'platform.field_required' }]);
  const known = listed.model === 'rate_card' ? listed.charges.map(({ key }) => key) : [];
  for (const [index, { key }] of charges.entries())
    if (!known.includes(key))
      throw domainError(ratingErrors, 'rating.charge_unknown', { key }, [`charges.${index}.key`]);
  return { pricing: { model: 'rate_card', currency: listed.currency, charges }, onlyCharges: true };
}

/** Ends an organization's own price now; earlier charges are unchanged. */
export async function endOverride(ctx: Ctx, input: In<typeof catalogue.endOverride>): Promise<null> {
  await requireLockedService(ctx, input.serviceId);
  const [override] = await overridesOf(ctx, input.serviceId, { id: input.overrideId });
  if (!override) throw domainError(catalogueErrors, 'catalogue.override_not_found');
  if (override.state === 'past') throw domainError(catalogueErrors, 'catalogue.override_ended');
  await endOverrideNow(ctx, override);
  ctx.audit('catalogue.endOverride', override.id, {
    serviceId: input.serviceId,
    organizationId: override.organizationId,
  });
  return null;
}
