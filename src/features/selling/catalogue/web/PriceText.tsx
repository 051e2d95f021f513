// A service's price in a readable line, with its details below.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { decimal, isZero, type Decimal } from '#kernel/decimal.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import type { Tier } from '#features/selling/rating/contract.ts';
import { quotedPrice } from '#features/selling/rating/rules.ts';
import { useChargeWords } from '#features/selling/rating/web/parts.ts';
import type { Quota, Service } from '../contract.ts';
import { cardChargeUnit, isFreeUsage } from '../rules.ts';

type Priced = Pick<Service, 'pricing' | 'billingCycle' | 'meterUnits'> & {
  readonly meter: { readonly unit: string };
};

/**
 * `NT$0.4／1,000,000 次`, and `＋基本費 NT$100／月`. `lines`: the maximum number of lines for the details, if all of them
 * are shown elsewhere.
 */
export function PriceText({ service, lines }: { service: Priced; lines?: number }) {
  const { main, details } = usePriceTexts(service);
  return (
    <>
      <Box component="span" className="tabular">
        {main}
      </Box>
      {details.length > 0 && (
        <Typography
          variant="caption"
          component="span"
          color="textSecondary"
          className="tabular"
          sx={
            lines === undefined
              ? { display: 'block' }
              : {
                  display: '-webkit-box',
                  WebkitBoxOrient: 'vertical',
                  WebkitLineClamp: lines,
                  overflow: 'hidden',
                }
          }
        >
          {details.join(' · ')}
        </Typography>
      )}
    </>
  );
}

function usePriceTexts({ pricing, billingCycle, meter: { unit }, meterUnits }: Priced): {
  main: string;
  details: readonly string[];
} {
  const { t } = useTranslation('catalogue');
  const format = useFormat();
  const price = (amount: string): string => format.unitPrice(amount, pricing.currency);
  const each = (amount: string) => {
    const quoted = quotedPrice(amount, unit, format.quantity);
    return { ...quoted, price: price(quoted.price) };
  };
  const words = useChargeWords(pricing.currency);
  const { t: tRating } = useTranslation('rating');
  if (pricing.model === 'rate_card')
    return {
      main: tRating('rating.card', { count: pricing.charges.length }),
      details: pricing.charges.map((charge) =>
        tRating('rating.charge_price', words(charge, cardChargeUnit(charge, meterUnits))),
      ),
    };
  // used as: 'catalogue.per_*'
  const fee = (amount: string): string =>
    t('catalogue.price_fee', { fee: price(amount), cycle: t(`catalogue.per_${billingCycle}`) });
  const details = [
    ...(pricing.model === 'package' && pricing.freeUnits !== undefined
      ? [t('catalogue.price_free', { free: format.quantity(pricing.freeUnits, unit) })]
      : []),
    ...(pricing.model !== 'flat' && pricing.baseFee !== undefined
      ? [t('catalogue.price_base', { fee: fee(pricing.baseFee) })]
      : []),
    ...('included' in pricing && pricing.included !== undefined
      ? [t('catalogue.price_included', { included: format.quantity(pricing.included, unit) })]
      : []),
    ...(pricing.minimum !== undefined ? [t('catalogue.price_minimum', { fee: fee(pricing.minimum) })] : []),
    ...(pricing.maximum !== undefined ? [t('catalogue.price_maximum', { fee: fee(pricing.maximum) })] : []),
  ];
  if (pricing.model === 'flat' ? isZero(decimal(pricing.baseFee ?? '0')) : isFreeUsage(pricing))
    return { main: t('catalogue.price_nothing'), details };
  switch (pricing.model) {
    case 'flat':
      return { main: fee(pricing.baseFee ?? '0'), details };
    case 'per_unit':
      return { main: t('catalogue.price_per_unit', each(pricing.unitPrice)), details };
    case 'graduated':
    case 'volume':
      return {
        main: t('catalogue.price_tiers', {
          ...each(lowest(pricing.tiers)),
          count: pricing.tiers.length,
        }),
        details,
      };
    case 'package':
      return {
        main: t('catalogue.price_package', {
          price: price(pricing.packagePrice),
          size: format.quantity(pricing.packageSize, unit),
        }),
        details,
      };
  }
}

function lowest(tiers: readonly Tier[]): string {
  const prices: readonly Decimal[] = tiers.map((tier) => decimal(tier.unitPrice));
  return prices
    .reduce((least, price) => (price.lt(least) ? price : least), prices[0] ?? decimal('0'))
    .toFixed();
}

/** `無限制`, or the limit and what happens when it is reached. */
export function QuotaText({ quota, unit }: { quota: Quota; unit: string }) {
  const { t } = useTranslation('catalogue');
  const format = useFormat();
  if (quota.type === 'unlimited')
    return (
      <Box component="span" sx={{ whiteSpace: 'nowrap' }}>
        {t('ui.unlimited')}
      </Box>
    );
  return (
    <>
      <Box component="span" className="tabular">
        {format.quantity(quota.limit, unit)}
      </Box>
      {/* used as: 'catalogue.quota_*' */}
      <Typography variant="caption" component="span" color="textSecondary" sx={{ display: 'block' }}>
        {t(`catalogue.quota_${quota.type}`)}
      </Typography>
    </>
  );
}
