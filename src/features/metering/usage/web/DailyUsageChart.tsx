// The cost of each day's usage, stacked by service, or the same as a table.
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import FormControlLabel from '@mui/material/FormControlLabel';
import Stack from '@mui/material/Stack';
import Switch from '@mui/material/Switch';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Currency } from '#kernel/money.ts';
import { addDays } from '#kernel/time.ts';
import type { DailyUsage, ExpectedDays } from '../contract.ts';
import { dayNow } from '#platform/web/time/months.ts';
import { ChartCard } from '#platform/web/chart/ChartCard.tsx';
import { FigureTable } from '#platform/web/chart/FigureTable.tsx';
import { TimeChart } from '#platform/web/chart/TimeChart.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { usageQueries } from './api.ts';
import { tickText } from './cost-texts.ts';
import { expectedSeries, expectedText, rangeText, shownExpected } from './expected-days.ts';
import { stackDaily, type Stacked } from './daily-series.ts';
import { monthTotals, useMonthSums } from './month-sums.ts';

export type DailyUsageChartProps = {
  readonly title?: string;
  readonly lead?: string;
  readonly daily: DailyUsage;
  readonly currency: Currency;
  /** The forecast for the rest of the current month, if the days end with today. */
  readonly expected?: ExpectedDays | undefined;
};

export function DailyUsageChart({ title, lead, daily, currency, expected: given }: DailyUsageChartProps) {
  const { t } = useTranslation('usage');
  const format = useFormat();
  const [isCompared, setCompared] = useState(false);
  const name = title ?? t('usage.daily');
  const stacked = stackDaily(daily, currency, t('chart.other'));
  const expected = shownExpected(given, currency);
  const { totals: previous, error: missing } = usePrevious(daily, currency, isCompared);
  const cost = (amount: string) => format.unitPrice(amount, currency);
  const monthSums = useMonthSums();
  const sums = monthTotals(
    daily.series.flatMap(({ months }) => months),
    currency,
  );
  const inNoDay = monthSums.sentence(sums);
  const rows =
    stacked.series.length > 0
      ? [
          ...daily.days.map((day, index) => [
            format.dayTable(day),
            ...stacked.series.map((one) => cost(one.costs[index] ?? '0')),
            cost(stacked.totals[index] ?? '0'),
            ...(previous ? [cost(previous[index] ?? '0')] : []),
            ...(expected
              ? [day === expected.restOfToday.day ? expectedText(expected.restOfToday.expected, cost) : '']
              : []),
          ]),
          ...(expected?.days ?? []).map((each) => [
            format.dayTable(each.day),
            ...stacked.series.map(() => ''),
            '',
            ...(previous ? [''] : []),
            rangeText(each, cost),
          ]),
        ]
      : [];
  return (
    <ChartCard
      title={name}
      lead={format.sentences(
        lead ?? t('usage.daily_lead'),
        stacked.leftOut > 0 && t('usage.left_out', { count: stacked.leftOut, currency }),
        inNoDay,
      )}
      actions={
        rows.length > 0 && (
          <FormControlLabel
            label={t('usage.compare_previous')}
            sx={{ marginInlineStart: '-5px' }}
            control={<Switch size="small" checked={isCompared} onChange={(_, isOn) => setCompared(isOn)} />}
          />
        )
      }
      table={{
        heads: [
          t('usage.day'),
          ...stacked.series.map((one) => one.label),
          t('usage.sum'),
          ...(previous ? [t('usage.previous_period')] : []),
          ...(expected ? [t('usage.expected_days')] : []),
        ],
        rows,
        foot: monthSums
          .rows(sums)
          .map(([label, amount]) => [
            label,
            ...stacked.series.map(() => ''),
            amount,
            ...(previous ? [''] : []),
            ...(expected ? [''] : []),
          ]),
      }}
      empty={<EmptyState compact title={t('usage.empty')} hint={t('usage.daily_empty_hint')} />}
    >
      {missing && (
        <Alert severity="warning" sx={{ marginBottom: 2 }}>
          {missing.message}
        </Alert>
      )}
      <Plot
        name={name}
        daily={daily}
        stacked={stacked}
        previous={previous}
        expected={expected}
        currency={currency}
      />
    </ChartCard>
  );
}

