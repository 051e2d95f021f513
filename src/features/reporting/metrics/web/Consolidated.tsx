// Revenue and receivables of all currencies in the reporting currency, each with its rate.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router';
import type { Out } from '#kernel/contract.ts';
import type { Currency } from '#kernel/money.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Money } from '#platform/web/ui/Money.tsx';
import { PlainTable } from '#platform/web/ui/PlainTable.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { Parts } from '#platform/web/ui/Parts.tsx';
import type { Consolidated as Figure, metrics } from '../contract.ts';
import { metricsQueries } from './api.ts';
import { ReportFiles } from './ReportFiles.tsx';
import { useRateText } from './use-rate-text.ts';
import { usePeriod } from './use-period.tsx';

type Report = Out<typeof metrics.consolidated>;

export function Consolidated({ currency }: { currency: Currency }) {
  const { t } = useTranslation('metrics');
  const { period, choice } = usePeriod();
  const query = usePagedQuery(metricsQueries.consolidated(period));
  return (
    <QueryState query={query} skeleton={<Lines count={8} />}>
      {(report) => (
        <Parts>
          <Section
            title={t('metrics.consolidated')}
            lead={t('metrics.consolidated_lead', { currency: report.currency })}
            actions={<ReportFiles report="consolidated" currency={currency} {...period} />}
            flush
          >
            <Box sx={{ padding: { xs: '4px 16px 16px', sm: '4px 24px 16px' } }}>{choice}</Box>
            <Missing report={report} />
            <RevenueTable report={report} />
          </Section>
          <ReceivableTable report={report} day={period.to} />
        </Parts>
      )}
    </QueryState>
  );
}

function Missing({ report }: { report: Report }) {
  const { t } = useTranslation('metrics');
  const format = useFormat();
  const missing = [...report.revenue, ...report.receivables].filter(({ converted }) => converted === null);
  if (missing.length === 0) return null;
  const currencies = [...new Set(missing.map(({ amount }) => amount.currency))];
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
      {t('metrics.consolidated_missing', { currencies: format.list(currencies) })}
    </Alert>
  );
}

function RevenueTable({ report }: { report: Report }) {
  const { t } = useTranslation('metrics');
  const format = useFormat();
  const textOf = useRateText();
  const rateText = ({ rate, converted }: Figure): string =>
    converted === null ? t('metrics.no_rate') : rate === null ? '' : textOf(rate);
  const { revenue, revenueTotal, currency } = report;
  if (revenue.length === 0)
    return (
      <EmptyState compact title={t('metrics.recognized_empty')} hint={t('metrics.recognized_empty_hint')} />
    );
  return (
    <PlainTable
      label={t('metrics.consolidated_revenue')}
      words={1}
      heads={[
        t('metrics.month'),
        t('metrics.amount'),
        t('metrics.used_rate'),
        t('metrics.converted', { currency }),
      ]}
      rows={revenue.map((one) => ({
        key: `${one.month} ${one.amount.currency}`,
        cells: [
          format.month(one.month),
          <Money key="amount" amount={one.amount} />,
          rateText(one),
          one.converted === null ? '' : <Money key="converted" amount={one.converted} />,
        ],
      }))}
      total={{
        key: 'total',
        cells: [
          t('metrics.total'),
          '',
          '',
          revenueTotal === null ? (
            t('metrics.no_rate')
          ) : (
            <Money key="converted" amount={revenueTotal} strong />
          ),
        ],
      }}
    />
  );
}

function ReceivableTable({ report, day }: { report: Report; day: string }) {
  const { t } = useTranslation('metrics');
  const format = useFormat();
  const textOf = useRateText();
  const rateText = ({ rate, converted }: Figure): string =>
    converted === null ? t('metrics.no_rate') : rate === null ? '' : textOf(rate);
  const { receivables, receivablesTotal, currency } = report;
  const title = t('metrics.consolidated_receivables', { day: format.day(day) });
  return (
    <Section title={title} flush>
      {receivables.length === 0 ? (
        <Typography
          variant="body2"
          color="textSecondary"
          sx={{ padding: { xs: '0 16px 16px', sm: '0 24px 16px' } }}
        >
          {t('metrics.consolidated_none')}
        </Typography>
      ) : (
        <PlainTable
          label={title}
          words={1}
          heads={[
            t('metrics.currency'),
            t('metrics.amount'),
            t('metrics.used_rate'),
            t('metrics.converted', { currency }),
          ]}
          rows={receivables.map((one) => ({
            key: one.amount.currency,
            cells: [
              one.amount.currency,
              <Money key="amount" amount={one.amount} />,
              rateText(one),
              one.converted === null ? '' : <Money key="converted" amount={one.converted} />,
            ],
          }))}
          total={{
            key: 'total',
            cells: [
              t('metrics.total'),
              '',
              '',
              receivablesTotal === null ? (
                t('metrics.no_rate')
              ) : (
                <Money key="converted" amount={receivablesTotal} strong />
              ),
            ],
          }}
        />
      )}
    </Section>
  );
}
