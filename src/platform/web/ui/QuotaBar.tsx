// How much of a quota is used: a bar, an icon and a word.
import CheckOutlined from '~icons/ic/outline-check';
import CloseOutlined from '~icons/ic/outline-close';
import ChangeHistoryOutlined from '~icons/ic/outline-change-history';
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useTranslation } from '../i18n/i18n.ts';
import { useFormat } from '../format/use-format.ts';
import { Words } from './NoWrap.tsx';

export type QuotaLevel = 'normal' | 'warning' | 'critical';

export type QuotaBarProps = {
  /** Names the quota for screen readers: the service. */
  readonly label: string;
  /** The used share of the limit, 0.94 for 94 %; may exceed 1. */
  readonly ratio: number;
  /** Determined by the server, because the thresholds are settings. */
  readonly level: QuotaLevel;
  /** "820／1,000 GB" */
  readonly amounts?: ReactNode;
  /** "預計 2 天後用完" */
  readonly outlook?: ReactNode;
};

const glyphs = { normal: CheckOutlined, warning: ChangeHistoryOutlined, critical: CloseOutlined } as const;
const inks = { normal: 'success', warning: 'warning', critical: 'error' } as const;

export function QuotaBar({ label, ratio, level, amounts, outlook }: QuotaBarProps) {
  const { t } = useTranslation('platform');
  const format = useFormat();
  // used as: 'quota.*'
  const Glyph = glyphs[level];
  const percent = Math.round(Math.min(Math.max(ratio, 0), 1) * 100);
  return (
    <Box sx={{ display: 'grid', gap: '4px', minWidth: 140 }}>
      <Box
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={`${format.percent(ratio)} · ${t(`quota.${level}`)}`}
        sx={{
          height: 8,
          borderRadius: '4px',
          bgcolor: 'sunken',
          overflow: 'hidden',
          border: '1px solid',
          borderColor: 'divider',
        }}
      >
        <Box
          sx={{ height: '100%', width: `${percent}%`, bgcolor: `quota.${level}`, forcedColorAdjust: 'none' }}
        />
      </Box>
      <Stack
        direction="row"
        sx={{ gap: 1, alignItems: 'center', justifyContent: 'space-between', flexWrap: 'wrap' }}
      >
        <Stack direction="row" sx={{ gap: '4px', alignItems: 'center', color: `${inks[level]}.main` }}>
          <Glyph aria-hidden sx={{ fontSize: 16 }} />
          <Typography variant="caption" className="tabular">
            {`${t(`quota.${level}`)} ${format.percent(ratio)}`}
          </Typography>
        </Stack>
        {amounts !== undefined && (
          <Typography variant="caption" color="textSecondary" className="tabular">
            {amounts}
          </Typography>
        )}
      </Stack>
      {outlook !== undefined && (
        <Typography variant="caption" color={level === 'normal' ? 'textSecondary' : inks[level]}>
          <Words>{outlook}</Words>
        </Typography>
      )}
    </Box>
  );
}
