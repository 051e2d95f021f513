// One figure with its name, its change and optionally a curve.
import TrendingDownOutlined from '~icons/ic/outline-trending-down';
import TrendingFlatOutlined from '~icons/ic/outline-trending-flat';
import TrendingUpOutlined from '~icons/ic/outline-trending-up';
import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Skeleton from '@mui/material/Skeleton';
import Stack from '@mui/material/Stack';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import type { Short } from '../format/format.ts';
import { useTranslation } from '../i18n/i18n.ts';
import { Words } from './NoWrap.tsx';
import { VisuallyHidden } from './VisuallyHidden.tsx';

export type StatCardProps = {
  readonly label: string;
  /** A text, or an abbreviated one with the full text in the tooltip. Undefined while loading. */
  readonly value: string | Short | undefined;
  /** `{ direction: 'up', text: '+8.2%' }`; shown in a neutral color, because a rise may be good or bad. */
  readonly change?: { readonly direction: 'up' | 'down' | 'flat'; readonly text: string };
  /** Small print below the figure. */
  readonly note?: ReactNode;
  /** A sparkline or a bar. */
  readonly graphic?: ReactNode;
  readonly icon?: ReactNode;
};

const arrows = { up: TrendingUpOutlined, down: TrendingDownOutlined, flat: TrendingFlatOutlined } as const;

export function StatCard({ label, value, change, note, graphic, icon }: StatCardProps) {
  const { t } = useTranslation('platform');
  // used as: 'trend.*'
  const Arrow = change && arrows[change.direction];
  return (
    <Card
      sx={{
        padding: { xs: '12px', sm: '16px 20px' },
        minWidth: 0,
        containerType: 'inline-size',
        display: 'flex',
        flexDirection: 'column',
        gap: '4px',
      }}
    >
      <Stack direction="row" sx={{ gap: 1, alignItems: 'center', color: 'text.secondary' }}>
        {icon}
        <Typography variant="body2" component="h2" color="textSecondary" sx={{ fontWeight: 400 }}>
          <Words>{label}</Words>
        </Typography>
      </Stack>
      <Figure value={value} />
      {change && Arrow && (
        <Stack direction="row" sx={{ gap: '4px', alignItems: 'flex-start', color: 'text.secondary' }}>
          {/* Beside the first line of a longer text. */}
          <Arrow aria-hidden sx={{ fontSize: 18, marginTop: '1px' }} />
          <Typography variant="caption" className="tabular">
            {change.direction === 'flat' ? (
              t('trend.flat')
            ) : (
              <>
                <VisuallyHidden>{t(`trend.${change.direction}`)}</VisuallyHidden>
                <Words>{change.text}</Words>
              </>
            )}
          </Typography>
        </Stack>
      )}
      {graphic !== undefined && <Box sx={{ marginTop: '4px' }}>{graphic}</Box>}
      {note !== undefined && (
        <Typography variant="caption" color="textSecondary">
          <Words>{note}</Words>
        </Typography>
      )}
    </Card>
  );
}

function Figure({ value }: { value: StatCardProps['value'] }) {
  if (value === undefined)
    return (
      <Typography variant="kpi">
        <Skeleton width="60%" />
      </Typography>
    );
  const short = typeof value === 'string' ? { text: value, full: value } : value;
  const isShort = short.text !== short.full;
  const figure = (
    <Typography variant="kpi" sx={{ overflowWrap: 'anywhere' }}>
      {isShort ? (
        <>
          <span aria-hidden>{short.text}</span>
          <VisuallyHidden>{short.full}</VisuallyHidden>
        </>
      ) : (
        short.text
      )}
    </Typography>
  );
  return isShort ? (
    <Tooltip title={short.full} describeChild>
      {figure}
    </Tooltip>
  ) : (
    figure
  );
}
