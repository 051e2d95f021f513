// Charges of a service as its price: the rate card that an Admin sends, and what of a charge never changes.
import { ValidationError, domainError } from '#kernel/errors.ts';
import type { Currency } from '#kernel/money.ts';
import type { Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { ratingErrors, type RateCard } from '#features/selling/rating/contract.ts';
import { hasOtherPeriods, rateCardMistake } from '#features/selling/rating/rules.ts';
import { catalogueErrors, type Pricing } from '../contract.ts';
import { overridesOf, priceHistory } from './store-prices.ts';

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

/** Throws at the first charge whose meter does not exist. */
export function assertMetersKnown(pricing: Pricing): void {
  if (pricing.model !== 'rate_card') return;
  for (const [index, { meter }] of pricing.charges.entries())
    if (meter !== undefined)
      throw domainError(ratingErrors, 'rating.meter_unknown', { key: meter }, [`charges.${index}.meter`]);
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
