// What a charge's short sentence leaves out: each of its rates and tiers, what is free, and its limits.
import type { Currency } from '#kernel/money.ts';
import type { Format } from '#platform/web/format/format.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation, type Translate } from '#platform/web/i18n/i18n.ts';
import type { Charge, MatrixRate, PercentageTier, Tier } from '../contract.ts';

type Texts = Translate<'rating'>;
type Writer = Pick<Format, 'unitPrice' | 'number' | 'list'>;
type Amount = (amount: string) => string;

/** The sentences of a charge's details in the reader's language, in the order in which a price is worked out; empty for a plain price. */
export function useChargeDetails(currency: Currency): (charge: Charge) => readonly string[] {
  const { t } = useTranslation('rating');
  const format = useFormat();
  return (charge) => chargeDetails(charge, currency, t, format);
}

/** {@link useChargeDetails} with the reader's texts and formats. */
export function chargeDetails(charge: Charge, currency: Currency, t: Texts, format: Writer): string[] {
  const price: Amount = (amount) => format.unitPrice(amount, currency);
  const said = (value: string | undefined, sentence: (text: string) => string): string[] =>
    value === undefined ? [] : [sentence(value)];
  return [
    ...('included' in charge
      ? said(charge.included, (quantity) =>
          t('rating.detail_included', { quantity: format.number(quantity) }),
        )
      : []),
    ...modelDetails(charge, price, t, format),
    ...said(charge.minimum, (amount) => t('rating.detail_minimum', { amount: price(amount) })),
    ...said(charge.maximum, (amount) => t('rating.detail_maximum', { amount: price(amount) })),
  ];
}

function modelDetails(charge: Charge, price: Amount, t: Texts, format: Writer): string[] {
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

const conditionsText = ({ when }: MatrixRate, t: Texts, format: Writer): string => {
  const values = Object.values(when);
  return values.length === 0 ? t('rating.everything_else') : format.list(values);
};

const joined = (sentences: readonly string[], t: Texts): string =>
  sentences.reduce((first, next) => t('rating.detail_both', { first, next }));

function ratePrice(rate: MatrixRate, price: Amount, t: Texts, format: Writer): string {
  if ('unitPrice' in rate) return t('rating.price_per_unit', { price: price(rate.unitPrice) });
  if ('tiers' in rate) return joined(tierDetails(rate.tiers, price, t, format), t);
  const { packagePrice, packageSize, freeUnits } = rate.package;
  const each = t('rating.price_package', { price: price(packagePrice), size: format.number(packageSize) });
  return freeUnits === undefined
    ? each
    : joined([each, t('rating.detail_included', { quantity: format.number(freeUnits) })], t);
}

function tierDetails(
  tiers: readonly (Tier | PercentageTier)[],
  price: Amount,
  t: Texts,
  format: Writer,
): string[] {
  return tiers.map((tier, index) => {
    const from = format.number(tiers[index - 1]?.upTo ?? '0');
    const each =
      'unitPrice' in tier
        ? t('rating.price_per_unit', { price: price(tier.unitPrice) })
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
