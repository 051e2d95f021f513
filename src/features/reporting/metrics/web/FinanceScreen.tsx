// The operator's finance home: recurring revenue and its movements, cohorts, customers, and the reports that
// add up to the ledger.
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { isCurrency } from '#kernel/money.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { Page } from '#platform/web/ui/Page.tsx';
import { PageViews, usePageView } from '#platform/web/ui/PageViews.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { SelectBox } from '#platform/web/ui/SelectBox.tsx';
import { Parts } from '#platform/web/ui/Parts.tsx';
import type { MetricSummary } from '../contract.ts';
import { metricsKey, metricsQueries } from './api.ts';
import { Cohorts } from './Cohorts.tsx';
import { Consolidated } from './Consolidated.tsx';
import { Customers } from './Customers.tsx';
import { ExchangeGains } from './ExchangeGains.tsx';
import { Forecast } from './Forecast.tsx';
import { Margin } from './Margin.tsx';
import { Overview } from './Overview.tsx';
import { Receipts } from './Receipts.tsx';
import { Receivables } from './Receivables.tsx';
import { Revenue } from './Revenue.tsx';
import { RevenueLines } from './RevenueLines.tsx';
import { Taxes } from './Taxes.tsx';

const views = [
  'overview',
  'cohorts',
  'customers',
  'margin',
  'forecast',
  'receivables',
  'revenue',
  'consolidated',
  'exchange',
  'receipts',
  'taxes',
] as const;
type View = (typeof views)[number];

/** Views based on closed months; the others read the ledger, up to any day. */
const ofMonths: ReadonlySet<View> = new Set(['overview', 'cohorts', 'customers', 'margin', 'forecast']);

/** The option for all currencies, in the reporting currency. */
const everything = 'all';
/** Whether some bills are in other currencies than the reporting currency. */
const hasOthers = ({ currencies, reportingCurrency }: MetricSummary): boolean =>
  currencies.some((one) => one !== reportingCurrency);

export function FinanceScreen() {
  const { t } = useTranslation('metrics');
  const format = useFormat();
  // The currency, the number of months and the report's days stay when the view changes, because a month is
  // compared across views.
  const [view, open] = usePageView(views, ['currency', 'months', 'from', 'to']);
  const [wanted, setCurrency] = useParam('currency');
  const [length, setLength] = useParam('months');
  const months = length === '24' ? 24 : 12;
  useLive('billing', [metricsKey()]);
  // Only the overview combines currencies; its other views show one.
  const isAll = wanted === everything && view === 'overview';
  const query = usePagedQuery(
    metricsQueries.summary({
      months,
      ...(isAll && { consolidated: true }),
      ...(wanted && isCurrency(wanted) && { currency: wanted }),
    }),
  );
  const found = query.data;
  const choices = found && (
    <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
      {(found.currencies.length > 1 || hasOthers(found)) && (
        <SelectBox
          label={t('metrics.currency')}
          value={found.isConsolidated ? everything : found.currency}
          options={[
            ...found.currencies.map((one) => ({ value: one as string, label: one as string })),
            ...(view === 'overview' && hasOthers(found)
              ? [
                  {
                    value: everything,
                    label: t('metrics.all_currencies', { currency: found.reportingCurrency }),
                  },
                ]
              : []),
          ]}
          onChange={setCurrency}
        />
      )}
      <SelectBox
        label={t('metrics.months')}
        value={months === 24 ? '24' : '12'}
        options={[
          { value: '12', label: t('metrics.months_12') },
          { value: '24', label: t('metrics.months_24') },
        ]}
        onChange={(next) => setLength(next === '24' ? next : undefined)}
      />
    </Stack>
  );
  const summaryText = (summary: MetricSummary): string =>
    format.sentences(
      summary.lastMonth !== null &&
        t('metrics.until', {
          month: format.month(summary.lastMonth),
          running: format.month(summary.runningMonth),
        }),
      summary.isUpdating && t('metrics.updating'),
      summary.isConsolidated && t('metrics.all_currencies_about', { currency: summary.currency }),
    );
  // used as: 'metrics.view_overview', 'metrics.view_cohorts', 'metrics.view_customers', 'metrics.view_margin', 'metrics.view_forecast', 'metrics.view_receivables', 'metrics.view_revenue', 'metrics.view_consolidated', 'metrics.view_exchange', 'metrics.view_receipts', 'metrics.view_taxes'
  return (
    <Page title={t('metrics.title')} lead={t('metrics.lead')} actions={choices}>
      <PageViews
        label={t('metrics.views')}
        views={views.map((one) => [one, t(`metrics.view_${one}`)])}
        open={view}
        onOpen={open}
      >
        <QueryState query={query} skeleton={<Lines count={8} />}>
          {(summary) => (
            <Parts>
              {ofMonths.has(view) && summaryText(summary) !== '' && (
                <Typography variant="body2" color="textSecondary" role="status">
                  {summaryText(summary)}
                </Typography>
              )}
              <Shown view={view} summary={summary} />
              <RevenueLines currency={summary.currency} />
            </Parts>
          )}
        </QueryState>
      </PageViews>
    </Page>
  );
}

function Shown({ view, summary }: { view: View; summary: MetricSummary }) {
  const { currency, months } = summary;
  if (view === 'cohorts') return <Cohorts currency={currency} months={months.length} />;
  if (view === 'customers') return <Customers summary={summary} />;
  if (view === 'margin') return <Margin summary={summary} />;
  if (view === 'forecast') return <Forecast summary={summary} />;
  if (view === 'receivables') return <Receivables currency={currency} />;
  if (view === 'revenue') return <Revenue currency={currency} />;
  if (view === 'consolidated') return <Consolidated currency={currency} />;
  if (view === 'exchange') return <ExchangeGains currency={currency} />;
  if (view === 'receipts') return <Receipts currency={currency} />;
  if (view === 'taxes') return <Taxes currency={currency} />;
  return <Overview summary={summary} />;
}
