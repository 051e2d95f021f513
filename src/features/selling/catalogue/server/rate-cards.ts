// Charges as a service's price: the rate card submitted by an Admin, and the parts of a charge that never
// change.
import { required } from '#kernel/assert.ts';
import { ValidationError, domainError } from '#kernel/errors.ts';
import type { Currency } from '#kernel/money.ts';
import type { TextParams } from '#kernel/text.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { ratingErrors, type RateCard } from '#features/selling/rating/contract.ts';
import { aggregations, type NewMeter } from '#features/selling/meters/contract.ts';
import { meterByKey } from '#features/selling/meters/server/index.ts';
import { hasOtherPeriods, rateCardMistake, unknownDimension } from '#features/selling/rating/rules.ts';
import { catalogueErrors, type Meter, type Pricing, type Quota } from '../contract.ts';
import { isMetered } from '../rules.ts';
import { limitMistake } from '../rules-limits.ts';
import { overridesOf, priceHistory } from './store-prices.ts';

/** The price fields of a request: a pricing, or charges with the fields that apply to all of them. */
export type SentPrice = {
  readonly pricing?: Pricing | undefined;
  readonly charges?: RateCard['charges'] | undefined;
  readonly currency?: Currency | undefined;
  readonly minimum?: string | undefined;
  readonly maximum?: string | undefined;
};

/**
 * Returns the submitted pricing; undefined if there is none. `currency` is the service's, for a request
 * without one. Throws for both forms at once, or charges without a currency.
 */
export function pricingSent(sent: SentPrice, currency?: Currency): Pricing | undefined {
  const { pricing, charges, minimum, maximum } = sent;
  if (!charges) {
    const stray = (['currency', 'minimum', 'maximum'] as const).find((field) => sent[field] !== undefined);
    if (stray !== undefined) throw new ValidationError([{ field: stray, code: 'platform.field_unknown' }]);
    return pricing;
  }
  if (pricing) throw domainError(catalogueErrors, 'catalogue.pricing_or_charges', {}, ['charges']);
  const of = sent.currency ?? currency;
  if (of === undefined)
    throw domainError(catalogueErrors, 'catalogue.charges_currency_needed', {}, ['currency']);
  return {
    model: 'rate_card',
    currency: of,
    charges,
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
  };
}

/**
 * Throws if a rate card is invalid, at the field of the request: `charges.2.tiers.0.upTo`. `before`: the
 * price in force.
 */
export function assertRateCard(pricing: Pricing, before: Pricing | undefined): void {
  const known = before?.model === 'rate_card' ? before.charges : [];
  const mistake = pricing.model === 'rate_card' ? rateCardMistake(pricing, known) : undefined;
  if (mistake) throw domainError(ratingErrors, mistake.code, {}, [mistake.field]);
}

/**
 * Throws at a charge whose meter does not exist, or that prices data its meter does not provide. Until the
 * transaction ends, no one can change what the meters measure. `newMeters` are about to be created.
 */
export async function assertMeters(
  ctx: Ctx,
  pricing: Pricing,
  newMeters: readonly NewMeter[] = [],
): Promise<void> {
  await metersOfCard(ctx, pricing, newMeters);
}

/**
 * Returns the meter of a rate card's first usage charge with a single quantity, to which its service's limit
 * can apply.
 */
export async function limitedMeter(
  ctx: Ctx,
  pricing: Pricing,
  newMeters: readonly NewMeter[],
): Promise<Meter | undefined> {
  for (const meter of await metersOfCard(ctx, pricing, newMeters)) {
    const { eventType, property, unit } = meter;
    const aggregation = aggregations.find((each) => each === meter.aggregation);
    if (aggregation && (meter.dimensions?.length ?? 0) === 0 && !meter.filter)
      return { eventType, aggregation, unit, ...(property !== undefined && { property }) };
  }
  return undefined;
}

/**
 * Returns the limit of a service in its stored form: with its meter if that is not the service's own one.
 * Without a meter, it applies to that of `before`, to the own one, or to the first that can be limited.
 * @throws DomainError at `quota.meter` when no usage charge names the meter, or its quantity cannot be
 * limited.
 */
export async function limitFor(
  ctx: Ctx,
  quota: Quota | undefined,
  pricing: Pricing,
  own: Meter,
  { newMeters = [], before }: { newMeters?: readonly NewMeter[]; before?: Quota } = {},
): Promise<Quota | undefined> {
  if (!quota || quota.type === 'unlimited') return quota;
  const charged = await metersOfCard(ctx, pricing, newMeters);
  const wanted = quota.meter ?? (before?.type === 'unlimited' ? undefined : before?.meter);
  const meter = charged.find(({ key }) => key === wanted);
  if (quota.meter !== undefined && !meter)
    throw domainError(catalogueErrors, 'catalogue.quota_meter_unknown', { key: quota.meter }, [
      'quota.meter',
    ]);
  if (meter) {
    const mistake = limitMistake(meter.aggregation);
    if (mistake) throw domainError(catalogueErrors, mistake, { key: meter.key }, ['quota.meter']);
    return { ...quota, meter: meter.key };
  }
  if (isMetered(own)) return quota;
  const first = charged.find(({ aggregation }) => limitMistake(aggregation) === undefined);
  if (!first) throw domainError(catalogueErrors, 'catalogue.quota_unmetered', {}, ['quota']);
  return { ...quota, meter: first.key };
}

/** Returns the meters of a price's usage charges, in the order of the charges. */
async function metersOfCard(
  ctx: Ctx,
  pricing: Pricing,
  newMeters: readonly NewMeter[],
): Promise<readonly NewMeter[]> {
  if (pricing.model !== 'rate_card') return [];
  const meters: NewMeter[] = [];
  for (const [index, charge] of pricing.charges.entries()) {
    if (charge.kind !== 'usage') continue;
    const key = required(charge.meter, 'the meter of a usage charge');
    const meter = (await meterByKey(ctx, key)) ?? newMeters.find((each) => each.key === key);
    if (!meter) throw wrongAt(index, 'meter', 'rating.meter_unknown', { key });
    const unknown = unknownDimension(charge, meter.dimensions ?? []);
    if (unknown)
      throw wrongAt(index, unknown.field, 'rating.dimension_unknown', { key, dimension: unknown.dimension });
    meters.push(meter);
  }
  return meters;
}

const wrongAt = (
  index: number,
  field: string,
  code: keyof typeof ratingErrors & string,
  params: TextParams,
) => domainError(ratingErrors, code, params, [`charges.${index}.${field}`]);

/**
 * Throws if a charge has different periods, or a different meter, than a charge with its key in any price of
 * the service: what was billed with it could otherwise be billed twice, or never.
 */
export async function assertSamePeriods(ctx: Ctx, serviceId: string, pricing: Pricing): Promise<void> {
  if (pricing.model !== 'rate_card') return;
  const [list, overrides] = await Promise.all([priceHistory(ctx, serviceId), overridesOf(ctx, serviceId)]);
  const earlier = [...list, ...overrides].flatMap(({ pricing: each }) =>
    each.model === 'rate_card' ? each.charges : [],
  );
  for (const [index, charge] of pricing.charges.entries())
    if (earlier.some((each) => each.key === charge.key && hasOtherPeriods(each, charge)))
      throw domainError(catalogueErrors, 'catalogue.charge_fixed', { key: charge.key }, [
        `charges.${index}.key`,
      ]);
}
