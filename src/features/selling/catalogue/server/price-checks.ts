// Checks whether a price and a quota may be published; errors name the field.
import { decimal, zero } from '#kernel/decimal.ts';
import { domainError } from '#kernel/errors.ts';
import type { Currency } from '#kernel/money.ts';
import type { DataSchema } from '#features/selling/meters/contract.ts';
import { compileSchema } from '#features/selling/meters/server/index.ts';
import { catalogueErrors, type Meter, type Pricing, type Quota, type Service } from '../contract.ts';
import { isAddOn, isMetered } from '../rules.ts';
import { pricingIssue } from '../rules-prices.ts';
import { assertRateCard } from './rate-cards.ts';

/**
 * Rejects what cannot be charged, limited or counted. `before`: the price in force, whose charges may stay
 * unchanged.
 */
export function assertChargeable(
  {
    pricing,
    quota,
    meter,
    dataSchema,
  }: {
    pricing?: Pricing | undefined;
    quota?: Quota | undefined;
    meter?: Meter | undefined;
    dataSchema?: DataSchema | null | undefined;
  },
  before?: Pricing,
): void {
  if (pricing) assertRateCard(pricing, before);
  const issue = pricing && pricingIssue(pricing);
  if (issue) throw domainError(catalogueErrors, issue.code, {}, [issue.field]);
  if (quota && quota.type !== 'unlimited' && decimal(quota.limit).lte(zero))
    throw domainError(catalogueErrors, 'catalogue.quota_zero', {}, ['quota.limit']);
  if (meter?.aggregation === 'unique_count' && !meter.property)
    throw domainError(catalogueErrors, 'catalogue.property_needed', {}, ['meter.property']);
  if (meter?.dataSchema) assertSchema(meter.dataSchema, 'meter.dataSchema');
  if (dataSchema) assertSchema(dataSchema, 'dataSchema');
}

/**
 * Throws if an add-on would have a single price, usage of its own, or a limit: it charges for its
 * subscription's events, and the limit belongs to that subscription.
 */
export function assertAddOn(
  addOnTo: Service['addOnTo'] | undefined,
  {
    pricing,
    meter,
    quota,
  }: { readonly pricing: Pricing; readonly meter: Meter; readonly quota: Quota | undefined },
): void {
  if (!isAddOn({ addOnTo })) return;
  if (pricing.model !== 'rate_card' || isMetered(meter))
    throw domainError(catalogueErrors, 'catalogue.add_on_price', {}, ['addOnTo']);
  if (quota && quota.type !== 'unlimited')
    throw domainError(catalogueErrors, 'catalogue.add_on_limit', {}, ['quota']);
}

function assertSchema(schema: DataSchema, field: string): void {
  const made = compileSchema(schema);
  if ('reason' in made)
    throw domainError(catalogueErrors, 'catalogue.schema_wrong', { reason: made.reason }, [field]);
}

/**
 * Throws if a price has a different currency than the service: subscriptions in one currency cannot be billed
 * in another.
 */
export function assertSameCurrency(pricing: Pricing, currency: Currency): void {
  if (pricing.currency !== currency)
    throw domainError(catalogueErrors, 'catalogue.currency_differs', { currency }, ['pricing.currency']);
}

/** Throws if a time is in the past, because past usage keeps its price. */
export function assertNotPast(moment: Date | undefined, now: Date): void {
  if (moment && moment < now)
    throw domainError(catalogueErrors, 'catalogue.moment_past', {}, ['effectiveFrom']);
}
