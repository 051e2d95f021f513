// Transfers that customers announced and that have not appeared on a statement for a week.
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { type UseQueryResult } from '@tanstack/react-query';
import type { BankOverview } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Moment, Money } from '#platform/web/ui/Money.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';

export function LateTransfers({ query }: { query: UseQueryResult<BankOverview> }) {
  const { t } = useTranslation('banking');
  return (
    <Section title={t('banking.late')}>
      <QueryState query={query} skeleton={<Lines count={3} />}>
        {({ late }) =>
          late.items.length === 0 ? (
            <Typography variant="body2" color="textSecondary">
              {t('banking.late_none')}
            </Typography>
          ) : (
            <Box
              component="ul"
              aria-label={t('banking.late')}
              sx={{ listStyle: 'none', margin: 0, padding: 0 }}
            >
              {late.items.map((each) => (
                <Box
                  component="li"
                  key={each.paymentId}
                  sx={{
                    display: 'flex',
                    gap: 2,
                    justifyContent: 'space-between',
                    paddingBlock: '8px',
                    '& + &': { borderTop: '1px solid', borderColor: 'divider' },
                  }}
                >
                  <Box sx={{ minWidth: 0 }}>
                    <Typography variant="body2" component="p" sx={{ overflowWrap: 'anywhere' }}>
                      {each.organization}
                    </Typography>
                    <Typography variant="caption" component="p" color="textSecondary">
                      {each.reference} · <Moment at={each.createdAt} />
                    </Typography>
                  </Box>
                  <Money amount={each.amount} />
                </Box>
              ))}
            </Box>
          )
        }
      </QueryState>
    </Section>
  );
}
