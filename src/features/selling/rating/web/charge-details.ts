// What belongs to a charge besides its one sentence: tiers, rates, what is free, limits, and when it comes.
import type { Currency } from '#kernel/money.ts';
import type { Format } from '#platform/web/format/format.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation, type Translate } from '#platform/web/i18n/i18n.ts';
import type { Charge, MatrixRate } from '../contract.ts';
import { dimensionsText } from '../rules.ts';

type Writer = Pick<Format, 'unitPrice' | 'number'>;
type Said = {
  readonly t: Translate<'rating'>;
  readonly price: (amount: string) => string;
  readonly number: (quantity: string) => string;
};
type Step = { readonly upTo: string | null; readonly flatFee?: string | undefined };

function tierWords<S extends Step>(
  tiers: readonly S[],
  each: (tier: S) => string,
  { t, price, number }: Said,
): string[] {
  if (tiers.length === 1 && tiers[0]?.flatFee === undefined) return [];
  return tiers.map((tier, index) => {
    const from = number(tiers[index - 1]?.upTo ?? '0');
    const range =
      tier.upTo === null
        ? t('rating.tier_over', { from })
        : t('rating.tier_range', { from, upTo: number(tier.upTo) });
    return tier.flatFee === undefined
      ? t('rating.tier', { range, price: each(tier) })
      : t('rating.tier_with_fee', { range, price: each(tier), fee: price(tier.flatFee) });
  });
}

function rateWords(rate: MatrixRate, said: Said): string {
  const { t, price, number } = said;
  const values = dimensionsText(rate.when) ?? t('rating.everything_else');
  const each =
    'unitPrice' in rate
      ? price(rate.unitPrice)
      : 'tiers' in rate
        ? t('rating.price_in_tiers', { count: rate.tiers.length })
        : t('rating.price_package', {
            price: price(rate.package.packagePrice),
            size: number(rate.package.packageSize),
          });
  return t('rating.tier', { range: values, price: each });
}

function priceDetails(charge: Charge, said: Said): string[] {
  const { t, price, number } = said;
  const ifAny = (
    value: string | undefined,
    sentence: (value: string) => string,
  ): readonly string[] => (value === undefined ? [] : [sentence(value)]);
  const included = 'included' in charge ? charge.included : undefined;
  const free = ifAny(included, (value) => t('rating.included', { quantity: number(value) }));
  switch (charge.model) {
    case 'flat':
    case 'dynamic':
      return [];
    case 'per_unit':
      return [...free];
    case 'graduated':
    case 'volume':
      return [
        ...(charge.model === 'volume' && charge.tiers.length > 1 ? [t('rating.volume')] : []),
        ...tierWords(charge.tiers, ({ unitPrice }) => price(unitPrice), said),
        ...free,
      ];
    case 'package':
      return [
        ...ifAny(charge.freeUnits, (value) => t('rating.free_units', { quantity: number(value) })),
        ...(charge.rounding === 'down' ? [t('rating.whole_packages')] : []),
      ];
    case 'percentage':
      return [
        ...ifAny(charge.freeEvents === undefined ? undefined : String(charge.freeEvents), (count) =>
          t('rating.free_events', { count }),
        ),
        ...ifAny(charge.freeAmount, (amount) => t('rating.free_amount', { amount: price(amount) })),
        ...ifAny(charge.minPerEvent, (amount) => t('rating.event_at_least', { amount: price(amount) })),
        ...ifAny(charge.maxPerEvent, (amount) => t('rating.event_at_most', { amount: price(amount) })),
      ];
    case 'graduated_percentage':
      return tierWords(
        charge.tiers,
        ({ ratePercent }) => t('rating.percent', { percent: number(ratePercent) }),
        said,
      );
    case 'matrix':
      return charge.rates.map((rate) => rateWords(rate, said));
  }
}

function chargeDetails(charge: Charge, said: Said): readonly string[] {
  const { t, price } = said;
  const isRecurring = charge.kind === 'recurring';
  return [
    ...priceDetails(charge, said),
    ...(charge.minimum === undefined ? [] : [t('rating.at_least', { amount: price(charge.minimum) })]),
    ...(charge.maximum === undefined ? [] : [t('rating.at_most', { amount: price(charge.maximum) })]),
    ...(isRecurring && charge.timing === 'arrears' ? [t('rating.in_arrears')] : []),
    ...(isRecurring && charge.anchor === 'anniversary' ? [t('rating.from_start')] : []),
    ...(isRecurring && charge.prorate === 'none' ? [t('rating.not_prorated')] : []),
    ...(isRecurring && charge.prorate === 'second' ? [t('rating.by_second')] : []),
  ];
}

const saidBy = (t: Translate<'rating'>, format: Writer, currency: Currency): Said => ({
  t,
  price: (amount) => format.unitPrice(amount, currency),
  number: (quantity) => format.number(quantity),
});

/** The details of a charge in the reader's language, one short sentence each; none for a plain price. */
export function useChargeDetails(currency: Currency): (charge: Charge) => readonly string[] {
  const { t } = useTranslation('rating');
  const format = useFormat();
  return (charge) => chargeDetails(charge, saidBy(t, format, currency));
}
