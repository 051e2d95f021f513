// A small curve without axes as plain SVG, a hundredth of the chart library's size.
import Box from '@mui/material/Box';

export type SparklineProps = {
  /** Oldest first; null is a gap. For drawing only. */
  readonly values: readonly (number | null)[];
  /** Describes the curve for screen readers; the graphic has no other text. */
  readonly label: string;
  readonly height?: number;
  /** Fixed ends of the scale; by default the smallest and largest value. */
  readonly min?: number;
  readonly max?: number;
  readonly tone?: 'primary' | 'error' | 'warning';
};

const width = 120;

export function Sparkline({ values, label, height = 32, min, max, tone = 'primary' }: SparklineProps) {
  const { line, area } = sparklinePaths(values, { width, height, min, max });
  return (
    <Box
      component="svg"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      sx={{ display: 'block', width: '100%', height, color: `${tone}.main`, overflow: 'visible' }}
    >
      <path d={area} fill="currentColor" opacity={0.12} />
      <path
        d={line}
        fill="none"
        stroke="currentColor"
        strokeWidth={1.75}
        strokeLinejoin="round"
        strokeLinecap="round"
        vectorEffect="non-scaling-stroke"
      />
    </Box>
  );
}

/** The paths of the line and the area below it, in a box of the given size; a gap splits the line. */
export function sparklinePaths(
  values: readonly (number | null)[],
  box: { width: number; height: number; min?: number | undefined; max?: number | undefined },
): { line: string; area: string } {
  const known = values.filter((value): value is number => value !== null && Number.isFinite(value));
  if (known.length === 0) return { line: '', area: '' };
  const low = box.min ?? Math.min(...known);
  const high = box.max ?? Math.max(...known);
  const span = high - low;
  const step = values.length > 1 ? box.width / (values.length - 1) : 0;
  // A margin of one pixel at the top and bottom, so that the stroke is not cut off.
  const y = (value: number): number =>
    span === 0
      ? box.height / 2
      : 1 + (1 - (Math.min(Math.max(value, low), high) - low) / span) * (box.height - 2);
  const point = (value: number, index: number): string => `${round(index * step)},${round(y(value))}`;
  let [line, area] = ['', ''];
  let from = -1;
  for (const [index, value] of [...values, null].entries()) {
    const isGap = value === null || !Number.isFinite(value);
    if (!isGap && from < 0) from = index;
    if (!isGap || from < 0) continue;
    const run = values.slice(from, index).map((one, offset) => point(one ?? low, from + offset));
    line += `M${run.join('L')}`;
    area += `M${round(from * step)},${box.height}L${run.join('L')}L${round((index - 1) * step)},${box.height}Z`;
    from = -1;
  }
  return { line, area };
}

const round = (value: number): number => Math.round(value * 100) / 100;
