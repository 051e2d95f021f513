// One chart: loads ECharts once the first screen is complete and the chart is near the viewport, draws the
// option, supports keyboard reading and can be saved as a picture.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import type { SxProps, Theme } from '@mui/material/styles';
import { use, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from '../i18n/i18n.ts';
import { useFirstScreen } from '../loading/first-screen.ts';
import { VisuallyHidden } from '../ui/VisuallyHidden.tsx';
import { loadEngine, type ChartOption, type Drawn, type Point } from './engine.ts';
import type { useParts } from './chart-parts.tsx';
import { PictureContext } from './picture-context.ts';
import { useNearness } from './use-nearness.ts';

export type ChartProps = {
  /** The chart's accessible name: "每日用量". */
  readonly label: string;
  /** Whether the option may use a zoom window and a brush. */
  readonly canZoom?: boolean;
  /** Redrawn whenever the object changes. */
  readonly option: ChartOption;
  /** Overrides of the option for a saved picture. */
  readonly picture: ChartOption;
  readonly parts: ReturnType<typeof useParts>;
  /** The description of the active part. */
  readonly description: string;
  readonly onChart?: (chart: Drawn | undefined) => void;
  /** The part under a point, which is in pixels of the plot; undefined when there is none. */
  readonly partAt: (chart: Drawn, point: Point) => number | undefined;
  readonly onPress?: ((part: number, chart: Drawn, point: Point) => void) | undefined;
  readonly sx: SxProps<Theme>;
};

export function Chart(props: ChartProps) {
  const { label, option, picture, parts, description, canZoom = false } = props;
  const { t } = useTranslation('platform');
  const host = useRef<HTMLDivElement>(null);
  const isNear = useNearness(host);
  const isDue = useFirstScreen((screen) => screen.stands) && isNear;
  const [chart, setChart] = useState<Drawn>();
  const [isMissing, setMissing] = useState(false);
  const onChart = useEffectEvent((drawn: Drawn | undefined) => props.onChart?.(drawn));
  const point = useEffectEvent((drawn: Drawn, at: Point) => parts.setActive(props.partAt(drawn, at)));
  const leave = useEffectEvent(() => parts.setActive(undefined));
  const press = useEffectEvent((drawn: Drawn, at: Point) => {
    const part = props.partAt(drawn, at);
    if (part !== undefined) props.onPress?.(part, drawn, at);
  });
  const drawnOption = useRef<ChartOption>(undefined);
  const drawFirst = useEffectEvent((made: Drawn) => {
    drawnOption.current = option;
    // Applied now and drawn in the browser's next frame: doing both at once blocks a slow phone for too long.
    made.setOption(option, { lazyUpdate: true });
  });
  useEffect(() => {
    const place = host.current;
    if (!place || !isDue) return;
    let isOver = false;
    let drawn: Drawn | undefined;
    const observer = new ResizeObserver(() => drawn && fitToContainer(drawn, place));
    loadEngine(...(canZoom ? (['zoom'] as const) : [])).then(
      (engine) => {
        if (isOver) return;
        drawn = engine.init(place, undefined, { renderer: 'svg' });
        const made = drawn;
        made.getZr().on('mousemove', ({ offsetX, offsetY }) => point(made, [offsetX, offsetY]));
        made.getZr().on('globalout', () => leave());
        made.getZr().on('click', ({ offsetX, offsetY }) => press(made, [offsetX, offsetY]));
        const show = (): void => {
          made.off('rendered', show);
          if (!isOver) setChart(made);
        };
        made.on('rendered', show);
        drawFirst(made);
        observer.observe(place);
      },
      () => !isOver && setMissing(true),
    );
    return () => {
      isOver = true;
      observer.disconnect();
      drawn?.dispose();
      setChart(undefined);
    };
  }, [canZoom, isDue]);
  useEffect(() => {
    if (chart === undefined || option === drawnOption.current) return;
    drawnOption.current = option;
    chart.setOption(option, { replaceMerge: ['dataZoom', 'series'] });
  }, [chart, option]);
  // Runs after the option is set: the effect may ask the chart for coordinates.
  useEffect(() => onChart(chart), [chart]);
  usePicture(chart, option, picture);
  return (
    <Box
      {...parts.keyboard}
      aria-label={label}
      aria-busy={isNear && chart === undefined && !isMissing}
      sx={[
        {
          position: 'relative',
          borderRadius: '5px',
          touchAction: 'pan-y',
          '& > div > div': { cursor: props.onPress ? 'pointer !important' : undefined },
          '& .explanation': {
            lineHeight: 1.5,
            '& > div': { display: 'flex', gap: 2, justifyContent: 'space-between' },
          },
          // On paper, the width differs from that for which the plot was drawn.
          '@media print': {
            '& > div > div, & svg': { width: '100% !important', height: '100% !important' },
            '& .tip': { display: 'none !important' },
            breakInside: 'avoid',
          },
        },
        ...(Array.isArray(props.sx) ? props.sx : [props.sx]),
      ]}
    >
      <Box ref={host} sx={{ width: '100%', height: '100%' }} />
      {isMissing && (
        <Alert severity="warning" sx={{ position: 'absolute', inset: '8px 0 auto' }}>
          {t('chart.missing')}
        </Alert>
      )}
      <VisuallyHidden live>{description}</VisuallyHidden>
    </Box>
  );
}

/** Keeps the chart as large as its container; a view box lets print scale it. */
function fitToContainer(chart: Drawn, place: HTMLElement): void {
  if (place.clientWidth === 0 || place.clientHeight === 0) return;
  // The observer also reports the initial size, for which the chart was drawn: a redraw would take half as
  // long as the first drawing.
  if (chart.getWidth() !== place.clientWidth || chart.getHeight() !== place.clientHeight) chart.resize();
  place.querySelector('svg')?.setAttribute('viewBox', `0 0 ${place.clientWidth} ${place.clientHeight}`);
}

/** Provides the surrounding card with the function that takes a picture of this chart. */
function usePicture(chart: Drawn | undefined, option: ChartOption, picture: ChartOption): void {
  const registerPicture = use(PictureContext);
  const latest = useRef({ option, picture });
  useEffect(() => {
    latest.current = { option, picture };
  });
  useEffect(() => {
    if (!chart || !registerPicture) return;
    registerPicture(() => async (title: string) => {
      const { takePicture } = await import('./take-picture.ts');
      return takePicture(title, latest.current.option, latest.current.picture);
    });
    return () => registerPicture(undefined);
  }, [chart, registerPicture]);
}
