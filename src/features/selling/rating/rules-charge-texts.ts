// Describes a charge's price: its name, a short sentence, and further details. For screens and documents.
import { decimal, isZero } from '#kernel/decimal.ts';
import { type Language, inLanguage } from '#kernel/language.ts';
import type { Currency } from '#kernel/money.ts';
import type { TextParams } from '#kernel/text.ts';
import type { Charge, MatrixRate, PercentageTier, Tier } from './contract.ts';
import type { Cycle } from './rules-cycles.ts';

/** The sentences and fragments that price texts consist of. */
type ChargeTextKey =
  | 'rating.price_free'
  | 'rating.price_per_unit'
  | 'rating.price_tiers'
  | 'rating.price_package'
  | 'rating.price_percentage'
  | 'rating.price_percentage_fixed'
  | 'rating.price_graduated_percentage'
  | 'rating.price_dynamic'
  | 'rating.price_matrix'
  | 'rating.price_once'
  | 'rating.price_per_cycle'
  | 'rating.charge_price'
  | 'rating.everything_else'
  | 'rating.detail_included'
  | 'rating.detail_minimum'
  | 'rating.detail_maximum'
  | 'rating.detail_volume'
  | 'rating.detail_free_events'
  | 'rating.detail_free_amount'
  | 'rating.detail_min_per_event'
  | 'rating.detail_max_per_event'
  | 'rating.detail_tier'
  | 'rating.detail_tier_last'
  | 'rating.detail_tier_fee'
  | 'rating.detail_both'
  | `rating.per_${Cycle}`;
type ChargeTexts = (key: ChargeTextKey, params?: TextParams) => string;
/** How a language formats numbers. */
type ChargeWriter = {
  readonly unitPrice: (amount: string, currency: Currency) => string;
  readonly number: (value: string) => string;
  readonly list: (items: readonly string[]) => string;
};
type Amount = (amount: string) => string;
export type ChargeWords = { readonly name: string; readonly price: string };

const lowest = (prices: readonly string[]): string =>
  prices.reduce((least, price) => (decimal(price).lt(decimal(least)) ? price : least), prices[0] ?? '0');

const isFree = (price: string): boolean => isZero(decimal(price));
const costsNothing = (tiers: readonly Tier[]): boolean =>
  tiers.every(({ unitPrice, flatFee }) => isFree(unitPrice) && isFree(flatFee ?? '0'));

/** Whether a charge is free, whatever is used. */
function isFreeCharge(charge: Charge): boolean {
  if (!isFree(charge.minimum ?? '0')) return false;
  switch (charge.model) {
    case 'flat':
      return isFree(charge.amount);
    case 'per_unit':
      return isFree(charge.unitPrice);
    case 'graduated':
    case 'volume':
      return costsNothing(charge.tiers);
    case 'package':
      return isFree(charge.packagePrice);
    case 'percentage':
      return [charge.ratePercent, charge.fixedPerEvent, charge.minPerEvent].every((price) =>
        isFree(price ?? '0'),
      );
    case 'graduated_percentage':
      return charge.tiers.every(({ ratePercent, flatFee }) => isFree(ratePercent) && isFree(flatFee ?? '0'));
    case 'matrix':
      return charge.rates.every((rate) =>
        'unitPrice' in rate
          ? isFree(rate.unitPrice)
          : 'tiers' in rate
            ? costsNothing(rate.tiers)
            : isFree(rate.package.packagePrice),
      );
    case 'dynamic':
      return false;
  }
}

/** The price of a charge, without its limits. */
function priceOf(
  charge: Charge,
  currency: Currency,
  t: ChargeTexts,
  format: Omit<ChargeWriter, 'list'>,
): string {
  const price = (amount: string): string => format.unitPrice(amount, currency);
  switch (charge.model) {
    case 'flat':
      return price(charge.amount);
    case 'per_unit':
      return t('rating.price_per_unit', { price: price(charge.unitPrice) });
    case 'graduated':
    case 'volume':
      return t('rating.price_tiers', {
        price: price(lowest(charge.tiers.map(({ unitPrice }) => unitPrice))),
        count: charge.tiers.length,
      });
    case 'package':
      return t('rating.price_package', {
        price: price(charge.packagePrice),
        size: format.number(charge.packageSize),
      });
    case 'percentage':
      return charge.fixedPerEvent === undefined
        ? t('rating.price_percentage', { percent: format.number(charge.ratePercent) })
        : t('rating.price_percentage_fixed', {
            percent: format.number(charge.ratePercent),
            fee: price(charge.fixedPerEvent),
          });
    case 'graduated_percentage':
      return t('rating.price_graduated_percentage', {
        percent: format.number(lowest(charge.tiers.map(({ ratePercent }) => ratePercent))),
        count: charge.tiers.length,
      });
    case 'dynamic':
      return t('rating.price_dynamic');
    case 'matrix':
      return t('rating.price_matrix', { count: charge.rates.length });
  }
}

