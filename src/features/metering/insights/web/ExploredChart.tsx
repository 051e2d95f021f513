// The cost of each day or hour, stacked by group, with the previous period as outlines, unusual days marked,
// and the forecast dashed.
import { inLanguage } from '#kernel/language.ts';
import { useMemo, type ReactNode } from 'react';
import type { LocalDay } from '#kernel/shape.ts';
import type { Explored, ExploredSeries, Forecast, UnusualDay } from '../contract.ts';
import type { ExpectedDays } from '#features/metering/usage/contract.ts';
import { ChartCard } from '#platform/web/chart/ChartCard.tsx';
import type { TimeSeries } from '#platform/web/chart/series.ts';
import { TimeChart } from '#platform/web/chart/TimeChart.tsx';
import { formatOf, type Format } from '#platform/web/format/format.ts';
import { type Translate, useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import {
  expectedSeries,
  expectedText,
  rangeText,
  shownExpected,
  tickText,
  useMonthSums,
} from '#features/metering/usage/web/parts.ts';
import { commonUnit, stackExplored, type Shown } from './explored-chart.ts';
import { groupsAt } from './explored-figure.ts';
import type { ExplorerView } from './explorer-view.ts';
import { useGroupName } from './group-name.ts';
import { unusualRuns, type UnusualRun } from './unusual-runs.ts';

export type ExploredChartProps = {
  readonly range: { readonly from: LocalDay; readonly to: LocalDay };
  readonly zone: string;
  readonly view: ExplorerView;
  /** Undefined while loading. */
  readonly explored: Explored | undefined;
  readonly unusual: readonly UnusualDay[];
  /** The forecast for the rest of the current month, if the range is its days so far. */
  readonly forecast: Forecast | undefined;
  readonly error: Error | null;
  readonly onRetry: () => void;
  /** Opens the events of some groups. */
  readonly onOpen: (series: readonly ExploredSeries[], start: Date, end: Date) => void;
  /** Shown instead of the chart. */
  readonly empty?: ReactNode;
  /** The chart's controls, shown above it. */
  readonly controls: ReactNode;
};

export function ExploredChart({
  range,
  zone,
  view,
  explored,
  unusual,
  forecast,
  error,
  onRetry,
  onOpen,
  empty,
  controls,
}: ExploredChartProps) {
  const { t } = useTranslation('insights');
  const format = useFormat();
  const language = useLanguage();
  const local = formatOf(language, zone);
  const nameOf = useGroupName();
  const unit = explored && commonUnit(explored);
  const runs = useMemo(() => unusualRuns(unusual), [unusual]);
  const measure = view.measure === 'quantity' && unit !== undefined ? 'quantity' : 'cost';
  const shown = explored && stackExplored(explored, measure, nameOf, t('chart.other'));
  const text = (value: string) =>
    measure === 'quantity'
      ? format.quantity(value, unit)
      : format.unitPrice(value, explored?.currency ?? 'TWD');
  const expected = measure === 'cost' ? shownExpected(forecast, explored?.currency) : undefined;
  const monthSums = useMonthSums();
  const sums =
    measure === 'cost'
      ? (explored?.months ?? []).filter(({ currency }) => currency === explored?.currency)
      : [];
  const inNoDay = monthSums.sentence(sums);
  const table =
    empty !== undefined
      ? { heads: [], rows: [] }
      : explored &&
        shown &&
        tableOf({ t, local, explored, shown, expected, measure, text, ofMonths: monthSums.rows(sums) });
  const charges = [
    ...new Set(
      (explored?.monthOnly ?? []).map(({ serviceName, name }) =>
        t('insights.charge_of', { service: serviceName, charge: inLanguage(name, language) }),
      ),
    ),
  ];
  const title = t(explored?.grain === 'hour' ? 'insights.hourly' : 'insights.daily');
  const lead =
    empty === undefined &&
    `${format.range(range.from, range.to)} · ${format.sentences(
      t(measure === 'cost' ? 'insights.lead_cost' : 'insights.lead_quantity'),
      shown !== undefined && shown.leftOut > 0 && t('insights.left_out', { count: shown.leftOut }),
      charges.length > 0 && t('insights.month_only', { charges: format.list(charges) }),
      inNoDay,
    )}`;
  return (
    <ChartCard
      title={title}
      lead={lead}
      controls={controls}
      table={table}
      error={error}
      onRetry={onRetry}
      empty={empty ?? <EmptyState compact title={t('insights.empty')} hint={t('insights.empty_hint')} />}
    >
      {explored && shown && (
        <TimeChart
          label={title}
          places={[
            ...explored.places.map((place) => placeText(explored, place, local)),
            ...(expected?.days ?? []).map((each) => format.dayShort(each.day)),
          ]}
          placeNames={[
            ...explored.places.map((place) =>
              explored.grain === 'hour' ? local.dateTimeTable(place.start) : format.day(place.day),
            ),
            ...(expected?.days ?? []).map((each) => format.day(each.day)),
          ]}
          series={seriesOf({ t, explored, shown, expected, measure, text })}
          formatTick={
            measure === 'cost'
              ? tickText(format, explored.currency)
              : (value) => (value < 100_000 ? format.number(value) : format.numberShort(value).text)
          }
          totals={shown.totals.map(text)}
          totalLabel={t('insights.sum')}
          flags={explored.places.map((place) => flagOf(place.day, runs, t))}
          flagLabel={t('insights.unusual')}
          onSelect={(index, key) => {
            const place = explored.places[index];
            if (place)
              onOpen(
                // Only those with usage there: the list of events begins with the first of them.
                groupsAt(shown.series.find((each) => each.key === key)?.of ?? explored.series, index),
                place.start,
                place.end,
              );
          }}
        />
      )}
    </ChartCard>
  );
}

function placeText(
  { grain, from, to }: Explored,
  { start, day }: Explored['places'][number],
  local: Format,
): string {
  if (grain === 'day') return local.dayShort(day);
  return from === to ? local.time(start) : `${local.dayShort(day)} ${local.time(start)}`;
}

/**
 * Services whose usage became unusual on a day and for how many days, without those that a user marked as
 * expected.
 */
function flagOf(day: LocalDay, runs: readonly UnusualRun[], t: Translate<'insights'>): string | undefined {
  const names = runs
    .filter(({ days: [first] }) => first.day === day && first.verdict?.verdict !== 'expected')
    .map(({ days }) =>
      days.length === 1
        ? days[0].serviceName
        : t('insights.days_long', { service: days[0].serviceName, count: days.length }),
    );
  return names.length === 0
    ? undefined
    : names.slice(0, 3).join(' · ') + (names.length > 3 ? ` +${names.length - 3}` : '');
}

type Parts = {
  readonly t: Translate<'insights'>;
  readonly explored: Explored;
  readonly shown: Shown;
  readonly expected: ExpectedDays | undefined;
  readonly measure: 'cost' | 'quantity';
  readonly text: (value: string) => string;
};

/** The previous period's value at each place; nothing for quantities. */
function previousOf({
  explored,
  measure,
}: Pick<Parts, 'explored' | 'measure'>): readonly string[] | undefined {
  return measure === 'cost'
    ? (explored.totals.find((each) => each.currency === explored.currency)?.previousCosts ?? undefined)
    : undefined;
}

function seriesOf({ t, explored, shown, expected, measure, text }: Parts): TimeSeries[] {
  const none = (expected?.days ?? []).map(() => null);
  const previous = previousOf({ explored, measure });
  return [
    // A place where a group has no usage has no line in the tooltip.
    ...shown.series.map(({ key, label, values }): TimeSeries => ({
      key,
      label,
      values: [...values.map((value) => (value === '0' ? null : Number(value))), ...none],
      texts: values.map(text),
    })),
    ...(previous
      ? [
          {
            key: 'previous',
            label: t('insights.previous'),
            as: 'outline' as const,
            values: [...explored.places.map((_, index) => Number(previous[index] ?? '0')), ...none],
            texts: previous.map(text),
          },
        ]
      : []),
    ...(expected
      ? [
          expectedSeries(
            t('insights.forecast'),
            explored.places.map((place) => place.day),
            expected,
            text,
          ),
        ]
      : []),
  ];
}

function tableOf({
  t,
  local,
  explored,
  shown,
  expected,
  measure,
  text,
  ofMonths,
}: Parts & { local: Format; ofMonths: readonly [string, string][] }) {
  const previous = previousOf({ explored, measure });
  const isEmpty = shown.series.length === 0 && !expected && (previous ?? []).every((each) => each === '0');
  const heads = [
    t(explored.grain === 'hour' ? 'insights.hour' : 'insights.day'),
    ...shown.series.map((each) => each.label),
    t('insights.sum'),
    ...(previous ? [t('insights.previous')] : []),
    ...(expected ? [t('insights.forecast')] : []),
  ];
  // When clocks go back, an hour occurs twice.
  const hourName = (index: number): string => {
    const [name, before] = [index, index - 1].map((at) => {
      const place = explored.places[at];
      return place && local.dateTimeTable(place.start);
    });
    return `${name ?? ''}${name === before ? ' (2)' : ''}`;
  };
  const past = explored.places.map((place, index) => [
    explored.grain === 'hour' ? hourName(index) : local.dayTable(place.day),
    ...shown.series.map((each) => text(each.values[index] ?? '0')),
    text(shown.totals[index] ?? '0'),
    ...(previous ? [text(previous[index] ?? '0')] : []),
    ...(expected
      ? [place.day === expected.restOfToday.day ? expectedText(expected.restOfToday.expected, text) : '']
      : []),
  ]);
  const next = (expected?.days ?? []).map((each) => [
    local.dayTable(each.day),
    ...shown.series.map(() => ''),
    '',
    ...(previous ? [''] : []),
    rangeText(each, text),
  ]);
  const sums = ofMonths.map(([name, amount]) => [
    name,
    ...shown.series.map(() => ''),
    amount,
    ...(previous ? [''] : []),
    ...(expected ? [''] : []),
  ]);
  return isEmpty ? { heads, rows: [] } : { heads, rows: [...past, ...next], foot: sums };
}
