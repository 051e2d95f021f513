// What a service costs, as a list of short sentences.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { Service } from '#features/selling/catalogue/contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { usePriceWords } from './price-words.ts';

type Priced = Pick<Service, 'pricing' | 'meter'> & Partial<Pick<Service, 'billingCycle'>>;

/** At most `most` sentences, what a month costs at most always among them; the rest is only counted. */
export function PriceList({ service, most }: { service: Priced; most?: number }) {
  const { t } = useTranslation('subscriptions');
  const words = usePriceWords(service);
  const isCut = most !== undefined && words.length > most;
  const hasLast = isCut && service.pricing.maximum !== undefined;
  const shown = isCut
    ? [...words.slice(0, hasLast ? most - 1 : most), ...(hasLast ? words.slice(-1) : [])]
    : words;
  return (
    <Box
      component="ul"
      aria-label={t('subscriptions.price')}
      sx={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: '2px' }}
    >
      {shown.map((sentence, index) => (
        <Typography
          key={sentence}
          component="li"
          variant="body2"
          className="tabular"
          sx={{ fontWeight: index === 0 ? 700 : 400, overflowWrap: 'anywhere' }}
        >
          {sentence}
        </Typography>
      ))}
      {words.length > shown.length && (
        <Typography component="li" variant="caption" color="textSecondary">
          {t('subscriptions.price_more', { count: words.length - shown.length })}
        </Typography>
      )}
    </Box>
  );
}
