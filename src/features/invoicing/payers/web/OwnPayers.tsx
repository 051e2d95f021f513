// For members: who pays for their organization, and for which others it pays. Renders nothing if every
// organization pays for itself.
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

/** Nothing is shown on an error, because the bills themselves state who pays them. */
function useOwnPayers() {
  useLive('bills', [payersKey('ownPayers')]);
  return useQuery(payersQueries.ownPayers()).data;
}

export function OwnPayers() {
  const { t } = useTranslation('payers');
  const words = useSpanWords();
  const data = useOwnPayers();
  if (!data) return null;
  const { paidBy, subscriptions } = data;
  return (
    <>
      {paidBy.map((span) => (
        <Alert key={span.from} severity="info" data-screen-only>
          <AlertTitle>{t('payers.you_are_paid_for', { name: span.organization })}</AlertTitle>
          <Box>{words(span)}</Box>
          <Box>{t('payers.you_are_paid_for_hint', { name: span.organization })}</Box>
        </Alert>
      ))}
      {subscriptions.paidBy.length > 0 && (
        <Alert severity="info" data-screen-only>
          <AlertTitle>{t('payers.subscriptions_paid_for')}</AlertTitle>
          {subscriptions.paidBy.map((span) => (
            <Box key={`${span.subscriptionId} ${span.from}`}>
              {t('payers.subscription_paid_by', { service: span.service, name: span.organization })}
              {' · '}
              {words(span)}
            </Box>
          ))}
        </Alert>
      )}
    </>
  );
}

export function PaidForOthers() {
  const { t } = useTranslation('payers');
  const words = useSpanWords();
  const data = useOwnPayers();
  if (!data) return null;
  const paid = [
    ...data.paysFor.map((span) => ({ ...span, name: span.organization })),
    ...data.subscriptions.paysFor.map((span) => ({
      ...span,
      name: t('payers.subscription_of', { service: span.service, name: span.organization }),
    })),
  ];
  if (paid.length === 0) return null;
  return (
    <Section title={t('payers.you_pay_for')}>
      <Box
        component="ul"
        data-screen-only
        sx={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: 1 }}
      >
        {paid.map((span) => (
          <Box
            component="li"
            key={`${span.name} ${span.from}`}
            sx={{ display: 'flex', gap: '4px 16px', flexWrap: 'wrap' }}
          >
            <Typography variant="body2" sx={{ overflowWrap: 'anywhere', fontWeight: 700 }}>
              {span.name}
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
