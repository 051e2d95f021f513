// A pricing as text: one short sentence for each thing that is charged.
import type { Charge, Tier } from '#features/selling/rating/contract.ts';
import { quotedPrice } from '#features/selling/rating/rules.ts';
import { useChargeWords } from '#features/selling/rating/web/parts.ts';
import type { Service, SinglePricing } from '#features/selling/catalogue/contract.ts';
import { cardChargeUnit, isFreeUsage } from '#features/selling/catalogue/rules.ts';
import type { Format } from '#platform/web/format/format.ts';
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
  return pricing.model === 'rate_card'
    ? [
        ...(freeLast ? withFreeLast(pricing.charges) : pricing.charges).map((charge) => {
          const { name, price } = words(charge, cardChargeUnit(charge, meterUnits));
          return {
            sentence: tRating('rating.charge_price', { name, price }),
            parts: { charge: name, price },
          };
        }),
        ...limitWords(pricing, (amount) => format.unitPrice(amount, pricing.currency), t).map(alone),
      ]
    : priceWords(pricing, meter.unit, t, format, billingCycle).map(alone);
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

type Writer = Pick<Format, 'unitPrice' | 'quantity'>;

/**
 * A pricing as text, the fixed fee first; never empty. `unit` is the meter's; a yearly fee is marked as
 * yearly.
 */
export function priceWords(
  pricing: SinglePricing,
  unit: string,
  t: Texts,
  format: Writer,
  cycle: Service['billingCycle'] = 'monthly',
): readonly string[] {
  const price = (amount: string) => format.unitPrice(amount, pricing.currency);
  const words = [
    ...(isCharged(pricing.baseFee)
      ? [
          t(cycle === 'yearly' ? 'subscriptions.price_yearly' : 'subscriptions.price_monthly', {
            amount: price(pricing.baseFee),
          }),
        ]
      : []),
    ...('included' in pricing && isCharged(pricing.included)
      ? [t('subscriptions.price_included', { quantity: format.quantity(pricing.included, unit) })]
      : []),
    ...(isFreeUsage(pricing) ? [] : usageWords(pricing, unit, t, format)),
    ...limitWords(pricing, price, t),
  ];
  if (words.length === 0) return [t('subscriptions.price_free')];
  return pricing.model !== 'flat' && isFreeUsage(pricing)
    ? [...words, t('subscriptions.price_usage_free')]
    : words;
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

function usageWords(pricing: SinglePricing, unit: string, t: Texts, format: Writer): string[] {
  const price = (amount: string) => format.unitPrice(amount, pricing.currency);
  switch (pricing.model) {
    case 'flat':
      return [];
    case 'per_unit':
      return [unitPriceWords(pricing.unitPrice, unit, t, price, format)];
    case 'graduated':
      return tierWords(pricing.tiers, unit, t, price, format);
    case 'volume':
      return pricing.tiers.length === 1
        ? tierWords(pricing.tiers, unit, t, price, format)
        : [t('subscriptions.price_volume'), ...tierWords(pricing.tiers, unit, t, price, format)];
    case 'package':
      return [
        t('subscriptions.price_package', {
          amount: price(pricing.packagePrice),
          size: format.quantity(pricing.packageSize, unit),
        }),
        ...(isCharged(pricing.freeUnits)
          ? [t('subscriptions.price_free_units', { quantity: format.quantity(pricing.freeUnits, unit) })]
          : []),
      ];
  }
}

function unitPriceWords(
  unitPrice: string,
  unit: string,
  t: Texts,
  price: (amount: string) => string,
  format: Writer,
): string {
  const quoted = quotedPrice(unitPrice, unit, format.quantity);
  return t('subscriptions.price_unit', { amount: price(quoted.price), unit: quoted.unit });
}

function tierWords(
  tiers: readonly Tier[],
  unit: string,
  t: Texts,
  price: (amount: string) => string,
  format: Writer,
): string[] {
  return tiers.map((tier, index) => {
    const from = tiers[index - 1]?.upTo ?? null;
    const each = isCharged(tier.unitPrice)
      ? unitPriceWords(tier.unitPrice, unit, t, price, format)
      : t('subscriptions.price_free');
    const fee = isCharged(tier.flatFee)
      ? t('subscriptions.price_flat_fee', { amount: price(tier.flatFee) })
      : '';
    if (from === null && tier.upTo === null) return each + fee;
    const range =
      from === null
        ? t('subscriptions.tier_first', { upTo: format.quantity(tier.upTo ?? '0', unit) })
        : tier.upTo === null
          ? t('subscriptions.tier_last', { from: format.quantity(from, unit) })
          : t('subscriptions.tier_between', {
              from: format.quantity(from),
              upTo: format.quantity(tier.upTo, unit),
            });
    return t('subscriptions.tier', { range, price: each + fee });
  });
}

/** A fee of zero is not shown. */
function isCharged(amount: string | undefined): amount is string {
  return amount !== undefined && !/^0+(\.0+)?$/.test(amount);
}
