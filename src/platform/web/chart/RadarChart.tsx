// A few shares on spread axes, or the same as bars: some people read the one, some the other.
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import Typography from '@mui/material/Typography';
import { useTheme } from '@mui/material/styles';
import { useState } from 'react';
import { useTranslation } from '../i18n/i18n.ts';
import { VisuallyHidden } from '../ui/VisuallyHidden.tsx';
import { useParts } from './chart-parts.tsx';
import { point, polygonPath, textWidth } from './scale.ts';

export type RadarAxis = {
  readonly key: string;
  readonly label: string;
  /** 0 to 1 of the axis. */
  readonly share: number;
  readonly text: string;
};

/** More axes than this cannot be read. */
export const mostAxes = 8;
const radius = 84;
/** Room for a label beside the shape; where one needs more, all become numbers and a list says what they are. */
const labelRoom = 72;
const labelPx = 11.5;
/** Where the card itself has room for shape and list beside each other, whatever the window has. */
const besideList = '@container (min-width: 480px)';

/** `onSelect`: a click or Enter on an axis. */
export function RadarChart({
  label,
  axes,
  onSelect,
}: {
  label: string;
  axes: readonly RadarAxis[];
  onSelect?: (key: string) => void;
}) {
  const { t } = useTranslation('platform');
  const [as, setAs] = useState<'radar' | 'bars'>('radar');
  const shown = axes.slice(0, mostAxes);
  // Two axes make no shape.
  const isRadar = as === 'radar' && shown.length >= 3;
  const isNumbered = shown.some((axis) => textWidth(axis.label, labelPx) > labelRoom);
  return (
    <Stack sx={{ gap: 1.5 }}>
      {shown.length >= 3 && (
        <ToggleButtonGroup
          exclusive
          size="small"
          value={as}
          aria-label={label}
          onChange={(_, next: 'radar' | 'bars' | null) => next && setAs(next)}
          data-screen-only
          sx={{ alignSelf: 'flex-end' }}
        >
          <ToggleButton value="radar">{t('chart.radar')}</ToggleButton>
          <ToggleButton value="bars">{t('chart.bars')}</ToggleButton>
        </ToggleButtonGroup>
      )}
      {isRadar && (
        <Box sx={{ containerType: 'inline-size' }}>
          <Box
            sx={{
              display: 'grid',
              gap: 2,
              alignItems: 'center',
              gridTemplateColumns: 'minmax(0, 1fr)',
              ...(isNumbered && { [besideList]: { gridTemplateColumns: 'minmax(0, 5fr) minmax(0, 6fr)' } }),
            }}
          >
            <Radar label={label} axes={shown} isNumbered={isNumbered} {...(onSelect && { onSelect })} />
            {isNumbered && <NumberedList axes={shown} />}
          </Box>
        </Box>
      )}
      {!isRadar && <ShareBars axes={shown} />}
    </Stack>
  );
}

function Radar({
  label,
  axes,
  isNumbered,
  onSelect,
}: {
  label: string;
  axes: readonly RadarAxis[];
  isNumbered: boolean;
  onSelect?: (key: string) => void;
}) {
  const choose =
    onSelect &&
    ((index: number): void => {
      const axis = axes[index];
      if (axis) onSelect(axis.key);
    });
  const { active, keyboard } = useParts(axes.length, choose);
  const looked = active === undefined ? undefined : axes[active];
  return (
    <Box {...keyboard} aria-label={label} sx={{ position: 'relative', borderRadius: '5px' }}>
      <VisuallyHidden live>{looked ? `${looked.label}: ${looked.text}` : ''}</VisuallyHidden>
      <Shape axes={axes} isNumbered={isNumbered} active={active} onChoose={choose} />
      <Box
        aria-hidden
        className="tabular"
        sx={{ minHeight: 20, textAlign: 'center', fontSize: '0.8125rem', lineHeight: 20 / 13 }}
      >
        {looked && `${looked.label} · ${looked.text}`}
      </Box>
    </Box>
  );
}

