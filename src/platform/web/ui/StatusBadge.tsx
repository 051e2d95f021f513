// A state as icon, word and colour: never by colour alone.
import BlockOutlined from '@mui/icons-material/BlockOutlined';
import CheckCircleOutlined from '@mui/icons-material/CheckCircleOutlined';
import ErrorOutlineOutlined from '@mui/icons-material/ErrorOutlineOutlined';
import InfoOutlined from '@mui/icons-material/InfoOutlined';
import NotificationsActiveOutlined from '@mui/icons-material/NotificationsActiveOutlined';
import ScheduleOutlined from '@mui/icons-material/ScheduleOutlined';
import WarningAmberOutlined from '@mui/icons-material/WarningAmberOutlined';
import Box from '@mui/material/Box';
import type { ReactNode } from 'react';

export type BadgeTone = 'success' | 'warning' | 'error' | 'info' | 'neutral' | 'primary' | 'admin' | 'alarm';

/** One glyph for each meaning, everywhere. */
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
  /** Instead of the tone's own glyph; `null` for none where the word is a kind, not a state. */
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
