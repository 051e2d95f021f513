// A pricing as text: one short sentence for each thing that is charged.
import { decimal, isZero } from '#kernel/decimal.ts';
import type { Charge } from '#features/selling/rating/contract.ts';
import type { QuantityPrice, QuantityPriceTexts } from '#features/selling/rating/rules.ts';
import { useChargeWords, useQuantityPriceTexts } from '#features/selling/rating/web/parts.ts';
import type { Service, SinglePricing } from '#features/selling/catalogue/contract.ts';
import { cardChargeUnit, isFreeUsage } from '#features/selling/catalogue/rules.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation, type Translate } from '#platform/web/i18n/i18n.ts';

type Texts = Translate<'subscriptions'>;
type Priced = Pick<Service, 'pricing' | 'meter' | 'meterUnits'> & Partial<Pick<Service, 'billingCycle'>>;

/**
 * A service's price in the user's language: the sentences of its pricing, or one sentence for each charge of
 * its rate card.
 */
export function usePriceWords(service: Priced): readonly string[] {
  return usePriceLines(service).map(({ sentence }) => sentence);
}

/**
 * A sentence of a price; for a charge also split in two parts, its name and its price, for places that show
 * them in two columns.
 */
export type PriceLine = {
  readonly sentence: string;
  readonly parts?: { readonly charge: string; readonly price: string };
};

/** `freeLast` puts charges without cost after the others. */
export function usePriceLines(
  { pricing, meter, meterUnits, billingCycle }: Priced,
  { freeLast = false } = {},
): readonly PriceLine[] {
  const { t } = useTranslation('subscriptions');
  const { t: tRating } = useTranslation('rating');
  const format = useFormat();
  const words = useChargeWords(pricing.currency);
  const usageTexts = useQuantityPriceTexts(pricing.currency);
  const price = (amount: string): string => format.unitPrice(amount, pricing.currency);
  return pricing.model === 'rate_card'
    ? [
        ...(freeLast ? withFreeLast(pricing.charges) : pricing.charges).map((charge) => {
          const charged = words(charge, cardChargeUnit(charge, meterUnits));
          return {
            sentence: tRating('rating.charge_price', charged),
            parts: { charge: charged.name, price: charged.price },
          };
        }),
        ...limitWords(pricing, price, t).map(alone),
      ]
    : priceWords(pricing, (usage) => usageTexts(usage, meter.unit), price, t, billingCycle).map(alone);
}

const alone = (sentence: string): PriceLine => ({ sentence });

/**
 * Charges in their order, those with a unit price of zero last: a customer wants to know what costs
 * something.
 */
const withFreeLast = (charges: readonly Charge[]): readonly Charge[] => {
  const isFree = (charge: Charge): boolean => charge.model === 'per_unit' && !isCharged(charge.unitPrice);
  return [...charges.filter((charge) => !isFree(charge)), ...charges.filter(isFree)];
};

/** A pricing as text, the fixed fee first; never empty. A yearly fee is marked as yearly. */
export function priceWords(
  pricing: SinglePricing,
  usageTexts: (price: QuantityPrice) => QuantityPriceTexts,
  price: (amount: string) => string,
  t: Texts,
  cycle: Service['billingCycle'] | undefined,
): readonly string[] {
  const fees = isCharged(pricing.baseFee)
    ? [
        t(cycle === 'yearly' ? 'subscriptions.price_yearly' : 'subscriptions.price_monthly', {
          amount: price(pricing.baseFee),
        }),
      ]
    : [];
  const limits = limitWords(pricing, price, t);
  if (pricing.model !== 'flat' && !isFreeUsage(pricing)) {
    const { price: usagePrice, included, tiers } = usageTexts(pricing);
    return [...fees, ...(tiers.length > 0 ? tiers : [usagePrice]), ...included, ...limits];
  }
  if (fees.length + limits.length === 0) return [t('subscriptions.price_free')];
  return [...fees, ...limits, ...(pricing.model === 'flat' ? [] : [t('subscriptions.price_usage_free')])];
}

function limitWords(
  { minimum, maximum }: Pick<Service['pricing'], 'minimum' | 'maximum'>,
  price: (amount: string) => string,
  t: Texts,
): string[] {
  return [
    ...(isCharged(minimum) ? [t('subscriptions.price_minimum', { amount: price(minimum) })] : []),
    // A maximum of zero is a price too: everything is free.
    ...(maximum === undefined ? [] : [t('subscriptions.price_maximum', { amount: price(maximum) })]),
  ];
}

/** A fee of zero is not shown. */
function isCharged(amount: string | undefined): amount is string {
  return amount !== undefined && !isZero(decimal(amount));
}
