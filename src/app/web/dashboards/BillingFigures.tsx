// The four figures above the billing dashboard.
import { decimal } from '#kernel/decimal.ts';
import { roundToMoney } from '#kernel/money.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Grid } from '#platform/web/ui/Section.tsx';
import { StatCard } from '#platform/web/ui/StatCard.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import type { BillingDashboard } from '../../console/contract.ts';
import { CostCard } from './CostCard.tsx';

/** `dashboard` is undefined while loading. */
export function BillingFigures({ dashboard }: { dashboard: BillingDashboard | undefined }) {
  const { t } = useTranslation('console');
  const format = useFormat();
  const { statistics, quotas } = dashboard ?? {};
  const amount = (exact: string) => roundToMoney(decimal(exact), statistics?.currency ?? 'TWD');
  const [low, high = ''] = statistics
    ? [statistics.projectedCost.low, statistics.projectedCost.high].map((exact) =>
        format.money(amount(exact)),
      )
    : [];
  const average = quotas?.averagePercent;
  const alarms = quotas?.items.filter((quota) => quota.status !== 'Normal') ?? [];
  const worst = alarms.filter((quota) => quota.status === 'Critical').length;
  return (
    <Grid columns={4} pairs>
      <CostCard cost={statistics} current={dashboard?.current} />
      <StatCard
        label={t('billing_dashboard.projected')}
        value={statistics && format.moneyShort(amount(statistics.projectedCost.amount))}
        note={low !== undefined && low !== high ? t('billing_dashboard.range', { low, high }) : undefined}
      />
      <StatCard
        label={t('billing_dashboard.quota_average')}
        value={
          quotas &&
          (average === null || average === undefined
            ? t('billing_dashboard.no_quota')
            : format.percent(average / 100))
        }
        note={quotas && t('billing_dashboard.quota_count', { count: quotas.items.length })}
      />
      <StatCard
        label={t('billing_dashboard.attention')}
        value={quotas && format.number(alarms.length)}
        note={
          quotas && t('billing_dashboard.attention_note', { critical: worst, warning: alarms.length - worst })
        }
      />
    </Grid>
  );
}
