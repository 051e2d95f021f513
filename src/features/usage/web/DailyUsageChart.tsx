// What each day's usage cost, stacked by service, or the same as a table.
import type { ReactNode } from 'react';
import type { Currency } from '#kernel/money.ts';
import type { DailyUsage } from '#features/usage/contract.ts';
import { ChartCard } from '#platform/web/chart/ChartCard.tsx';
import { TimeChart } from '#platform/web/chart/TimeChart.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { useFormat } from '#platform/web/use-format.ts';
import { tickText } from './cost-texts.ts';
import { stackDaily, type Stacked } from './daily-series.ts';
import { useUsageTexts } from './texts.ts';

export type DailyUsageChartProps = {
  readonly title?: string;
  readonly lead?: ReactNode;
  /** Undefined while loading. */
  readonly daily: DailyUsage | undefined;
  readonly currency: Currency;
  readonly error?: Error | null;
  readonly onRetry?: () => void;
  /** Instead of "no usage in this period". */
  readonly empty?: ReactNode;
};

export function DailyUsageChart({ title, lead, daily, currency, error = null, onRetry, empty }: DailyUsageChartProps) {
  const t = useUsageTexts();
  const format = useFormat();
  const name = title ?? t('usage.daily');
  const stacked = daily && stackDaily(daily, currency, t('chart.other'));
  const cost = (amount: string) => format.unitPrice(amount, currency);
  const rows = (daily && stacked && stacked.series.length > 0 ? daily.days : []).map((day, index) =>
    [format.dayTable(day), ...(stacked?.series ?? []).map((one) => cost(one.costs[index] ?? '0')), cost(stacked?.totals[index] ?? '0')]);
  return (
    <ChartCard
      title={name}
      lead={<>{lead ?? t('usage.daily_lead')}{stacked !== undefined && stacked.leftOut > 0 && ` ${t('usage.left_out', { count: stacked.leftOut, currency })}`}</>}
      table={stacked && { heads: [t('usage.day'), ...stacked.series.map((one) => one.label), t('usage.sum')], rows }}
      error={error}
      {...(onRetry && { onRetry })}
      empty={empty ?? <EmptyState compact title={t('usage.empty')} hint={t('usage.empty_hint')} />}
    >
      {daily && stacked && <Plot name={name} daily={daily} stacked={stacked} currency={currency} />}
    </ChartCard>
  );
}

function Plot({ name, daily, stacked, currency }: { name: string; daily: DailyUsage; stacked: Stacked; currency: Currency }) {
  const t = useUsageTexts();
  const format = useFormat();
  const cost = (amount: string) => format.unitPrice(amount, currency);
  return (
    <TimeChart
      label={name}
      places={daily.days.map(format.dayShort)}
      placeNames={daily.days.map(format.day)}
      // A day without usage of a service has no line in the explanation.
      series={stacked.series.map(({ key, label, costs }) => ({ key, label, values: costs.map((amount) => (amount === '0' ? null : Number(amount))), texts: costs.map(cost) }))}
      formatTick={tickText(format, currency)}
      totals={stacked.totals.map(cost)}
      totalLabel={t('usage.sum')}
    />
  );
}
