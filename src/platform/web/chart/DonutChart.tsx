// Shares of a whole as a ring, with the list that says the values.
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useTranslation } from '../i18n/i18n.ts';
import { useFormat } from '../format/use-format.ts';
import { VisuallyHidden } from '../ui/VisuallyHidden.tsx';
import { useChartColour, useParts } from './chart-parts.tsx';
import { useColourSlots } from './colour-slots.ts';
import { ringPath, topAndRest, turns, type Slice } from './scale.ts';

export type DonutChartProps = {
  /** Says what the ring shows: "服務分布". */
  readonly label: string;
  readonly slices: readonly Slice[];
  /** Writes the sum of the small ones. */
  readonly restText: (value: number, parts: readonly Slice[]) => string;
  /** A click or Enter on a slice; the rest is none. */
  readonly onSelect?: (key: string) => void;
  /** In the middle: the whole. */
  readonly centre?: { readonly label: string; readonly text: string };
};

/** More than six cannot be told apart: the rest becomes one. */
const mostSlices = 6;
/** Where the card itself has room for ring and list beside each other, whatever the window has. */
const besideList = '@container (min-width: 480px)';

export function DonutChart({ label, slices, restText, onSelect, centre }: DonutChartProps) {
  const { t } = useTranslation('platform');
  const format = useFormat();
  const colour = useChartColour();
  const shown = topAndRest(slices, mostSlices, { label: t('chart.other'), text: restText });
  const slots = useColourSlots(shown.map((slice) => slice.key));
  const choose = (index: number): void => {
    const slice = shown[index];
    // The rest is no slice of its own.
    if (slice && slices.includes(slice)) onSelect?.(slice.key);
  };
  const { active, setActive, keyboard } = useParts(shown.length, choose);
  const pointer = onSelect ? 'pointer' : 'default';
  const parts = turns(shown.map((slice) => slice.value));
  const rings = shown.map((slice, index) => {
    const { from, to, share } = parts[index] ?? { from: 0, to: 0, share: 0 };
    return { slice, path: ringPath(from, to, 90, 58), colour: colour(slots.get(slice.key) ?? 1), share };
  });
  const looked = active === undefined ? undefined : rings[active];
  const middle = looked ? { label: format.percent(looked.share), text: looked.slice.text } : centre;
  return (
    <Box sx={{ containerType: 'inline-size' }}>
      <Box
        sx={{
          display: 'grid',
          gap: 2,
          alignItems: 'center',
          gridTemplateColumns: 'minmax(0, 1fr)',
          [besideList]: { gridTemplateColumns: '200px minmax(0, 1fr)' },
        }}
      >
        <Box
          {...keyboard}
          aria-label={label}
          sx={{
            position: 'relative',
            width: '100%',
            maxWidth: 200,
            justifySelf: 'center',
            borderRadius: '5px',
          }}
        >
          <Box
            component="svg"
            viewBox="-100 -100 200 200"
            aria-hidden
            sx={{ display: 'block', width: '100%' }}
          >
            {rings.map(({ slice, path, colour: fill }, index) => (
              <Box
                component="path"
                data-part=""
                key={slice.key}
                d={path}
                fill={fill}
                onPointerEnter={() => setActive(index)}
                onPointerLeave={() => setActive(undefined)}
                onClick={() => choose(index)}
                sx={{
                  cursor: pointer,
                  stroke: 'var(--mui-palette-background-paper)',
                  strokeWidth: 1.5,
                  opacity: active === undefined || active === index ? 1 : 0.35,
                  transition: 'opacity 120ms',
                  forcedColorAdjust: 'none',
                }}
              />
            ))}
            {middle && (
              <>
                <Box
                  component="text"
                  y={-8}
                  textAnchor="middle"
                  sx={{ fontSize: 12, fill: 'var(--mui-palette-text-secondary)' }}
                >
                  {middle.label}
                </Box>
                <Box
                  component="text"
                  y={14}
                  textAnchor="middle"
                  className="tabular"
                  sx={{
                    fontSize: middle.text.length > 10 ? 14 : 18,
                    fontWeight: 700,
                    fill: 'var(--mui-palette-text-primary)',
                  }}
                >
                  {middle.text}
                </Box>
              </>
            )}
          </Box>
          <VisuallyHidden live>
            {looked ? `${looked.slice.label}: ${looked.slice.text}, ${format.percent(looked.share)}` : ''}
          </VisuallyHidden>
        </Box>
        <Stack component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0, gap: '2px' }}>
          {rings.map(({ slice, colour: fill, share }, index) => (
            <Stack
              component="li"
              key={slice.key}
              direction="row"
              onPointerEnter={() => setActive(index)}
              onPointerLeave={() => setActive(undefined)}
              onClick={() => choose(index)}
              sx={{
                cursor: pointer,
                gap: 1,
                alignItems: 'center',
                padding: '4px 8px',
                borderRadius: '5px',
                bgcolor: active === index ? 'action.hover' : 'transparent',
              }}
            >
              <Box
                aria-hidden
                data-swatch=""
                sx={{ width: 12, height: 12, borderRadius: '3px', flexShrink: 0, forcedColorAdjust: 'none' }}
                style={{ backgroundColor: fill }}
              />
              <Typography variant="body2" sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
                {slice.label}
              </Typography>
              <Typography variant="body2" className="tabular" color="textSecondary">
                {format.percent(share)}
              </Typography>
              <Typography variant="body2" className="tabular" sx={{ minWidth: 80, textAlign: 'right' }}>
                {slice.text}
              </Typography>
            </Stack>
          ))}
        </Stack>
      </Box>
    </Box>
  );
}
