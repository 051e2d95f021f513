// The organizations whose bills are paid automatically from their balance.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Moment } from '#platform/web/ui/Money.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { paymentsQueries } from './api.ts';

const shownAtOnce = 50;

export function AutomaticList() {
  const { t } = useTranslation('payments');
  const format = useFormat();
  const query = useQuery(paymentsQueries.adminListAutomatic({ limit: shownAtOnce }));
  return (
    <Section title={t('payments.automatic')} lead={t('payments.automatic_admin')}>
      <QueryState query={query} skeleton={<Lines count={2} />}>
        {({ items, total }) => (
          <>
            {items.length === 0 && (
              <Typography variant="body2" color="textSecondary">
                {t('payments.automatic_none')}
              </Typography>
            )}
            <Box
              component="ul"
              aria-label={t('payments.automatic')}
              sx={{ listStyle: 'none', margin: 0, padding: 0 }}
            >
              {items.map((each) => (
                <Box
                  component="li"
                  key={each.organizationId}
                  sx={{
                    display: 'flex',
                    flexWrap: 'wrap',
                    gap: '0 16px',
                    justifyContent: 'space-between',
                    paddingBlock: '6px',
                    '& + &': { borderTop: '1px solid', borderColor: 'divider' },
                  }}
                >
                  <Typography variant="body2" sx={{ overflowWrap: 'anywhere' }}>
                    {each.organization}
                  </Typography>
                  <Typography variant="body2" color="textSecondary">
                    {t(each.isPartial ? 'payments.automatic_partial' : 'payments.automatic_whole')}
                    {' · '}
                    <Moment at={each.changedAt} />
                  </Typography>
                </Box>
              ))}
            </Box>
            {total > items.length && (
              <Typography variant="caption" component="p" color="textSecondary">
                {t('payments.pending_more', {
                  shown: format.number(items.length),
                  total: format.number(total),
                })}
              </Typography>
            )}
          </>
        )}
      </QueryState>
    </Section>
  );
}
