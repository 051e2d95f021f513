// Draws a laid-out chart over time as SVG.
import Box from '@mui/material/Box';
import { useTheme } from '@mui/material/styles';
import { useSize } from './chart-parts.tsx';
import type { TimeSeries } from './series.ts';
import type { TimeLayout } from './time-layout.ts';

type PlotProps = {
  readonly layout: TimeLayout;
  readonly series: readonly TimeSeries[];
  readonly places: readonly string[];
  readonly colours: ReadonlyMap<string, string>;
  readonly active: number | undefined;
  readonly selected: number | undefined;
  readonly flags: readonly (string | undefined)[];
};

export function TimePlot(props: PlotProps) {
  const { layout, active, selected } = props;
  const palette = useTheme().vars.palette;
  const [ref, , height] = useSize();
  const plotHeight = Math.max(height - layout.top - layout.bottom, 1);
  const y = (value: number): number => layout.top + layout.share(value) * plotHeight;
  return (
    <Box ref={ref} sx={{ position: 'absolute', inset: 0 }}>
      <Box
        component="svg"
        width={layout.width}
        height={height}
        aria-hidden
        sx={{
          display: 'block',
          fontSize: 12,
          '& text': { fill: palette.text.secondary, fontVariantNumeric: 'tabular-nums' },
        }}
      >
        {[active, selected].map(
          (index, kind) =>
            index !== undefined && (
              <rect
                key={kind === 0 ? 'active' : 'selected'}
                x={layout.left + layout.band * index}
                y={layout.top}
                width={layout.band}
                height={plotHeight}
                fill={kind === 0 ? palette.action.hover : palette.primary.soft}
              />
            ),
        )}
        {layout.ticks.map((tick) => (
          <g key={tick.value}>
            <line
              data-grid
              x1={layout.left}
              x2={layout.left + layout.plotWidth}
              y1={y(tick.value)}
              y2={y(tick.value)}
              stroke={palette.divider}
              strokeWidth={1}
              shapeRendering="crispEdges"
            />
            <text x={layout.left - 8} y={y(tick.value)} textAnchor="end" dominantBaseline="middle">
              {tick.label}
            </text>
          </g>
        ))}
        {props.places.map(
          (place, index) =>
            layout.isLabelled(index) && (
              <text key={`${place}-${index}`} x={layout.centre(index)} y={height - 8} textAnchor="middle">
                {place}
              </text>
            ),
        )}
        <Outlines {...props} y={y} stroke={palette.chart.other} />
        <Bars {...props} y={y} gap={palette.background.paper} />
        <Forecasts {...props} y={y} stroke={palette.chart.other} />
        <Lines {...props} y={y} halo={palette.background.paper} />
        <Flags {...props} y={y} fill={palette.warning.main} halo={palette.background.paper} />
        {layout.marks.map((mark) => (
          <g key={mark.label}>
            <line
              data-part
              x1={layout.left}
              x2={layout.left + layout.plotWidth}
              y1={y(mark.value)}
              y2={y(mark.value)}
              stroke={palette.error.main}
              strokeWidth={1.5}
              strokeDasharray="6 4"
            />
            <text x={layout.left + layout.plotWidth} y={y(mark.value) - 5} textAnchor="end">
              {mark.label}
            </text>
          </g>
        ))}
      </Box>
    </Box>
  );
}

type Drawn = PlotProps & { readonly y: (value: number) => number };
const kindOf = (one: TimeSeries) => one.as ?? 'bar';

function Bars({ layout, series, colours, y, gap }: Drawn & { gap: string }) {
  const bars = series.filter((one) => kindOf(one) === 'bar');
  return bars.map((one, row) => (
    <g key={one.key} fill={colours.get(one.key)} stroke={gap} strokeWidth={layout.band > 8 ? 1 : 0}>
      {layout.bars[row]?.map(
        ({ from, to }, index) =>
          to > from && (
            <rect
              key={index}
              data-part
              x={layout.centre(index) - layout.barWidth / 2}
              width={layout.barWidth}
              y={y(to)}
              height={Math.max(y(from) - y(to), 1)}
            />
          ),
      )}
    </g>
  ));
}

function Forecasts({ layout, series, y, stroke }: Drawn & { stroke: string }) {
  return series
    .filter((one) => kindOf(one) === 'forecast')
    .map((one, row) => (
      <g key={one.key} fill={stroke} fillOpacity={0.15} stroke={stroke} strokeDasharray="3 3">
        {layout.forecast[row]?.map(
          ({ from, to }, index) =>
            to > from && (
              <rect
                key={index}
                data-part
                x={layout.centre(index) - layout.barWidth / 2}
                width={layout.barWidth}
                y={y(to)}
                height={y(from) - y(to)}
              />
            ),
        )}
        {one.band?.map(
          (band, index) =>
            band &&
            band.high > band.low && (
              <line
                key={index}
                x1={layout.centre(index)}
                x2={layout.centre(index)}
                y1={y(band.high)}
                y2={y(band.low)}
                strokeWidth={1.5}
                strokeDasharray="none"
              />
            ),
        )}
      </g>
    ));
}

/** A diamond above the bar of each place that deserves a look. */
function Flags({ layout, flags, y, fill, halo }: Drawn & { fill: string; halo: string }) {
  return flags.map((flag, index) => {
    if (flag === undefined) return null;
    const [x, top] = [layout.centre(index), Math.max(y(layout.bars.at(-1)?.[index]?.to ?? 0) - 9, 6)];
    return (
      <path
        key={index}
        data-part
        d={`M${x},${top - 6}l6,6l-6,6l-6,-6Z`}
        fill={fill}
        stroke={halo}
        strokeWidth={1.5}
      />
    );
  });
}

function Outlines({ layout, series, y, stroke }: Drawn & { stroke: string }) {
  const width = layout.barWidth + 4;
  return series
    .filter((one) => kindOf(one) === 'outline')
    .map((one) => (
      <g key={one.key} fill="none" stroke={stroke} strokeWidth={1.5}>
        {one.values.map(
          (value, index) =>
            value !== null &&
            value > 0 && (
              <rect
                key={index}
                data-part
                x={layout.centre(index) - width / 2}
                width={width}
                y={y(value)}
                height={Math.max(y(0) - y(value), 1)}
              />
            ),
        )}
      </g>
    ));
}

function Lines({ layout, series, colours, y, halo }: Drawn & { halo: string }) {
  return series
    .filter((one) => kindOf(one) === 'line')
    .map((one) => {
      const points = one.values.flatMap((value, index) =>
        value === null ? [] : [{ index, x: layout.centre(index), y: y(value) }],
      );
      const path = points
        .map(
          (point, at) =>
            `${at > 0 && points[at - 1]?.index === point.index - 1 ? 'L' : 'M'}${point.x.toFixed(1)},${point.y.toFixed(1)}`,
        )
        .join('');
      return (
        <g key={one.key} stroke={colours.get(one.key)} fill="none">
          <path data-part d={path} strokeWidth={2.5} strokeLinejoin="round" />
          {points.length <= 40 &&
            points.map((point) => (
              <circle
                key={point.index}
                cx={point.x}
                cy={point.y}
                r={3.5}
                fill={colours.get(one.key)}
                stroke={halo}
                strokeWidth={1.5}
              />
            ))}
        </g>
      );
    });
}
