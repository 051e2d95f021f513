// A state as icon, word and color, so that it never depends on color alone.
import BlockOutlined from '~icons/ic/outline-block';
import CheckCircleOutlined from '~icons/ic/outline-check-circle';
import ErrorOutlineOutlined from '~icons/ic/outline-error-outline';
import InfoOutlined from '~icons/ic/outline-info';
import NotificationsActiveOutlined from '~icons/ic/outline-notifications-active';
import ScheduleOutlined from '~icons/ic/outline-schedule';
import WarningAmberOutlined from '~icons/ic/outline-warning-amber';
import Box from '@mui/material/Box';
import type { ReactNode } from 'react';

export type BadgeTone = 'success' | 'warning' | 'error' | 'info' | 'neutral' | 'primary' | 'admin' | 'alarm';

/** One icon per meaning, the same everywhere. */
const glyphs = {
  success: CheckCircleOutlined,
  warning: WarningAmberOutlined,
  error: ErrorOutlineOutlined,
  info: InfoOutlined,
  neutral: BlockOutlined,
  primary: ScheduleOutlined,
  admin: InfoOutlined,
  alarm: NotificationsActiveOutlined,
} as const;

export type StatusBadgeProps = {
  readonly tone: BadgeTone;
  /** The word. */
  readonly label: string;
  /** Replaces the tone's icon; `null` for no icon, if the word is a kind and not a state. */
  readonly icon?: ReactNode;
};

export function StatusBadge({ tone, label, icon }: StatusBadgeProps) {
  const Glyph = glyphs[tone];
  return (
    <Box
      component="span"
      sx={(theme) => ({
        display: 'inline-flex',
        alignItems: 'center',
        gap: '4px',
        padding: '2px 8px',
        borderRadius: '5px',
        fontSize: '0.8125rem',
        lineHeight: 20 / 13,
        whiteSpace: 'nowrap',
        verticalAlign: 'middle',
        color: theme.vars.palette[tone].softText,
        backgroundColor: theme.vars.palette[tone].soft,
        border: '1px solid transparent',
        '& svg': { fontSize: 16 },
      })}
    >
      {icon === undefined ? <Glyph aria-hidden /> : icon}
      {label}
    </Box>
  );
}
