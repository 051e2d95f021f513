// What became revenue by month and by what made it, and that it is what the ledger's revenue moved by.
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link as RouterLink } from 'react-router';
import type { Currency } from '#kernel/money.ts';
import { isDay, type BillingMonth, type LocalDay } from '#kernel/shape.ts';
import { daysOfMonth } from '#kernel/time.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Money } from '#platform/web/ui/Money.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { metricsQueries } from './api.ts';
import { LedgerLink, ledgerPath } from './LedgerLink.tsx';
import { PlainTable } from '#platform/web/ui/PlainTable.tsx';
import { ProofLine } from './ProofLine.tsx';
import { ReportFiles } from './ReportFiles.tsx';
import { usePeriod } from './use-period.tsx';

const parts = ['billed', 'promotional', 'deferred', 'released', 'credited', 'expired', 'total'] as const;

/** The days of a month that are within the report's. */
function within(month: BillingMonth, { from, to }: { from: LocalDay; to: LocalDay }): [LocalDay, LocalDay] {
  const days = daysOfMonth(month).filter((one) => one >= from && one <= to && isDay(one));
  return [days[0] ?? from, days.at(-1) ?? to];
}

export function Revenue({ currency }: { currency: Currency }) {
  const { t } = useTranslation('metrics');
  const format = useFormat();
  const { period, choice } = usePeriod();
  const query = useQuery({
    ...metricsQueries.revenue({ currency, ...period }),
    placeholderData: keepPreviousData,
  });
  // used as: 'metrics.revenue_billed', 'metrics.revenue_promotional', 'metrics.revenue_deferred', 'metrics.revenue_released', 'metrics.revenue_credited', 'metrics.revenue_expired'
  return (
    <Section
      title={t('metrics.recognized')}
      lead={t('metrics.recognized_lead')}
      actions={<ReportFiles report="revenue" currency={currency} {...period} />}
      flush
    >
      <Box sx={{ padding: { xs: '4px 16px 16px', sm: '4px 24px 16px' } }}>{choice}</Box>
      <QueryState
        query={query}
        skeleton={
          <Box sx={{ padding: 3 }}>
            <Lines count={4} />
          </Box>
        }
      >
        {({ items, proof }) => (
          <>
            {items.length === 0 ? (
              <EmptyState
                compact
                title={t('metrics.recognized_empty')}
                hint={t('metrics.recognized_empty_hint')}
              />
            ) : (
              <PlainTable
                label={t('metrics.recognized')}
                heads={[
                  t('metrics.month'),
                  ...parts.map((part) =>
                    part === 'total' ? t('metrics.total') : t(`metrics.revenue_${part}`),
                  ),
                ]}
                rows={items.map((one) => ({
                  key: one.month,
                  cells: [
                    <Link
                      key="month"
                      component={RouterLink}
                      to={ledgerPath('revenue', ...within(one.month, period))}
                    >
                      {format.month(one.month)}
                    </Link>,
                    ...parts.map((part) => <Money key={part} amount={one[part]} strong={part === 'total'} />),
                  ],
                }))}
                total={{
                  key: 'total',
                  cells: [
                    t('metrics.total'),
                    ...parts.slice(1).map(() => ''),
                    <Money key="total" amount={proof.here} strong />,
                  ],
                }}
              />
            )}
            <ProofLine proof={proof} about="recognized" />
            <LedgerLink account="revenue" {...period} />
          </>
        )}
      </QueryState>
    </Section>
  );
}
