// The four figures above the billing dashboard.
import { decimal } from '#kernel/decimal.ts';
import { roundToMoney } from '#kernel/money.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { dayNow } from '#platform/web/time/months.ts';
import { Grid } from '#platform/web/ui/Section.tsx';
import { StatCard } from '#platform/web/ui/StatCard.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import type { BillingDashboard } from '../../console/contract.ts';
import { CostCard } from './CostCard.tsx';

export function BillingFigures({ dashboard }: { dashboard: BillingDashboard }) {
  const { t } = useTranslation('console');
  const format = useFormat();
  const zone = useBrand((brand) => brand.timeZone);
  const { statistics, quotas } = dashboard;
  const amount = (exact: string) => roundToMoney(decimal(exact), statistics.currency);
  const low = format.money(amount(statistics.projectedCost.low));
  const high = format.money(amount(statistics.projectedCost.high));
  const average = quotas.averagePercent;
  const alarms = quotas.items.filter((quota) => quota.status !== 'Normal');
  const worst = alarms.filter((quota) => quota.status === 'Critical').length;
  return (
    <Grid columns={4} pairs>
      <CostCard cost={statistics} current={dashboard.current} />
      <StatCard
        label={t('billing_dashboard.projected')}
        value={format.moneyShort(amount(statistics.projectedCost.amount))}
        note={forecastNote()}
      />
      <StatCard
        label={t('billing_dashboard.quota_average')}
        value={average === null ? t('billing_dashboard.no_quota') : format.percent(average / 100)}
        note={t('billing_dashboard.quota_count', { count: quotas.items.length })}
      />
      <StatCard
        label={t('billing_dashboard.attention')}
        value={format.number(alarms.length)}
        note={t('billing_dashboard.attention_note', { critical: worst, warning: alarms.length - worst })}
      />
    </Grid>
  );

  function forecastNote(): string | undefined {
    if (low !== high) return t('billing_dashboard.range', { low, high });
    // Later without a range: every day has cost the same, for example nothing besides the fees.
    return dayNow(zone).endsWith('-01') ? t('billing_dashboard.nothing_to_project') : undefined;
  }
}
