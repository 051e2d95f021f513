// The starting price of a service in large type: its minimum cost, or its lowest usage price.
import Typography from '@mui/material/Typography';
import type { Service } from '#features/selling/catalogue/contract.ts';
import { startingPrice } from '#features/selling/catalogue/web/parts.ts';
import { quotedPrice } from '#features/selling/rating/rules.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useFormat } from '#platform/web/format/use-format.ts';

export function StartingPriceLine({ service }: { service: Service }) {
  const { t } = useTranslation('subscriptions');
  const { t: tRating } = useTranslation('rating');
  const format = useFormat();
  const start = startingPrice(service);
  if (!('amount' in start))
    return (
      <Typography variant="h3" component="p">
        {t(start.kind === 'free' ? 'subscriptions.price_free' : 'subscriptions.price_by_use')}
      </Typography>
    );
  const { price, unit: per } =
    start.kind === 'recurring'
      ? { price: start.amount, unit: tRating(`rating.per_${start.cycle}`) }
      : start.size === null
        ? quotedPrice(start.amount, start.unit, format.quantity)
        : { price: start.amount, unit: format.quantity(start.size, start.unit) };
  return (
    <Typography
      component="p"
      className="tabular"
      sx={{ display: 'flex', flexWrap: 'wrap', gap: '0 6px', alignItems: 'baseline' }}
    >
      {!start.isAll && (
        <Typography variant="body2" component="span" color="textSecondary">
          {t('subscriptions.price_from')}
        </Typography>
      )}
      <Typography variant="h2" component="span">
        {format.unitPrice(price, service.pricing.currency)}
      </Typography>
      {per !== '' && (
        <Typography variant="body2" component="span" color="textSecondary">
          {t('subscriptions.price_per', { per })}
        </Typography>
      )}
    </Typography>
  );
}
