// Stacked bars over time, with comparison and forecast; readable with the arrow keys.
import Stack from '@mui/material/Stack';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import Typography from '@mui/material/Typography';
import Button from '@mui/material/Button';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from '../i18n/i18n.ts';
import { useFormat } from '../format/use-format.ts';
import { chartHeights } from './ChartCard.tsx';
import { Chart } from './Chart.tsx';
import { Legend, useParts, type LegendItem } from './chart-parts.tsx';
import { useColourSlots } from './colour-slots.ts';
import type { Drawn } from './engine.ts';
import { useChartColour, useChartLook } from './look.ts';
import { cutHeight, kindOf, seriesAt, type TimeSeries } from './series.ts';
import { explanationOf } from './explanation.ts';
import { timeOption } from './time-option.ts';
import { useZoom } from './use-zoom.ts';

export type TimeChartProps = {
  /** The chart's accessible name: "每日用量". */
  readonly label: string;
  /** Short labels below the axis: "3/5". */
  readonly places: readonly string[];
  /** Full labels in the tooltip: "2026年3月5日"; by default the short ones. */
  readonly placeNames?: readonly string[];
  readonly series: readonly TimeSeries[];
  /** Formats the ticks: "1.2 萬". */
  readonly formatTick: (value: number) => string;
  /** The formatted sum of the bars at each place, if it should be shown. */
  readonly totals?: readonly string[];
  readonly totalLabel?: string;
  /** Called for a click or Enter on a place; a click on a bar's segment passes the key of its series. */
  readonly onSelect?: (index: number, key?: string) => void;
  readonly selected?: number | undefined;
  /**
   * Places to highlight, each with a short reason; undefined for the others. `flagLabel` is the mark's name
   * in the legend.
   */
  readonly flags?: readonly (string | undefined)[];
  readonly flagLabel?: string;
};

const none: readonly never[] = [];
/** How bars are drawn when one dwarfs the others. */
const scales = ['cut', 'whole', 'log'] as const;
type Scale = (typeof scales)[number];

export function TimeChart(props: TimeChartProps) {
  const { label, places, placeNames = places, series, onSelect, formatTick, selected } = props;
  const { flags = none, flagLabel } = props;
  const { t } = useTranslation('platform');
  const format = useFormat();
  const look = useChartLook();
  const [chart, setChart] = useState<Drawn>();
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [wanted, setScale] = useState<Scale>('cut');
  const items = useLegend(series);
  const hasFlags = flags.some((flag) => flag !== undefined);
  const shown = useMemo(() => series.filter((one) => !hidden.has(one.key)), [series, hidden]);
  const cut = useMemo(() => cutHeight(shown, places.length), [shown, places.length]);
  const scale = cut === undefined ? 'whole' : wanted;
  const isLog = scale === 'log';
  const cutAt = scale === 'cut' ? cut : undefined;
  const zoom = useZoom(chart, places);
  const parts = useParts(places.length, {
    onSelect,
    onKey: zoom.onKey,
  });
  const { active } = parts;
  const lines = active === undefined ? [] : linesAt(props, shown, active);
  const description = [
    t('chart.about_time', {
      from: placeNames[0] ?? '',
      to: placeNames.at(-1) ?? '',
      names: format.list(series.map((one) => one.label)),
    }),
    zoom.isPossible ? t('chart.zoom_keys') : '',
  ].join('');
  const option = useMemo(
    () =>
      timeOption({
        description,
        places,
        series: shown,
        colours: new Map(items.map((item) => [item.key, item.colour])),
        flags,
        selected,
        isLog,
        cutAt,
        isZoomable: zoom.isPossible,
        formatTick,
        explain: (index) => explanationOf(placeNames[index], linesAt(props, shown, index)),
        look,
      }),
    [
      description,
      places,
      shown,
      items,
      flags,
      selected,
      isLog,
      cutAt,
      zoom.isPossible,
      formatTick,
      placeNames,
      props,
      look,
    ],
  );
  useTip(chart, active, zoom.show);
  const toggle = (key: string) => {
    const next = new Set(hidden);
    if (!next.delete(key)) next.add(key);
    setHidden(next);
  };
  return (
    <Stack sx={{ gap: 1 }}>
      <Chart
        label={label}
        option={option}
        canZoom={zoom.isPossible}
        picture={{ legend: { data: shown.map((one) => one.label) } }}
        parts={parts}
        description={
          active === undefined
            ? ''
            : `${placeNames[active]}: ${lines.map(([, name, text]) => `${name} ${text}`).join(', ')}`
        }
        onChart={setChart}
        partAt={(drawn, point) => placeAt(drawn, point, places.length)}
        onPress={
          onSelect &&
          ((index, drawn, point) => {
            const value = drawn.convertFromPixel({ yAxisIndex: 0 }, point[1]);
            onSelect(index, typeof value === 'number' ? seriesAt(shown, index, value) : undefined);
          })
        }
        sx={{ height: chartHeights }}
      />
      <Stack direction="row" sx={{ gap: '4px 16px', flexWrap: 'wrap', alignItems: 'center' }}>
        <Legend items={items} hidden={hidden} {...(series.length > 1 && { onToggle: toggle })} />
        {hasFlags && flagLabel !== undefined && (
          <Legend items={[{ key: 'flag', label: flagLabel, colour: look.warning, shape: 'diamond' }]} />
        )}
        {series.some((one) => one.band?.some((band) => band !== null)) && (
          <Legend items={[{ key: 'band', label: t('chart.band'), colour: look.other, shape: 'line' }]} />
        )}
        {cut !== undefined && <ScaleChoice scale={scale} onChange={setScale} />}
        {zoom.isZoomed ? (
          <Button size="small" onClick={zoom.showAll} data-screen-only>
            {t('chart.zoom_reset')}
          </Button>
        ) : (
          zoom.isPossible && (
            <Typography
              variant="caption"
              color="textSecondary"
              data-screen-only
              sx={{ display: 'none', '@media (pointer: fine)': { display: 'inline' } }}
            >
              {t('chart.zoom_hint')}
            </Typography>
          )
        )}
      </Stack>
      {(isLog || cutAt !== undefined) && (
        <Typography variant="caption" color="textSecondary">
          {t(isLog ? 'chart.log_hint' : 'chart.cut_hint')}
        </Typography>
      )}
    </Stack>
  );
}

