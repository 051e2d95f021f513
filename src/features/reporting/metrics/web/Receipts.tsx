// Money that came and went, by payment method, and that it is what the ledger's cash moved by.
import Box from '@mui/material/Box';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Currency } from '#kernel/money.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Money } from '#platform/web/ui/Money.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { metricsQueries } from './api.ts';
import { PlainTable } from './PlainTable.tsx';
import { ProofLine } from './ProofLine.tsx';
import { ReportFiles } from './ReportFiles.tsx';
import { usePeriod } from './use-period.tsx';
import { useMethodName } from './use-method-name.ts';

export function Receipts({ currency }: { currency: Currency }) {
  const { t } = useTranslation('metrics');
  const format = useFormat();
  const { period, choice } = usePeriod();
  const methodName = useMethodName();
  const query = useQuery({
    ...metricsQueries.receipts({ currency, ...period }),
    placeholderData: keepPreviousData,
  });
  return (
    <Section
      title={t('metrics.receipts')}
      lead={t('metrics.receipts_lead')}
      actions={<ReportFiles report="receipts" currency={currency} {...period} />}
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
                title={t('metrics.receipts_empty')}
                hint={t('metrics.receipts_empty_hint')}
              />
            ) : (
              <PlainTable
                label={t('metrics.receipts')}
                words={2}
                heads={[t('metrics.method'), t('metrics.kind'), t('metrics.count'), t('metrics.amount')]}
                rows={items.map((one) => ({
                  key: `${one.method}-${one.kind}`,
                  cells: [
                    methodName(one.method),
                    t(`metrics.kind_${one.kind}`),
                    format.number(one.count),
                    <Money key="amount" amount={one.amount} />,
                  ],
                }))}
                total={{
                  key: 'total',
                  cells: [t('metrics.total'), '', '', <Money key="amount" amount={proof.here} strong />],
                }}
              />
            )}
            <ProofLine proof={proof} about="receipts" />
          </>
        )}
      </QueryState>
    </Section>
  );
}