function Shape({
  axes,
  isNumbered,
  active,
  onChoose,
}: {
  axes: readonly RadarAxis[];
  isNumbered: boolean;
  active: number | undefined;
  onChoose: ((index: number) => void) | undefined;
}) {
  const palette = useTheme().vars.palette;
  const count = axes.length;
  return (
    <Box
      component="svg"
      viewBox={isNumbered ? '-110 -110 220 224' : '-170 -110 340 224'}
      aria-hidden
      sx={{
        display: 'block',
        width: '100%',
        maxHeight: 320,
        fontSize: labelPx,
        '& text': { fill: palette.text.secondary },
      }}
    >
      {[0.25, 0.5, 0.75, 1].map((ring) => (
        <path
          key={ring}
          data-grid
          d={polygonPath(
            axes.map(() => ring),
            radius,
          )}
          fill="none"
          stroke={palette.divider}
        />
      ))}
      {axes.map((axis, index) => {
        const [x = 0, y = 0] = point(index / count, radius + 12)
          .split(',')
          .map(Number);
        return (
          <g key={axis.key}>
            <line
              x1={0}
              y1={0}
              x2={Number(point(index / count, radius).split(',')[0])}
              y2={Number(point(index / count, radius).split(',')[1])}
              stroke={palette.divider}
            />
            <text x={x} y={y + 4} textAnchor={Math.abs(x) < 8 ? 'middle' : x > 0 ? 'start' : 'end'}>
              {isNumbered ? index + 1 : axis.label}
            </text>
          </g>
        );
      })}
      <path
        data-part
        d={polygonPath(
          axes.map((axis) => axis.share),
          radius,
        )}
        fill={palette.chart[1]}
        fillOpacity={0.2}
        stroke={palette.chart[1]}
        strokeWidth={2}
        strokeLinejoin="round"
      />
      {axes.map((axis, index) => {
        const [x = '0', y = '0'] = point(index / count, Math.min(Math.max(axis.share, 0), 1) * radius).split(
          ',',
        );
        return (
          <Box
            component="g"
            key={axis.key}
            onClick={onChoose && (() => onChoose(index))}
            sx={{ cursor: onChoose ? 'pointer' : 'default' }}
          >
            <circle cx={x} cy={y} r={index === active ? 6 : 3.5} fill={palette.chart[1]}>
              <title>{`${axis.label}: ${axis.text}`}</title>
            </circle>
            {/* A finger is wider than a dot. */}
            {onChoose && <circle cx={x} cy={y} r={14} fill="transparent" />}
          </Box>
        );
      })}
    </Box>
  );
}

function NumberedList({ axes }: { axes: readonly RadarAxis[] }) {
  return (
    <Box
      component="ol"
      sx={{ margin: 0, paddingInlineStart: '20px', fontSize: '0.8125rem', lineHeight: 20 / 13 }}
    >
      {axes.map((axis) => (
        <li key={axis.key}>
          <Box sx={{ display: 'flex', gap: 1, justifyContent: 'space-between' }}>
            <Box
              component="span"
              title={axis.label}
              sx={{ minWidth: 0, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }}
            >
              {axis.label}
            </Box>
            <span className="tabular">{axis.text}</span>
          </Box>
        </li>
      ))}
    </Box>
  );
}

/** A bar for each share, with its name and value. */
export function ShareBars({ axes }: { axes: readonly RadarAxis[] }) {
  return (
    <Stack component="ul" sx={{ listStyle: 'none', margin: 0, padding: 0, gap: 1.25 }}>
      {axes.map((axis) => (
        <Box component="li" key={axis.key}>
          <Stack direction="row" sx={{ justifyContent: 'space-between', gap: 1 }}>
            <Typography variant="body2" sx={{ overflowWrap: 'anywhere' }}>
              {axis.label}
            </Typography>
            <Typography variant="body2" className="tabular">
              {axis.text}
            </Typography>
          </Stack>
          <Box aria-hidden sx={{ height: 8, borderRadius: '4px', bgcolor: 'sunken', overflow: 'hidden' }}>
            <Box
              data-bar=""
              sx={{ height: '100%', bgcolor: 'chart.1', borderRadius: '4px' }}
              style={{ width: `${Math.min(Math.max(axis.share, 0), 1) * 100}%` }}
            />
          </Box>
        </Box>
      ))}
    </Stack>
  );
}