type ScaleChoiceProps = {
  readonly scale: Scale;
  readonly onChange: (scale: Scale) => void;
};

function ScaleChoice({ scale, onChange }: ScaleChoiceProps) {
  const { t } = useTranslation('platform');
  return (
    <ToggleButtonGroup
      exclusive
      size="small"
      value={scale}
      aria-label={t('chart.scale')}
      data-screen-only
      onChange={(_, next: Scale | null) => next && onChange(next)}
    >
      {/* used as: 'chart.scale_*' */}
      {scales.map((one) => (
        <ToggleButton key={one} value={one} sx={{ paddingBlock: '2px' }}>
          {t(`chart.scale_${one}`)}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}

/** The place under a point of the plot, even above its bar; undefined outside the plot. */
function placeAt(chart: Drawn, point: readonly [number, number], count: number): number | undefined {
  if (!chart.containPixel({ gridIndex: 0 }, [...point])) return undefined;
  const place = chart.convertFromPixel({ xAxisIndex: 0 }, point[0]);
  return typeof place === 'number' && place >= 0 && place < count ? place : undefined;
}

/** Shows the tooltip of the active place, and scrolls it into the zoom window. */
function useTip(chart: Drawn | undefined, active: number | undefined, show: (place: number) => void): void {
  useEffect(() => {
    if (!chart || active === undefined) return;
    const explain = () =>
      chart.dispatchAction({
        type: 'showTip',
        x: chart.convertToPixel({ xAxisIndex: 0 }, active),
        y: chart.getHeight() / 3,
      });
    show(active);
    explain();
    // Zooming moves the place.
    chart.on('datazoom', explain);
    return () => {
      if (chart.isDisposed()) return;
      chart.off('datazoom', explain);
      chart.dispatchAction({ type: 'updateAxisPointer', currTrigger: 'leave' });
      chart.dispatchAction({ type: 'hideTip' });
    };
  }, [chart, active, show]);
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

function useLegend(series: readonly TimeSeries[]): LegendItem[] {
  const colour = useChartColour();
  const slots = useColourSlots(
    series.filter((one) => kindOf(one) === 'bar' && one.colour !== 'brand').map((one) => one.key),
  );
  return useMemo(
    () =>
      series.map(({ key, label, as }): LegendItem => {
        if (as === 'outline') return { key, label, colour: colour('other'), shape: 'outline' };
        if (as === 'forecast') return { key, label, colour: colour('other'), shape: 'dashed' };
        return { key, label, colour: colour(slots.get(key) ?? 1) };
      }),
    [series, slots, colour],
  );
}
