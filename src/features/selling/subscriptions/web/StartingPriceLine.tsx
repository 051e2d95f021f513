// The starting price of a service in large type: its minimum cost, or its lowest usage price.
import Typography from '@mui/material/Typography';
import type { Service } from '#features/selling/catalogue/contract.ts';
import { startingPrice } from '#features/selling/catalogue/web/parts.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useFormat } from '#platform/web/format/use-format.ts';

export function StartingPriceLine({ service }: { service: Service }) {
  const { t } = useTranslation('subscriptions');
  const { t: tRating } = useTranslation('rating');
  const format = useFormat();
  const start = startingPrice(service);
  const amount = 'amount' in start && format.unitPrice(start.amount, service.pricing.currency);
  if (amount === false)
    return (
      <Typography variant="h3" component="p">
        {t(start.kind === 'free' ? 'subscriptions.price_free' : 'subscriptions.price_by_use')}
      </Typography>
    );
  const per =
    start.kind === 'recurring'
      ? tRating(`rating.per_${start.cycle}`)
      : start.kind === 'usage' && start.size !== null
        ? format.quantity(start.size, start.unit)
        : start.kind === 'usage'
          ? start.unit
          : '';
  const isAll = 'isAll' in start && start.isAll;
  return (
    <Typography
      component="p"
      className="tabular"
      sx={{ display: 'flex', flexWrap: 'wrap', gap: '0 6px', alignItems: 'baseline' }}
    >
      {!isAll && (
        <Typography variant="body2" component="span" color="textSecondary">
          {t('subscriptions.price_from')}
        </Typography>
      )}
      <Typography variant="h2" component="span">
        {amount}
      </Typography>
      {per !== '' && (
        <Typography variant="body2" component="span" color="textSecondary">
          {t('subscriptions.price_per', { per })}
        </Typography>
      )}
    </Typography>
  );
}
