// Describes a charge's price: its name, a short sentence, and further details. For screens and documents.
import { required } from '#kernel/assert.ts';
import { decimal, isZero } from '#kernel/decimal.ts';
import { type Language, inLanguage } from '#kernel/language.ts';
import type { Currency } from '#kernel/money.ts';
import type { TextParams } from '#kernel/text.ts';
import type { Charge, MatrixRate, PercentageTier, Tier } from './contract.ts';
import type { Cycle } from './rules-cycles.ts';
import { quotedPrice } from './rules-quoted-price.ts';

/** The sentences and fragments that price texts consist of. */
type ChargeTextKey =
  | 'rating.price_free'
  | 'rating.price_per_unit'
  | 'rating.price_per_metered_unit'
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
  | 'rating.plain_quantity'
  | 'rating.detail_included'
  | 'rating.detail_minimum'
  | 'rating.detail_maximum'
  | 'rating.detail_volume'
  | 'rating.detail_free_events'
  | 'rating.detail_free_amount'
  | 'rating.detail_min_per_event'
  | 'rating.detail_max_per_event'
  | 'rating.detail_tier_first'
  | 'rating.detail_tier'
  | 'rating.detail_tier_last'
  | 'rating.detail_tier_fee'
  | 'rating.detail_both'
  | `rating.per_${Cycle}`;
export type ChargeTexts = (key: ChargeTextKey, params?: TextParams) => string;
/** How a language formats numbers. */
export type ChargeWriter = {
  readonly unitPrice: (amount: string, currency: Currency) => string;
  readonly number: (value: string) => string;
  readonly quantity: (value: string, unit: string) => string;
  readonly list: (items: readonly string[]) => string;
};
export type ChargeWords = { readonly name: string; readonly price: string };
/** The price of a quantity: of a charge, or of a service with a single meter. */
export type QuantityPrice =
  | { readonly model: 'per_unit'; readonly unitPrice: string; readonly included?: string | undefined }
  | {
      readonly model: 'graduated' | 'volume';
      readonly tiers: readonly Tier[];
      readonly included?: string | undefined;
    }
  | {
      readonly model: 'package';
      readonly packagePrice: string;
      readonly packageSize: string;
      readonly freeUnits?: string | undefined;
    };

const lowest = (prices: readonly string[]): string =>
  prices.reduce((least, price) => (decimal(price).lt(decimal(least)) ? price : least), prices[0] ?? '0');

const isFree = (price: string): boolean => isZero(decimal(price));
const costsNothing = (tiers: readonly Tier[]): boolean =>
  tiers.every(({ unitPrice, flatFee }) => isFree(unitPrice) && isFree(flatFee ?? '0'));

/** Whether any quantity is free. */
export function isFreeQuantity(price: QuantityPrice): boolean {
  switch (price.model) {
    case 'per_unit':
      return isFree(price.unitPrice);
    case 'graduated':
    case 'volume':
      return costsNothing(price.tiers);
    case 'package':
      return isFree(price.packagePrice);
  }
}

