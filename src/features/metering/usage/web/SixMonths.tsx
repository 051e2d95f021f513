// The costs of six months and their numbers of events; a click shows that month.
import { moneyText } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import type { Statistics } from '../contract.ts';
import { ChartCard } from '#platform/web/chart/ChartCard.tsx';
import { TimeChart } from '#platform/web/chart/TimeChart.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { tickText } from './cost-texts.ts';

export type SixMonthsProps = {
  readonly figures: Statistics | undefined;
  readonly selected: string;
  readonly onSelect: (month: BillingMonth) => void;
};

export function SixMonths({ figures, selected, onSelect }: SixMonthsProps) {
  const { t } = useTranslation('usage');
  const format = useFormat();
  const months = figures?.sixMonths ?? [];
  const isEmpty = months.every((one) => one.events === 0 && one.cost.amount === '0');
  const cost = (one: Statistics['sixMonths'][number]) => format.money(one.billed);
  return (
    <ChartCard
      title={t('usage.six_months')}
      lead={t('usage.six_months_lead')}
      table={
        figures && {
          heads: [t('usage.month'), t('usage.cost'), t('usage.events')],
          rows: isEmpty
            ? []
            : months.map((one) => [format.month(one.month), cost(one), format.number(one.events)]),
        }
      }
      empty={<EmptyState compact title={t('usage.empty')} hint={t('usage.empty_hint')} />}
    >
      {figures && (
        <TimeChart
          label={t('usage.six_months')}
          places={months.map((one) => format.monthShort(one.month))}
          placeNames={months.map(
            (one) =>
              `${format.month(one.month)} · ${t('usage.events_count', { count: format.number(one.events) })}`,
          )}
          series={[
            {
              key: 'spend',
              colour: 'brand',
              label: t('usage.cost'),
              values: months.map((one) => Number(moneyText(one.billed))),
              texts: months.map(cost),
            },
          ]}
          formatTick={tickText(format, figures.currency)}
          selected={months.findIndex((one) => one.month === selected)}
          onSelect={(index) => months[index] && onSelect(months[index].month)}
        />
      )}
    </ChartCard>
  );
}
