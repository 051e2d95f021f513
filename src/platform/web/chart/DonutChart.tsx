// Shares of a whole as a ring, with a list of the values.
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useTranslation } from '../i18n/i18n.ts';
import { useFormat } from '../format/use-format.ts';
import { Chart } from './Chart.tsx';
import { BesideList, fromCentre, useParts } from './chart-parts.tsx';
import { useColourSlots } from './colour-slots.ts';
import { useChartColour, useChartLook } from './look.ts';
import { innerEdge, outerEdge, ringOption, ringPicture } from './ring-option.ts';
import { sharesOf, sliceAt, withRestGrouped, type Slice } from './circle-slices.ts';

export type DonutChartProps = {
  /** The ring's accessible name: "服務分布". */
  readonly label: string;
  readonly slices: readonly Slice[];
  /** Formats the sum of the small slices. */
  readonly restText: (value: number, parts: readonly Slice[]) => string;
  /** Called for a click or Enter on a slice, but not on the rest. */
  readonly onSelect?: (key: string) => void;
  /** The total, in the center. */
  readonly centre?: { readonly label: string; readonly text: string };
};

/** More than six cannot be distinguished: the rest is grouped. */
const maxSlices = 6;

export function DonutChart({ label, slices, restText, onSelect, centre }: DonutChartProps) {
  const { t } = useTranslation('platform');
  const format = useFormat();
  const look = useChartLook();
  const colour = useChartColour();
  const shown = withRestGrouped(slices, maxSlices, { label: t('chart.other'), text: restText });
  const slots = useColourSlots(shown.map((slice) => slice.key));
  const choose = (index: number): void => {
    const slice = shown[index];
    // The rest is not a slice of its own.
    if (slice && slices.includes(slice)) onSelect?.(slice.key);
  };
  const navigation = useParts(shown.length, { onSelect: choose });
  const { active, setActive } = navigation;
  const shares = sharesOf(shown.map((slice) => slice.value));
  const parts = shown.map((slice, index) => ({
    ...slice,
    colour: colour(slots.get(slice.key) ?? 1),
    percent: format.percent(shares[index] ?? 0),
  }));
  const looked = active === undefined ? undefined : parts[active];
  const middle = looked ? { label: looked.percent, text: looked.text } : centre;
  const input = {
    description: t('chart.about_shares', {
      parts: format.list(parts.map((part) => `${part.label} ${part.percent}`)),
    }),
    parts,
    active,
    middle,
    look,
  };
  return (
    <BesideList columns="200px minmax(0, 1fr)">
      <Chart
        label={label}
        option={ringOption(input)}
        picture={ringPicture(input)}
        parts={navigation}
        description={looked ? `${looked.label}: ${looked.text}, ${looked.percent}` : ''}
        partAt={(chart, point) => sliceAt(shares, fromCentre(chart, point, outerEdge), innerEdge)}
        onPress={onSelect && choose}
        sx={{ width: '100%', maxWidth: 200, aspectRatio: '1', justifySelf: 'center' }}
      />
      <Stack component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0, gap: '2px' }}>
        {parts.map((part, index) => (
          <Stack
            component="li"
            key={part.key}
            direction="row"
            onPointerEnter={() => setActive(index)}
            onPointerLeave={() => setActive(undefined)}
            onClick={() => choose(index)}
            sx={{
              cursor: onSelect ? 'pointer' : 'default',
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
              style={{ backgroundColor: part.colour }}
            />
            <Typography variant="body2" sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
              {part.label}
            </Typography>
            <Typography variant="body2" className="tabular" color="textSecondary">
              {part.percent}
            </Typography>
            <Typography variant="body2" className="tabular" sx={{ minWidth: 80, textAlign: 'right' }}>
              {part.text}
            </Typography>
          </Stack>
        ))}
      </Stack>
    </BesideList>
  );
}
