// The charts with sample figures.
import { useState } from 'react';
import { money } from '#kernel/money.ts';
import { ChartCard } from '#platform/web/chart/ChartCard.tsx';
import { DonutChart } from '#platform/web/chart/DonutChart.tsx';
import { RadarChart } from '#platform/web/chart/RadarChart.tsx';
import type { TimeSeries } from '#platform/web/chart/series.ts';
import { TimeChart } from '#platform/web/chart/TimeChart.tsx';
import { Grid } from '#platform/web/ui/Section.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import samples from './gallery-samples.json';

const days = Array.from({ length: 31 }, (_, index) => `2026-10-${String(index + 1).padStart(2, '0')}`);
const wave = (seed: number, index: number): number =>
  Math.round(60 + 40 * Math.sin(index / 3 + seed) + ((index * 37 + seed * 53) % 23));

export function GalleryCharts() {
  const format = useFormat();
  const [selected, setSelected] = useState<number>();
  const text = (value: number) => format.money(money(BigInt(Math.round(value)), 'TWD'));
  const bars: TimeSeries[] = samples.services.slice(0, 4).map((label, seed) => {
    const values = days.map((_, index) => (index < 20 ? wave(seed, index) : null));
    return {
      key: `svc_${seed}`,
      label,
      values,
      texts: values.map((value) => (value === null ? '' : text(value))),
    };
  });
  const sums = days.map((_, index) => bars.reduce((sum, one) => sum + (one.values[index] ?? 0), 0));
  const previous = days.map((_, index) => wave(9, index) * 3.4);
  const expected = days.map((_, index) => (index < 20 ? null : 320 - index));
  const series: TimeSeries[] = [
    ...bars,
    { key: 'previous', label: samples.previous, as: 'outline', values: previous, texts: previous.map(text) },
    {
      key: 'forecast',
      label: samples.forecast,
      as: 'forecast',
      values: expected,
      texts: expected.map((value) => (value === null ? '' : text(value))),
    },
  ];
  const slices = samples.services.map((label, index) => ({
    key: `svc_${index}`,
    label,
    value: 900 - index * 95,
    text: text(900 - index * 95),
  }));
  return (
    <>
      <ChartCard
        title={samples.chart}
        table={{
          heads: [samples.chart, ...bars.map((one) => one.label)],
          rows: days
            .slice(0, 20)
            .map((day, index) => [format.dayTable(day), ...bars.map((one) => one.texts[index] ?? '')]),
        }}
      >
        <TimeChart
          label={samples.chart}
          places={days.map(format.dayShort)}
          placeNames={days.map(format.day)}
          series={series}
          formatTick={(value) => format.moneyShort(money(BigInt(Math.round(value)), 'TWD')).text}
          totals={sums.map(text)}
          totalLabel={samples.total}
          selected={selected}
          onSelect={setSelected}
        />
      </ChartCard>
      <Grid columns={2}>
        <ChartCard
          title={samples.share}
          table={{
            heads: [samples.share, samples.total],
            rows: slices.map((slice) => [slice.label, slice.text]),
          }}
        >
          <DonutChart
            label={samples.share}
            slices={slices}
            restText={(value) => text(value)}
            centre={{ label: samples.whole, text: text(slices.reduce((sum, slice) => sum + slice.value, 0)) }}
          />
        </ChartCard>
        <ChartCard
          title={samples.radar}
          table={{
            heads: [samples.radar, samples.total],
            rows: slices.map((slice) => [slice.label, slice.text]),
          }}
        >
          <RadarChart
            label={samples.radar}
            axes={slices.slice(0, 6).map((slice) => ({ ...slice, share: slice.value / 900 }))}
          />
        </ChartCard>
        <ChartCard title={samples.chart} table={undefined}>
          {null}
        </ChartCard>
        <ChartCard title={samples.chart} table={{ heads: [], rows: [] }}>
          {null}
        </ChartCard>
      </Grid>
    </>
  );
}