/** Whether a charge is free, whatever is used. */
function isFreeCharge(charge: Charge): boolean {
  if (!isFree(charge.minimum ?? '0')) return false;
  switch (charge.model) {
    case 'flat':
      return isFree(charge.amount);
    case 'per_unit':
    case 'graduated':
    case 'volume':
    case 'package':
      return isFreeQuantity(charge);
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

/** How the parts of one charge are written. */
type Writer = {
  readonly t: ChargeTexts;
  readonly number: (value: string) => string;
  readonly price: (amount: string) => string;
  /** A unit price: `$5 each`, `$0.192 per GB`, `$0.40 per 1,000,000 requests`. */
  readonly each: (amount: string) => string;
  /** `1,000`, `1,000 GB`. */
  readonly quantity: (value: string) => string;
};

/** `unit`: that of the charge's meter, which is written as it is; empty for a charge that has none. */
export function writerOf(
  unit: string,
  currency: Currency,
  t: ChargeTexts,
  format: Omit<ChargeWriter, 'list'>,
): Writer {
  const price = (amount: string): string => format.unitPrice(amount, currency);
  const quantity = (value: string): string =>
    unit === ''
      ? t('rating.plain_quantity', { quantity: format.number(value) })
      : format.quantity(value, unit);
  return {
    t,
    number: format.number,
    price,
    each: (amount) => {
      const quoted = quotedPrice(amount, unit, quantity);
      return t(quoted.unit === '' ? 'rating.price_per_unit' : 'rating.price_per_metered_unit', {
        price: price(quoted.price),
        unit: quoted.unit,
      });
    },
    quantity,
  };
}

export function quantityPriceText(priced: QuantityPrice, writer: Writer): string {
  const { t, price, each, quantity } = writer;
  switch (priced.model) {
    case 'per_unit':
      return each(priced.unitPrice);
    case 'graduated':
    case 'volume': {
      const { tiers } = priced;
      return tiers.length === 1
        ? tierPrice(required(tiers[0], 'the only tier'), writer)
        : t('rating.price_tiers', {
            price: each(lowest(tiers.map(({ unitPrice }) => unitPrice))),
            count: tiers.length,
          });
    }
    case 'package':
      return t('rating.price_package', {
        price: price(priced.packagePrice),
        size: quantity(priced.packageSize),
      });
  }
}

export const includedTexts = (value: string | undefined, { t, quantity }: Writer): string[] =>
  value === undefined || isFree(value) ? [] : [t('rating.detail_included', { quantity: quantity(value) })];

/** The price of a charge, without its limits. */
function priceOf(charge: Charge, writer: Writer): string {
  const { t, number, price } = writer;
  switch (charge.model) {
    case 'flat':
      return price(charge.amount);
    case 'per_unit':
    case 'graduated':
    case 'volume':
    case 'package':
      return quantityPriceText(charge, writer);
    case 'percentage':
      return charge.fixedPerEvent === undefined
        ? t('rating.price_percentage', { percent: number(charge.ratePercent) })
        : t('rating.price_percentage_fixed', {
            percent: number(charge.ratePercent),
            fee: price(charge.fixedPerEvent),
          });
    case 'graduated_percentage':
      return t('rating.price_graduated_percentage', {
        percent: number(lowest(charge.tiers.map(({ ratePercent }) => ratePercent))),
        count: charge.tiers.length,
      });
    case 'dynamic':
      return t('rating.price_dynamic');
    case 'matrix':
      return t('rating.price_matrix', { count: charge.rates.length });
  }
}

/**
 * Describes a charge in a language: `Seats`, `$5 each per month`; a free charge is called free. `unit`: that
 * of its meter, empty for a fee.
 */
export function chargeWords(
  charge: Charge,
  unit: string,
  currency: Currency,
  language: Language,
  t: ChargeTexts,
  format: Omit<ChargeWriter, 'list'>,
): ChargeWords {
  const name = inLanguage(charge.name, language);
  if (isFreeCharge(charge)) return { name, price: t('rating.price_free') };
  const price = priceOf(charge, writerOf(unit, currency, t, format));
  // used as: 'rating.per_*'
  const often =
    charge.kind === 'one_time'
      ? t('rating.price_once', { price })
      : charge.kind === 'recurring'
        ? t('rating.price_per_cycle', { price, cycle: t(`rating.per_${charge.cycle ?? 'month'}`) })
        : price;
  return { name, price: often };
}

/** Whether the words of a charge's price name its unit: those of an amount or a percentage do not. */
export const namesUnit = ({ model }: Pick<Charge, 'model'>): boolean =>
  model !== 'flat' && model !== 'dynamic' && !model.endsWith('percentage');

/**
 * Returns the sentences of a charge's details, in the order of the calculation; empty for a plain price.
 * `unit` as for {@link chargeWords}.
 */
export function chargeDetails(
  charge: Charge,
  unit: string,
  currency: Currency,
  t: ChargeTexts,
  format: ChargeWriter,
): string[] {
  const writer = writerOf(unit, currency, t, format);
  const { price } = writer;
  const detail = (value: string | undefined, sentence: (text: string) => string): string[] =>
    value === undefined ? [] : [sentence(value)];
  return [
    ...('included' in charge ? includedTexts(charge.included, writer) : []),
    ...modelDetails(charge, writer, format.list),
    ...detail(charge.minimum, (amount) => t('rating.detail_minimum', { amount: price(amount) })),
    ...detail(charge.maximum, (amount) => t('rating.detail_maximum', { amount: price(amount) })),
  ];
}

function modelDetails(charge: Charge, writer: Writer, list: ChargeWriter['list']): string[] {
  const { t, number, price } = writer;
  switch (charge.model) {
    case 'flat':
    case 'per_unit':
    case 'dynamic':
      return [];
    case 'graduated':
    case 'volume':
      return charge.tiers.length < 2 ? [] : tierDetails(charge.tiers, charge.model, writer);
    case 'package':
      return includedTexts(charge.freeUnits, writer);
    case 'percentage':
      return [
        ...(charge.freeEvents === undefined
          ? []
          : [t('rating.detail_free_events', { count: number(String(charge.freeEvents)) })]),
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
      // Its tiers are parts of an amount.
      return tierDetails(charge.tiers, 'graduated', { ...writer, quantity: price });
    case 'matrix':
      return charge.rates.map((rate) =>
        t('rating.charge_price', {
          name: conditionsText(rate, t, list),
          price: ratePrice(rate, writer),
        }),
      );
  }
}

const conditionsText = ({ when }: MatrixRate, t: ChargeTexts, list: ChargeWriter['list']): string => {
  const values = Object.values(when);
  return values.length === 0 ? t('rating.everything_else') : list(values);
};

const joined = (sentences: readonly string[], t: ChargeTexts): string =>
  sentences.reduce((first, next) => t('rating.detail_both', { first, next }));

const unitPriceText = (unitPrice: string, { t, each }: Writer): string =>
  isFree(unitPrice) ? t('rating.price_free') : each(unitPrice);

function ratePrice(rate: MatrixRate, writer: Writer): string {
  const { t, price, quantity } = writer;
  if ('unitPrice' in rate) return unitPriceText(rate.unitPrice, writer);
  if ('tiers' in rate) return joined(tierDetails(rate.tiers, rate.tierModel ?? 'graduated', writer), t);
  const { packagePrice, packageSize, freeUnits } = rate.package;
  if (isFree(packagePrice)) return t('rating.price_free');
  const each = t('rating.price_package', { price: price(packagePrice), size: quantity(packageSize) });
  return joined([each, ...includedTexts(freeUnits, writer)], t);
}

function tierPrice(tier: Tier | PercentageTier, writer: Writer): string {
  const { t, number, price } = writer;
  const each =
    'unitPrice' in tier
      ? unitPriceText(tier.unitPrice, writer)
      : t('rating.price_percentage', { percent: number(tier.ratePercent) });
  return tier.flatFee === undefined || isFree(tier.flatFee)
    ? each
    : t('rating.detail_tier_fee', { price: each, amount: price(tier.flatFee) });
}

/** A graduated price begins with the first units; a volume price is one for all usage between two bounds. */
export function tierDetails(
  tiers: readonly (Tier | PercentageTier)[],
  model: 'graduated' | 'volume',
  writer: Writer,
): string[] {
  const { t, number, quantity } = writer;
  const rangeOf = (from: string | undefined, upTo: string | null): string =>
    upTo === null
      ? t('rating.detail_tier_last', { from: quantity(from ?? '0') })
      : from === undefined && model === 'graduated'
        ? t('rating.detail_tier_first', { upTo: quantity(upTo) })
        : t('rating.detail_tier', { from: number(from ?? '0'), upTo: quantity(upTo) });
  const sentences = tiers.map((tier, index) =>
    t('rating.charge_price', {
      name: rangeOf(tiers[index - 1]?.upTo ?? undefined, tier.upTo),
      price: tierPrice(tier, writer),
    }),
  );
  return model === 'volume' ? [t('rating.detail_volume'), ...sentences] : sentences;
}