/** Describes a charge in a language: `Seats`, `$5 each per month`; a free charge is called free. */
export function chargeWords(
  charge: Charge,
  currency: Currency,
  language: Language,
  t: ChargeTexts,
  format: Omit<ChargeWriter, 'list'>,
): ChargeWords {
  const name = inLanguage(charge.name, language);
  if (isFreeCharge(charge)) return { name, price: t('rating.price_free') };
  const price = priceOf(charge, currency, t, format);
  // used as: 'rating.per_*'
  const often =
    charge.kind === 'one_time'
      ? t('rating.price_once', { price })
      : charge.kind === 'recurring'
        ? t('rating.price_per_cycle', { price, cycle: t(`rating.per_${charge.cycle ?? 'month'}`) })
        : price;
  return { name, price: often };
}

/** Returns the sentences of a charge's details, in the order of the calculation; empty for a plain price. */
export function chargeDetails(
  charge: Charge,
  currency: Currency,
  t: ChargeTexts,
  format: ChargeWriter,
): string[] {
  const price: Amount = (amount) => format.unitPrice(amount, currency);
  const detail = (value: string | undefined, sentence: (text: string) => string): string[] =>
    value === undefined ? [] : [sentence(value)];
  return [
    ...('included' in charge
      ? detail(charge.included, (quantity) =>
          t('rating.detail_included', { quantity: format.number(quantity) }),
        )
      : []),
    ...modelDetails(charge, price, t, format),
    ...detail(charge.minimum, (amount) => t('rating.detail_minimum', { amount: price(amount) })),
    ...detail(charge.maximum, (amount) => t('rating.detail_maximum', { amount: price(amount) })),
  ];
}

function modelDetails(charge: Charge, price: Amount, t: ChargeTexts, format: ChargeWriter): string[] {
  switch (charge.model) {
    case 'flat':
    case 'per_unit':
    case 'dynamic':
      return [];
    case 'graduated':
      return charge.tiers.length < 2 ? [] : tierDetails(charge.tiers, price, t, format);
    case 'volume':
      return charge.tiers.length < 2
        ? []
        : [t('rating.detail_volume'), ...tierDetails(charge.tiers, price, t, format)];
    case 'package':
      return charge.freeUnits === undefined
        ? []
        : [t('rating.detail_included', { quantity: format.number(charge.freeUnits) })];
    case 'percentage':
      return [
        ...(charge.freeEvents === undefined
          ? []
          : [t('rating.detail_free_events', { count: format.number(String(charge.freeEvents)) })]),
        ...(charge.freeAmount === undefined
          ? []
          : [t('rating.detail_free_amount', { amount: price(charge.freeAmount) })]),
        ...(charge.minPerEvent === undefined
          ? []
          : [t('rating.detail_min_per_event', { amount: price(charge.minPerEvent) })]),
        ...(charge.maxPerEvent === undefined
          ? []
          : [t('rating.detail_max_per_event', { amount: price(charge.maxPerEvent) })]),
      ];
    case 'graduated_percentage':
      return tierDetails(charge.tiers, price, t, format);
    case 'matrix':
      return charge.rates.map((rate) =>
        t('rating.charge_price', {
          name: conditionsText(rate, t, format),
          price: ratePrice(rate, price, t, format),
        }),
      );
  }
}

const conditionsText = ({ when }: MatrixRate, t: ChargeTexts, format: ChargeWriter): string => {
  const values = Object.values(when);
  return values.length === 0 ? t('rating.everything_else') : format.list(values);
};

const joined = (sentences: readonly string[], t: ChargeTexts): string =>
  sentences.reduce((first, next) => t('rating.detail_both', { first, next }));

const unitPriceText = (unitPrice: string, price: Amount, t: ChargeTexts): string =>
  isFree(unitPrice) ? t('rating.price_free') : t('rating.price_per_unit', { price: price(unitPrice) });

function ratePrice(rate: MatrixRate, price: Amount, t: ChargeTexts, format: ChargeWriter): string {
  if ('unitPrice' in rate) return unitPriceText(rate.unitPrice, price, t);
  if ('tiers' in rate) return joined(tierDetails(rate.tiers, price, t, format), t);
  const { packagePrice, packageSize, freeUnits } = rate.package;
  if (isFree(packagePrice)) return t('rating.price_free');
  const each = t('rating.price_package', { price: price(packagePrice), size: format.number(packageSize) });
  return freeUnits === undefined
    ? each
    : joined([each, t('rating.detail_included', { quantity: format.number(freeUnits) })], t);
}

function tierDetails(
  tiers: readonly (Tier | PercentageTier)[],
  price: Amount,
  t: ChargeTexts,
  format: ChargeWriter,
): string[] {
  return tiers.map((tier, index) => {
    const from = format.number(tiers[index - 1]?.upTo ?? '0');
    const each =
      'unitPrice' in tier
        ? unitPriceText(tier.unitPrice, price, t)
        : t('rating.price_percentage', { percent: format.number(tier.ratePercent) });
    return t('rating.charge_price', {
      name:
        tier.upTo === null
          ? t('rating.detail_tier_last', { from })
          : t('rating.detail_tier', { from, upTo: format.number(tier.upTo) }),
      price:
        tier.flatFee === undefined
          ? each
          : t('rating.detail_tier_fee', { price: each, amount: price(tier.flatFee) }),
    });
  });
}
