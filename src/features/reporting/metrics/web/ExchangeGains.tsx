// Realized exchange gains and losses by month and customer; each opens the payments and credit notes behind
// it, with both rates.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { Link as RouterLink } from 'react-router';
import type { Out } from '#kernel/contract.ts';
import type { Currency } from '#kernel/money.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Money } from '#platform/web/ui/Money.tsx';
import { OpenRow } from '#platform/web/ui/OpenRow.tsx';
import { PlainTable } from '#platform/web/ui/PlainTable.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import type { metrics } from '../contract.ts';
import type { ExchangeGains as Row } from '../contract-exchange.ts';
import { metricsQueries } from './api.ts';
import { ReportFiles } from './ReportFiles.tsx';
import { Settlements, useOpenSettlements } from './Settlements.tsx';
import { usePeriod } from './use-period.tsx';

type Report = Out<typeof metrics.exchangeGains>;

export function ExchangeGains({ currency }: { currency: Currency }) {
  const { t } = useTranslation('metrics');
  const { period, choice } = usePeriod();
  const query = usePagedQuery(metricsQueries.exchangeGains(period));
  return (
    <QueryState query={query} skeleton={<Lines count={8} />}>
      {(report) => (
        <>
          <Section
            title={t('metrics.exchange')}
            lead={t('metrics.exchange_lead', { currency: report.currency })}
            actions={<ReportFiles report="exchange" currency={currency} {...period} />}
            flush
          >
            <Box sx={{ padding: { xs: '4px 16px 16px', sm: '4px 24px 16px' } }}>{choice}</Box>
            <Unknown report={report} />
            <Gains report={report} />
          </Section>
          <Settlements
            period={period}
            nameOf={(id) => report.items.find((one) => one.organizationId === id)?.organization ?? ''}
          />
        </>
      )}
    </QueryState>
  );
}

function Unknown({ report }: { report: Report }) {
  const { t } = useTranslation('metrics');
  const format = useFormat();
  if (report.unknown === 0) return null;
  const currencies = [...new Set(report.items.filter(({ unknown }) => unknown > 0).map(({ of }) => of))];
  return (
    <Alert
      severity="warning"
      sx={{ margin: { xs: '0 16px 16px', sm: '0 24px 16px' } }}
      action={
        <Button color="inherit" size="small" component={RouterLink} to="/admin/exchange-rates">
          {t('metrics.consolidated_set')}
        </Button>
      }
    >
      {t('metrics.exchange_unknown', { count: report.unknown, currencies: format.list(currencies) })}
    </Alert>
  );
}

function Gains({ report }: { report: Report }) {
  const { t } = useTranslation('metrics');
  const format = useFormat();
  const open = useOpenSettlements();
  const { items, currency, net, gains, losses } = report;
  if (items.length === 0)
    return (
      <EmptyState
        compact
        title={t('metrics.exchange_empty')}
        hint={t('metrics.exchange_empty_hint', { currency })}
      />
    );
  const known = (row: Row, amount: Row['gain']) =>
    row.unknown === row.count ? t('metrics.no_rate') : <Money amount={amount} />;
  return (
    <>
      <PlainTable
        label={t('metrics.exchange')}
        words={2}
        heads={[
          t('metrics.organization'),
          t('metrics.month'),
          t('metrics.settled'),
          t('metrics.exchange_booked'),
          t('metrics.exchange_value'),
          t('metrics.exchange_gain'),
        ]}
        rows={items.map((row) => ({
          key: `${row.month} ${row.organizationId} ${row.of}`,
          cells: [
            <OpenRow key="organization" onOpen={() => open(row)}>
              {row.organization}
            </OpenRow>,
            format.month(row.month),
            <Money key="settled" amount={row.settled} />,
            <span key="booked">{known(row, row.booked)}</span>,
            <span key="value">{known(row, row.value)}</span>,
            row.unknown === row.count ? '' : format.moneyChange(row.gain),
          ],
        }))}
        total={{
          key: 'total',
          cells: [t('metrics.total'), '', '', '', '', format.moneyChange(net)],
        }}
      />
      <Box
        sx={{ padding: { xs: '12px 16px', sm: '12px 24px' }, typography: 'body2', color: 'text.secondary' }}
      >
        {t('metrics.exchange_sums', {
          gains: format.moneyChange(gains),
          losses: format.moneyChange(losses),
          net: format.moneyChange(net),
        })}
      </Box>
    </>
  );
}
