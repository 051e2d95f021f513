// A few shares on radial axes, or the same as bars: people differ in which they read better.
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from '../i18n/i18n.ts';
import { useFormat } from '../format/use-format.ts';
import { Chart } from './Chart.tsx';
import { BesideList, fromCentre, useParts } from './chart-parts.tsx';
import { useChartLook } from './look.ts';
import { radarOption, radarPicture, reach, type RadarAxis } from './radar-option.ts';
import { axisAt } from './circle-slices.ts';

/** More axes than this are unreadable. */
export const maxAxes = 8;
/** Room for a label beside the shape; if one needs more, all become numbers that a list explains. */
const labelRoom = 72;

/** The approximate width of a 12 px text: Han characters are square. */
const roughWidth = (text: string): number =>
  [...text].reduce((sum, letter) => sum + ((letter.codePointAt(0) ?? 0) > 0x2e7f ? 12 : 7), 0);

/** `onSelect`: called for a click or Enter on an axis. */
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
  const [view, setView] = useState<'radar' | 'bars'>('radar');
  const shown = axes.slice(0, maxAxes);
  // Two axes form no shape.
  const isRadar = view === 'radar' && shown.length >= 3;
  const isNumbered = shown.some((axis) => roughWidth(axis.label) > labelRoom);
  return (
    <Stack sx={{ gap: 1.5 }}>
      {shown.length >= 3 && (
        <ToggleButtonGroup
          exclusive
          size="small"
          value={view}
          aria-label={label}
          onChange={(_, next: 'radar' | 'bars' | null) => next && setView(next)}
          data-screen-only
          sx={{ alignSelf: 'flex-end' }}
        >
          <ToggleButton value="radar">{t('chart.radar')}</ToggleButton>
          <ToggleButton value="bars">{t('chart.bars')}</ToggleButton>
        </ToggleButtonGroup>
      )}
      {isRadar && (
        <BesideList columns={isNumbered ? 'minmax(0, 5fr) minmax(0, 6fr)' : undefined}>
          <Radar label={label} axes={shown} isNumbered={isNumbered} onSelect={onSelect} />
          {isNumbered && <NumberedList axes={shown} />}
        </BesideList>
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
  const { t } = useTranslation('platform');
  const format = useFormat();
  const look = useChartLook();
  const choose = (index: number): void => {
    const axis = axes[index];
    if (axis) onSelect?.(axis.key);
  };
  const navigation = useParts(axes.length, { onSelect: choose });
  const { active } = navigation;
  const looked = active === undefined ? undefined : axes[active];
  const input = {
    description: t('chart.about_shares', {
      parts: format.list(axes.map((axis) => `${axis.label} ${axis.text}`)),
    }),
    axes,
    active,
    isNumbered,
    look,
  };
  return (
    <Box>
      <Chart
        label={label}
        option={radarOption(input)}
        picture={radarPicture(input)}
        parts={navigation}
        description={looked ? `${looked.label}: ${looked.text}` : ''}
        partAt={(chart, point) => axisAt(axes.length, fromCentre(chart, point, reach))}
        onPress={onSelect && choose}
        // Names beside the shape need width, numbers do not.
        sx={{ width: '100%', aspectRatio: isNumbered ? '1' : '3 / 2', maxHeight: isNumbered ? 260 : 320 }}
      />
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
function ShareBars({ axes }: { axes: readonly RadarAxis[] }) {
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
