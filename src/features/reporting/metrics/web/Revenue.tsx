// Recognized revenue by month and cause, compared with the ledger's revenue movement.
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router';
import type { Currency } from '#kernel/money.ts';
import { isDay, type BillingMonth, type LocalDay } from '#kernel/shape.ts';
import { daysOfMonth } from '#kernel/time.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Money } from '#platform/web/ui/Money.tsx';
import { metricsQueries } from './api.ts';
import { ledgerPath } from './LedgerLink.tsx';
import { LedgerReport } from './LedgerReport.tsx';
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
  const days = usePeriod();
  const query = usePagedQuery(metricsQueries.revenue({ currency, ...days.period }));
  // used as: 'metrics.revenue_billed', 'metrics.revenue_promotional', 'metrics.revenue_deferred', 'metrics.revenue_released', 'metrics.revenue_credited', 'metrics.revenue_expired'
  return (
    <LedgerReport
      report="revenue"
      title={t('metrics.recognized')}
      lead={t('metrics.recognized_lead')}
      currency={currency}
      days={days}
      query={query}
      empty={{ title: t('metrics.recognized_empty'), hint: t('metrics.recognized_empty_hint') }}
      heads={[
        t('metrics.month'),
        ...parts.map((part) => (part === 'total' ? t('metrics.total') : t(`metrics.revenue_${part}`))),
      ]}
      row={(one) => ({
        key: one.month,
        cells: [
          <Link
            key="month"
            component={RouterLink}
            to={ledgerPath('revenue', ...within(one.month, days.period))}
          >
            {format.month(one.month)}
          </Link>,
          ...parts.map((part) => <Money key={part} amount={one[part]} strong={part === 'total'} />),
        ],
      })}
      account="revenue"
    />
  );
}
