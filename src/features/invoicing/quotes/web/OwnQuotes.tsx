// The own organization's quotes that await a response; renders nothing if there are none. An address with the
// id of one, as in a notice, opens it.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { Link, Navigate } from 'react-router';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { useLive } from '#platform/web/live/live.ts';
import { Section } from '#platform/web/ui/Section.tsx';
import { quotesKey, quotesQueries } from './api.ts';

export function OwnQuotes() {
  const { t } = useTranslation('quotes');
  const format = useFormat();
  useLive('bills', [quotesKey('ownQuotes')]);
  const { data } = useQuery(quotesQueries.ownQuotes());
  const [asked] = useParam('quote');
  if (!data || data.items.length === 0) return null;
  // Replaced, so that the back button does not return here and redirect again.
  const wanted = data.items.find(({ id }) => id === asked);
  if (wanted) return <Navigate to={wanted.link} replace />;
  return (
    <Section title={t('quotes.own_title')} lead={t('quotes.own_lead')}>
      <Box component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 2 }}>
        {data.items.map((quote) => (
          <Stack
            component="li"
            key={quote.id}
            direction="row"
            sx={{ gap: '8px 16px', alignItems: 'center', justifyContent: 'space-between', flexWrap: 'wrap' }}
          >
            <Box sx={{ minWidth: 0 }}>
              <Typography sx={{ fontWeight: 700 }} className="tabular">
                {quote.number}
              </Typography>
              <Typography variant="body2" color="textSecondary" className="tabular">
                {t('quotes.own_facts', {
                  total: format.money(quote.total),
                  count: quote.months,
                  day: format.day(quote.validUntil),
                })}
              </Typography>
            </Box>
            <Button
              component={Link}
              to={quote.link}
              variant="contained"
              aria-label={t('quotes.own_open_number', { number: quote.number })}
            >
              {t('quotes.own_open')}
            </Button>
          </Stack>
        ))}
      </Box>
    </Section>
  );
}
