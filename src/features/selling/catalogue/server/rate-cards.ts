// Charges of a service as its price: the rate card that an Admin sends, and what of a charge never changes.
import { ValidationError, domainError } from '#kernel/errors.ts';
import type { Currency } from '#kernel/money.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { ratingErrors, type RateCard } from '#features/selling/rating/contract.ts';
import type { Meter } from '#features/selling/meters/contract.ts';
import { metersByKeys } from '#features/selling/meters/server/index.ts';
import { dimensionsOf, hasOtherPeriods, rateCardMistake } from '#features/selling/rating/rules.ts';
import { catalogueErrors, type Pricing } from '../contract.ts';
import { linkMeters, overridesOf, priceHistory } from './store-prices.ts';

/** The fields of a price as a call sends them: a pricing, or charges with what belongs to all of them. */
export type SentPrice = {
  readonly pricing?: Pricing | undefined;
  readonly charges?: RateCard['charges'] | undefined;
  readonly currency?: Currency | undefined;
  readonly minimum?: string | undefined;
  readonly maximum?: string | undefined;
};

/**
 * The pricing that a call sends, or undefined when it sends none. `currency` is the service's, for a call without one. Throws when it
 * sends both forms, or charges without a currency.
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

/** Throws when a rate card is wrong, at the field of the call: `charges.2.tiers.0.upTo`. */
export function assertRateCard(pricing: Pricing): void {
  const mistake = pricing.model === 'rate_card' ? rateCardMistake(pricing) : undefined;
  if (mistake) throw domainError(ratingErrors, mistake.code, {}, [mistake.field]);
}

/**
 * Checks the meters that a rate card names, and notes that the service uses them, so that they stay what they are. Throws at the charge
 * whose meter does not exist, or does not have a dimension that the charge's price depends on.
 */
export async function useMeters(ctx: Ctx, serviceId: string, pricing: Pricing): Promise<void> {
  const used = await metersOfCard(ctx, pricing);
  await linkMeters(
    ctx,
    serviceId,
    used.map(({ id }) => id),
  );
}

/** The meters that a price's charges name. Throws like {@link useMeters}. */
export async function metersOfCard(ctx: Ctx, pricing: Pricing): Promise<readonly Meter[]> {
  if (pricing.model !== 'rate_card') return [];
  const keys = [...new Set(pricing.charges.flatMap(({ meter }) => meter ?? []))];
  const found = new Map((await metersByKeys(ctx, keys)).map((meter) => [meter.key, meter]));
  for (const [index, charge] of pricing.charges.entries()) {
    if (charge.meter === undefined) continue;
    const meter = found.get(charge.meter);
    if (!meter)
      throw domainError(ratingErrors, 'rating.meter_unknown', { key: charge.meter }, [
        `charges.${index}.meter`,
      ]);
    const missing = dimensionsOf(charge).find((dimension) => !meter.dimensions.includes(dimension));
    if (missing !== undefined)
      throw domainError(ratingErrors, 'rating.dimension_unknown', { dimension: missing, key: meter.key }, [
        `charges.${index}.rates`,
      ]);
    if (meter.dimensions.length === 0 && 'tierScope' in charge && charge.tierScope === 'per_value')
      throw domainError(ratingErrors, 'rating.no_dimensions', { key: meter.key }, [
        `charges.${index}.tierScope`,
      ]);
  }
  return [...found.values()];
}

/**
 * Throws when a charge has other periods, or another meter, than a charge with its key had in any price of the service: what was
 * billed by it could then be billed twice, or never.
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
