// Money that came and went, by payment method, and that it is what the ledger's cash moved by.
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Stack from '@mui/material/Stack';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link as RouterLink } from 'react-router';
import type { Currency } from '#kernel/money.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Money } from '#platform/web/ui/Money.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { SelectBox } from '#platform/web/ui/SelectBox.tsx';
import { metricsQueries } from './api.ts';
import { LedgerLink, ledgerPath } from './LedgerLink.tsx';
import { PlainTable } from '#platform/web/ui/PlainTable.tsx';
import { ProofLine } from './ProofLine.tsx';
import { ReportFiles } from './ReportFiles.tsx';
import { usePeriod } from './use-period.tsx';
import { useMethodName } from './use-method-name.ts';

export function Receipts({ currency }: { currency: Currency }) {
  const { t } = useTranslation('metrics');
  const format = useFormat();
  const { period, choice } = usePeriod();
  const methodName = useMethodName();
  const [by, setBy] = useParam('by');
  const isDaily = by === 'day';
  const query = useQuery({
    ...metricsQueries.receipts({ currency, ...period, ...(isDaily && { daily: true }) }),
    placeholderData: keepPreviousData,
  });
  return (
    <Section
      title={t('metrics.receipts')}
      lead={t('metrics.receipts_lead')}
      actions={<ReportFiles report="receipts" currency={currency} {...period} />}
      flush
    >
      <Stack
        direction="row"
        sx={{ gap: 1, flexWrap: 'wrap', padding: { xs: '4px 16px 16px', sm: '4px 24px 16px' } }}
      >
        {choice}
        <SelectBox
          label={t('metrics.receipts_by')}
          value={isDaily ? 'day' : 'method'}
          options={[
            { value: 'method', label: t('metrics.receipts_by_method') },
            { value: 'day', label: t('metrics.receipts_by_day') },
          ]}
          onChange={(next) => setBy(next === 'day' ? next : undefined)}
        />
      </Stack>
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
                words={isDaily ? 3 : 2}
                heads={[
                  ...(isDaily ? [t('metrics.day')] : []),
                  t('metrics.method'),
                  t('metrics.kind'),
                  t('metrics.count'),
                  t('metrics.fee'),
                  t('metrics.amount'),
                ]}
                rows={items.map((one) => ({
                  key: `${one.day ?? ''}-${one.method}-${one.kind}`,
                  cells: [
                    ...(isDaily
                      ? [
                          one.day === null ? (
                            ''
                          ) : (
                            <Link key="day" component={RouterLink} to={ledgerPath('cash', one.day, one.day)}>
                              {format.day(one.day)}
                            </Link>
                          ),
                        ]
                      : []),
                    methodName(one.method),
                    t(`metrics.kind_${one.kind}`),
                    format.number(one.count),
                    <Money key="fee" amount={one.fee} />,
                    <Money key="amount" amount={one.amount} />,
                  ],
                }))}
                total={{
                  key: 'total',
                  cells: [
                    ...(isDaily ? [t('metrics.total'), ''] : [t('metrics.total')]),
                    '',
                    '',
                    '',
                    <Money key="amount" amount={proof.here} strong />,
                  ],
                }}
              />
            )}
            <ProofLine proof={proof} about="receipts" />
            <LedgerLink account="cash" {...period} />
          </>
        )}
      </QueryState>
    </Section>
  );
}
