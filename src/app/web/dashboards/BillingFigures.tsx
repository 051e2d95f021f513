// The four figures above the billing dashboard.
import { decimal } from '#kernel/decimal.ts';
import { roundToMoney } from '#kernel/money.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Grid } from '#platform/web/ui/Section.tsx';
import { StatCard } from '#platform/web/ui/StatCard.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { NoWrap } from '#platform/web/ui/NoWrap.tsx';
import type { BillingDashboard } from '../../console/contract.ts';

/** `dashboard` is undefined while loading. */
export function BillingFigures({ dashboard }: { dashboard: BillingDashboard | undefined }) {
  const { t } = useTranslation('console');
  const format = useFormat();
  const { statistics, quotas } = dashboard ?? {};
  const amount = (exact: string) => roundToMoney(decimal(exact), statistics?.currency ?? 'TWD');
  const average = quotas?.averagePercent;
  const alarms = quotas?.items.filter((quota) => quota.status !== 'Normal') ?? [];
  const worst = alarms.filter((quota) => quota.status === 'Critical').length;
  // A bill has late usage, discounts and other terms besides; where they make a difference, both are shown.
  const bill =
    statistics &&
    dashboard?.current.bills.find(
      ({ net }) => net.currency === statistics.currency && net.minor !== statistics.billed.minor,
    );
  const hasTerms = bill?.lines.some(({ term }) => term !== undefined);
  return (
    <Grid columns={4} pairs>
      <StatCard
        label={t('billing_dashboard.cost')}
        value={statistics && format.moneyShort(statistics.billed)}
        note={
          statistics && (
            <>
              <NoWrap
                text={t('billing_dashboard.previous', {
                  amount: format.money(statistics.previousBilled),
                })}
              />
              {bill && (
                <>
                  <br />
                  {t(hasTerms ? 'billing_dashboard.on_bill_terms' : 'billing_dashboard.on_bill', {
                    amount: format.money(bill.net),
                  })}
                </>
              )}
            </>
          )
        }
      />
      <StatCard
        label={t('billing_dashboard.projected')}
        value={statistics && format.moneyShort(amount(statistics.projectedCost.amount))}
        note={
          statistics &&
          t('billing_dashboard.range', {
            low: format.money(amount(statistics.projectedCost.low)),
            high: format.money(amount(statistics.projectedCost.high)),
          })
        }
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
