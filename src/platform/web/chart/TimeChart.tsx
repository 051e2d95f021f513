// Bars (stacked) and lines over time, with comparison, forecast and reference lines; readable with the arrow keys.
import Box from '@mui/material/Box';
import { useTheme } from '@mui/material/styles';
import { useState, type MouseEvent, type PointerEvent } from 'react';
import { VisuallyHidden } from '../ui/VisuallyHidden.tsx';
import { Explanation, Legend, useChartColour, useParts, useSize, type LegendItem } from './chart-parts.tsx';
import { chartHeights } from './ChartCard.tsx';
import { useColourSlots } from './colour-slots.ts';
import type { TimeSeries } from './series.ts';
import { TimePlot } from './TimePlot.tsx';
import { layOut } from './time-layout.ts';

export type TimeChartProps = {
  /** Says what the chart shows: "每日用量". */
  readonly label: string;
  /** Below the axis, short: "3/5". */
  readonly places: readonly string[];
  /** In the explanation, whole: "2026年3月5日"; the short one when left out. */
  readonly placeNames?: readonly string[];
  readonly series: readonly TimeSeries[];
  /** Writes the ticks: "1.2 萬". */
  readonly formatTick: (value: number) => string;
  /** The sum of the bars at a place, when it should be said. */
  readonly totals?: readonly string[];
  readonly totalLabel?: string;
  /** Horizontal lines with their names: a quota. */
  readonly marks?: readonly { readonly value: number; readonly label: string }[];
  /** A click or Enter on a place; a click on a bar's segment names its series. */
  readonly onSelect?: (index: number, key?: string) => void;
  readonly selected?: number | undefined;
  /** Places that deserve a look, each with a word why; undefined elsewhere. `flagLabel` names the mark in the legend. */
  readonly flags?: readonly (string | undefined)[];
  readonly flagLabel?: string;
};

export function TimeChart(props: TimeChartProps) {
  const { label, places, placeNames = places, series, onSelect } = props;
  const [ref, width] = useSize();
  const { active, setActive, keyboard } = useParts(places.length, onSelect);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const { flags = [], flagLabel } = props;
  const items = useLegend(series);
  const mark = useMark(flags.some((flag) => flag !== undefined) ? flagLabel : undefined);
  const shown = series.filter((one) => !hidden.has(one.key));
  const layout = layOut({
    width,
    series: shown,
    places,
    marks: props.marks ?? [],
    formatTick: props.formatTick,
  });
  const toggle = (key: string) => {
    const next = new Set(hidden);
    if (!next.delete(key)) next.add(key);
    setHidden(next);
  };
  const onPointer = (event: PointerEvent<HTMLElement>) =>
    setActive(layout.placeAt(event.clientX - event.currentTarget.getBoundingClientRect().left));
  const onClick = (event: MouseEvent<HTMLElement>) => {
    if (active === undefined || !onSelect) return;
    const { top, height } = event.currentTarget.getBoundingClientRect();
    const row = layout.barAt(
      active,
      (event.clientY - top - layout.top) / Math.max(height - layout.top - layout.bottom, 1),
    );
    const bars = shown.filter((one) => (one.as ?? 'bar') === 'bar');
    onSelect(active, row === undefined ? undefined : bars[row]?.key);
  };
  const lines = active === undefined ? [] : linesAt(props, shown, active);
  return (
    <Box sx={{ display: 'grid', gap: 1 }}>
      <Box
        ref={ref}
        {...keyboard}
        aria-label={label}
        onPointerMove={onPointer}
        onPointerLeave={() => setActive(undefined)}
        onClick={onClick}
        sx={{
          position: 'relative',
          height: chartHeights,
          cursor: onSelect ? 'pointer' : 'default',
          touchAction: 'pan-y',
        }}
      >
        {width > 0 && (
          <TimePlot
            layout={layout}
            series={shown}
            places={places}
            colours={new Map(items.map((item) => [item.key, item.colour]))}
            flags={flags}
            active={active}
            selected={props.selected}
          />
        )}
        {active !== undefined && lines.length > 0 && (
          <Explanation x={layout.centre(active)} y={8} width={width}>
            <Box sx={{ fontWeight: 700 }}>{placeNames[active]}</Box>
            {lines.map(([key, name, text]) => (
              <Box
                key={key}
                className="tabular"
                sx={{ display: 'flex', gap: 2, justifyContent: 'space-between' }}
              >
                <span>{name}</span>
                <span>{text}</span>
              </Box>
            ))}
          </Explanation>
        )}
        <VisuallyHidden live>
          {active === undefined
            ? ''
            : `${placeNames[active]}: ${lines.map(([, name, text]) => `${name} ${text}`).join(', ')}`}
        </VisuallyHidden>
      </Box>
      <Legend items={items} hidden={hidden} {...(series.length > 1 && { onToggle: toggle })} />
      {mark && <Legend items={[mark]} />}
    </Box>
  );
}

function linesAt(
  { totals, totalLabel, flags, flagLabel = '' }: TimeChartProps,
  shown: readonly TimeSeries[],
  index: number,
): [key: string, name: string, text: string][] {
  const lines = shown.flatMap((one): [string, string, string][] => {
    const text = one.texts[index];
    const value = one.values[index];
    return text === undefined || value === null || value === undefined ? [] : [[one.key, one.label, text]];
  });
  const total = totals?.[index];
  if (total !== undefined && totalLabel !== undefined) lines.push(['total', totalLabel, total]);
  const flag = flags?.[index];
  if (flag !== undefined) lines.push(['flag', flagLabel, flag]);
  return lines;
}

function useMark(label: string | undefined): LegendItem | undefined {
  const palette = useTheme().vars.palette;
  return label === undefined
    ? undefined
    : { key: 'flag', label, colour: palette.warning.main, shape: 'diamond' };
}

function useLegend(series: readonly TimeSeries[]): LegendItem[] {
  const colour = useChartColour();
  const slots = useColourSlots(
    series
      .filter((one) => one.as !== 'outline' && one.as !== 'forecast' && one.colour !== 'brand')
      .map((one) => one.key),
  );
  return series.map((one): LegendItem => {
    if (one.as === 'outline')
      return { key: one.key, label: one.label, colour: colour('other'), shape: 'outline' };
    if (one.as === 'forecast')
      return { key: one.key, label: one.label, colour: colour('other'), shape: 'dashed' };
    return {
      key: one.key,
      label: one.label,
      colour: colour(slots.get(one.key) ?? 1),
      shape: one.as === 'line' ? 'line' : 'square',
    };
  });
}
