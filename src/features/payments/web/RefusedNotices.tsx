// What payment providers said that could not be applied, with the reason; nothing is shown where there is none.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import type { RefusedNotice } from '#features/payments/contract.ts';
import { Moment, Money } from '#platform/web/ui/Money.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import { useFormat } from '#platform/web/use-format.ts';
import { useParam } from '#platform/web/use-param.ts';
import { paymentsQueries } from './api.ts';
import { usePaymentsTexts } from './texts.ts';

/** The newest; providers send an event again for days, which counts up and makes no new one. */
const shownAtOnce = 10;

export function RefusedNotices() {
  const t = usePaymentsTexts();
  const format = useFormat();
  const { data } = useQuery(paymentsQueries.adminListRefused({ limit: shownAtOnce }));
  if (!data || data.total === 0) return null;
  return (
    <Section title={t('payments.refused')} lead={t('payments.refused_lead')} flush>
      <Box component="ul" aria-label={t('payments.refused')} sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
        {data.items.map((refused) => <OneRefused key={`${refused.provider} ${refused.eventId}`} refused={refused} />)}
      </Box>
      {data.total > shownAtOnce && <Typography variant="caption" component="p" color="textSecondary" sx={{ padding: '8px 24px' }}>{t('payments.pending_more', { shown: format.number(shownAtOnce), total: format.number(data.total) })}</Typography>}
    </Section>
  );
}

function OneRefused({ refused }: { refused: RefusedNotice }) {
  const t = usePaymentsTexts();
  const format = useFormat();
  const [, open] = useParam('payment');
  const { about, amount, organization, paymentId } = refused;
  return (
    <Box component="li" sx={{ display: 'grid', gap: '8px 24px', alignItems: 'center', gridTemplateColumns: { xs: 'minmax(0, 1fr) auto', sm: 'minmax(0, 1fr) auto auto' }, padding: { xs: '12px 16px', sm: '12px 24px' }, borderTop: '1px solid', borderColor: 'divider' }}>
      <Box sx={{ minWidth: 0 }}>
        {/* used as: 'payments.refused_about_*' */}
        <Typography variant="subtitle1" component="p" sx={{ overflowWrap: 'anywhere' }}>{t(`payments.refused_about_${about ?? 'unknown'}`)}{organization !== null && ` · ${organization}`}</Typography>
        <Typography variant="body2" sx={{ overflowWrap: 'anywhere' }}>{refused.reason}</Typography>
        <Typography variant="caption" component="p" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
          <Moment at={refused.lastAt} as="dateTime" /> · {t(`payments.method_${refused.provider}`)} · {refused.eventId}{refused.times > 1 && ` · ${t('payments.refused_times', { count: format.number(refused.times) })}`}
        </Typography>
      </Box>
      <Stack sx={{ gap: '4px', alignItems: 'flex-end' }}>
        {amount && <Money amount={amount} strong />}
        <StatusBadge tone={refused.isApplied ? 'neutral' : 'warning'} label={refused.isApplied ? t('payments.refused_applied') : t('payments.refused_open')} />
      </Stack>
      {paymentId !== null && <Button variant="outlined" size="small" aria-label={t('payments.refused_look_of', { organization: organization ?? '' })} onClick={() => open(paymentId)} sx={{ justifySelf: { xs: 'start', sm: 'end' }, gridColumn: { xs: '1 / -1', sm: 'auto' } }}>{t('payments.refused_look')}</Button>}
    </Box>
  );
}