/**
 * The cost of each day of the previous period, which has the same length; undefined unless requested and
 * available.
 */
function usePrevious(
  daily: DailyUsage,
  currency: Currency,
  isWanted: boolean,
): { readonly totals: readonly string[] | undefined; readonly error: Error | null } {
  const first = daily.days[0];
  const { timeZone } = useFormat();
  const { length } = daily.days;
  const start = first ?? dayNow(timeZone);
  const query = useQuery({
    ...usageQueries.daily({ from: addDays(start, -length), to: addDays(start, -1) }),
    enabled: isWanted && first !== undefined,
  });
  return {
    totals: isWanted && query.data ? stackDaily(query.data, currency, '').totals : undefined,
    error: isWanted ? query.error : null,
  };
}

function Plot({
  name,
  daily,
  stacked,
  previous,
  expected,
  currency,
}: {
  name: string;
  daily: DailyUsage;
  stacked: Stacked;
  previous: readonly string[] | undefined;
  expected: ExpectedDays | undefined;
  currency: Currency;
}) {
  const { t } = useTranslation('usage');
  const format = useFormat();
  const [selected, setSelected] = useState<number>();
  const cost = (amount: string) => format.unitPrice(amount, currency);
  const day = selected === undefined ? undefined : daily.days[selected];
  const next = expected?.days ?? [];
  const none = next.map(() => null);
  return (
    <Stack sx={{ gap: 2 }}>
      <TimeChart
        label={name}
        places={[...daily.days, ...next.map((each) => each.day)].map(format.dayShort)}
        placeNames={[...daily.days, ...next.map((each) => each.day)].map(format.day)}
        series={[
          // A day without usage of a service has no line in the tooltip.
          ...stacked.series.map(({ key, label, costs }) => ({
            key,
            label,
            values: [...costs.map((amount) => (amount === '0' ? null : Number(amount))), ...none],
            texts: costs.map(cost),
          })),
          ...(previous
            ? [
                {
                  key: 'previous',
                  label: t('usage.previous_period'),
                  as: 'outline' as const,
                  values: [...daily.days.map((_, index) => Number(previous[index] ?? '0')), ...none],
                  texts: daily.days.map((_, index) => cost(previous[index] ?? '0')),
                },
              ]
            : []),
          ...(expected ? [expectedSeries(t('usage.expected_days'), daily.days, expected, cost)] : []),
        ]}
        formatTick={tickText(format, currency)}
        totals={stacked.totals.map(cost)}
        totalLabel={t('usage.sum')}
        selected={selected}
        onSelect={(index) =>
          setSelected(index === selected || index >= daily.days.length ? undefined : index)
        }
      />
      {selected !== undefined && day !== undefined && (
        <Stack component="section" role="status" sx={{ gap: 1 }}>
          <Stack
            direction="row"
            sx={{ gap: 1, alignItems: 'center', justifyContent: 'space-between', flexWrap: 'wrap' }}
          >
            <Typography variant="h3">{t('usage.of_day', { day: format.day(day) })}</Typography>
            <Button size="small" onClick={() => setSelected(undefined)} data-screen-only>
              {t('usage.all_days')}
            </Button>
          </Stack>
          <FigureTable
            title={t('usage.of_day', { day: format.day(day) })}
            table={{
              heads: [t('usage.service'), t('usage.cost')],
              rows: [
                ...stacked.series
                  .filter((one) => (one.costs[selected] ?? '0') !== '0')
                  .map((one) => [one.label, cost(one.costs[selected] ?? '0')]),
                [t('usage.sum'), cost(stacked.totals[selected] ?? '0')],
              ],
            }}
          />
        </Stack>
      )}
    </Stack>
  );
}
