// One-off items on the own organization's next bills, and its minimum spend; renders nothing while there is
// neither.
import { inLanguage } from '#kernel/language.ts';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { Money } from '#platform/web/ui/Money.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import type { UpcomingOneOff } from '../contract.ts';
import { oneOffsKey, oneOffsQueries } from './api.ts';

export function UpcomingOneOffs() {
  const { t } = useTranslation('oneoffs');
  const format = useFormat();
  useLive('bills', [oneOffsKey()]);
  const upcoming = useQuery(oneOffsQueries.upcomingOneOffs()).data?.items ?? [];
  const minimums = useQuery(oneOffsQueries.ownMinimumSpends()).data?.items ?? [];
  if (upcoming.length === 0 && minimums.length === 0) return null;
  return (
    <Section title={t('oneoffs.upcoming')} lead={t('oneoffs.upcoming_lead')} flush>
      {upcoming.length > 0 && (
        <Box
          component="ul"
          aria-label={t('oneoffs.upcoming')}
          sx={{ listStyle: 'none', margin: 0, padding: 0 }}
        >
          {upcoming.map((oneOff) => (
            <Upcoming key={oneOff.id} oneOff={oneOff} />
          ))}
        </Box>
      )}
      {minimums.map(({ amount, toMonth }) => (
        <Typography
          key={amount.currency}
          variant="body2"
          color="textSecondary"
          sx={{
            padding: { xs: '12px 16px', sm: '12px 24px' },
            borderTop: '1px solid',
            borderColor: 'divider',
          }}
        >
          {toMonth === null
            ? t('oneoffs.own_minimum', { amount: format.money(amount) })
            : t('oneoffs.own_minimum_until', { amount: format.money(amount), month: format.month(toMonth) })}
        </Typography>
      ))}
    </Section>
  );
}

function Upcoming({ oneOff }: { oneOff: UpcomingOneOff }) {
  const { t } = useTranslation('oneoffs');
  const language = useLanguage();
  const format = useFormat();
  const { name, amount, service, quantity, unitPrice, billing, month } = oneOff;
  return (
    <Box
      component="li"
      sx={{
        display: 'grid',
        gap: '4px 24px',
        alignItems: 'center',
        gridTemplateColumns: 'minmax(0, 1fr) auto',
        padding: { xs: '12px 16px', sm: '12px 24px' },
        borderTop: '1px solid',
        borderColor: 'divider',
      }}
    >
      <Box sx={{ minWidth: 0 }}>
        <Typography variant="subtitle1" component="p" sx={{ overflowWrap: 'anywhere' }}>
          {inLanguage(name, language)}
        </Typography>
        <Typography variant="caption" component="p" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
          {[
            ...(service === null ? [] : [service]),
            ...(quantity === '1'
              ? []
              : [
                  t('oneoffs.calculated', {
                    quantity: format.number(quantity),
                    price: format.unitPrice(unitPrice, amount.currency),
                  }),
                ]),
            billing === 'own_bill'
              ? t('oneoffs.comes_on_own_bill')
              : t('oneoffs.comes_in', { month: format.month(month) }),
          ].join(' · ')}
        </Typography>
      </Box>
      <Typography variant="subtitle1" component="p">
        <Money amount={amount} strong />
      </Typography>
    </Box>
  );
}
