// For members: who pays for their organization, and for which others it pays. Renders nothing where everybody pays for themselves.
import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { Section } from '#platform/web/ui/Section.tsx';
import { payersKey, payersQueries } from './api.ts';
import { useSpanWords } from './payer-words.ts';

/** On an error nothing is shown: bills themselves say who pays them. */
function useOwnPayers() {
  useLive('bills', [payersKey('ownPayers')]);
  return useQuery(payersQueries.ownPayers()).data;
}

export function OwnPayers() {
  const { t } = useTranslation('payers');
  const words = useSpanWords();
  const data = useOwnPayers();
  return data?.paidBy.map((span) => (
    <Alert key={span.from} severity="info" data-screen-only>
      <AlertTitle>{t('payers.you_are_paid_for', { name: span.organization })}</AlertTitle>
      <Box>{words(span)}</Box>
      <Box>{t('payers.you_are_paid_for_hint', { name: span.organization })}</Box>
    </Alert>
  ));
}

export function PaidForOthers() {
  const { t } = useTranslation('payers');
  const words = useSpanWords();
  const data = useOwnPayers();
  if (!data || data.paysFor.length === 0) return null;
  return (
    <Section title={t('payers.you_pay_for')}>
      <Box
        component="ul"
        data-screen-only
        sx={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 1 }}
      >
        {data.paysFor.map((span) => (
          <Box
            component="li"
            key={`${span.organization} ${span.from}`}
            sx={{ display: 'flex', gap: '4px 16px', flexWrap: 'wrap' }}
          >
            <Typography variant="body2" sx={{ overflowWrap: 'anywhere', fontWeight: 700 }}>
              {span.organization}
            </Typography>
            <Typography variant="body2" color="textSecondary">
              {words(span)}
            </Typography>
          </Box>
        ))}
      </Box>
    </Section>
  );
}
