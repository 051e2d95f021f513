// Tax by rate over a time, and that it is what the ledger's tax account moved by.
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
import { LedgerLink } from './LedgerLink.tsx';
import { PlainTable } from '#platform/web/ui/PlainTable.tsx';
import { ProofLine } from './ProofLine.tsx';
import { ReportFiles } from './ReportFiles.tsx';
import { usePeriod } from './use-period.tsx';

export function Taxes({ currency }: { currency: Currency }) {
  const { t } = useTranslation('metrics');
  const format = useFormat();
  const { period, choice } = usePeriod();
  const query = useQuery({
    ...metricsQueries.taxes({ currency, ...period }),
    placeholderData: keepPreviousData,
  });
  return (
    <Section
      title={t('metrics.taxes')}
      lead={t('metrics.taxes_lead')}
      actions={<ReportFiles report="taxes" currency={currency} {...period} />}
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
              <EmptyState compact title={t('metrics.taxes_empty')} hint={t('metrics.taxes_empty_hint')} />
            ) : (
              <PlainTable
                label={t('metrics.taxes')}
                heads={[
                  t('metrics.rate'),
                  t('metrics.net'),
                  t('metrics.tax'),
                  t('metrics.credited_net'),
                  t('metrics.credited_tax'),
                  t('metrics.total'),
                ]}
                rows={items.map((one) => ({
                  key: `${one.category}-${one.rate}`,
                  cells: [
                    `${format.number(one.rate)}%${one.category === '' ? '' : format.aside(one.category)}`,
                    <Money key="net" amount={one.net} />,
                    <Money key="tax" amount={one.tax} />,
                    <Money key="creditedNet" amount={one.creditedNet} />,
                    <Money key="creditedTax" amount={one.creditedTax} />,
                    <Money key="total" amount={one.total} />,
                  ],
                }))}
                total={{
                  key: 'total',
                  cells: [
                    t('metrics.total'),
                    '',
                    '',
                    '',
                    '',
                    <Money key="total" amount={proof.here} strong />,
                  ],
                }}
              />
            )}
            <ProofLine proof={proof} about="taxes" />
            <LedgerLink account="tax" {...period} />
          </>
        )}
      </QueryState>
    </Section>
  );
}
