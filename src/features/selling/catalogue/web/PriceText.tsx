// A service's price in a readable line, with its details below.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { decimal, isZero } from '#kernel/decimal.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useChargeWords, useQuantityPriceTexts } from '#features/selling/rating/web/parts.ts';
import type { Quota, Service } from '../contract.ts';
import { cardChargeUnit } from '../rules.ts';

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
  const words = useChargeWords(pricing.currency);
  const usageTexts = useQuantityPriceTexts(pricing.currency);
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
  const limits = [
    ...(pricing.minimum !== undefined ? [t('catalogue.price_minimum', { fee: fee(pricing.minimum) })] : []),
    ...(pricing.maximum !== undefined ? [t('catalogue.price_maximum', { fee: fee(pricing.maximum) })] : []),
  ];
  const { baseFee } = pricing;
  if (pricing.model === 'flat')
    return {
      main: isZero(decimal(baseFee ?? '0')) ? tRating('rating.price_free') : fee(baseFee ?? '0'),
      details: limits,
    };
  const usage = usageTexts(pricing, unit);
  return {
    main: usage.price,
    details: [
      ...(baseFee === undefined ? [] : [t('catalogue.price_base', { fee: fee(baseFee) })]),
      ...usage.included,
      ...limits,
    ],
  };
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
