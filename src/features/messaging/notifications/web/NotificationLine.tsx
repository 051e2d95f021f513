// One notification as a line: icon, text, category and age; unread ones have a dot and bold text.
import InfoOutlined from '~icons/ic/outline-info';
import PaymentsOutlined from '~icons/ic/outline-payments';
import ShieldOutlined from '~icons/ic/outline-shield';
import WarningAmberOutlined from '~icons/ic/outline-warning-amber';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { Link as RouterLink } from 'react-router';
import type { Notification } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Moment } from '#platform/web/ui/Money.tsx';
import { NoWrap } from '#platform/web/ui/NoWrap.tsx';
import { VisuallyHidden } from '#platform/web/ui/VisuallyHidden.tsx';

const glyphs = {
  payment: PaymentsOutlined,
  security: ShieldOutlined,
  warning: WarningAmberOutlined,
  info: InfoOutlined,
} as const;
const tones = { payment: 'info', security: 'error', warning: 'warning', info: 'neutral' } as const;

export type NotificationLineProps = {
  readonly notification: Notification;
  /** The link's path; undefined when this reader may not open it. */
  readonly to?: string | undefined;
  readonly onOpen?: () => void;
  /** Shown below: the states of its deliveries. */
  readonly children?: ReactNode;
};

export function NotificationLine({ notification, to, onOpen, children }: NotificationLineProps) {
  const { t } = useTranslation('notifications');
  const { type, category, message, read, createdAt } = notification;
  const Glyph = glyphs[type];
  return (
    <Box
      sx={{ display: 'grid', gridTemplateColumns: '36px minmax(0, 1fr)', gap: '12px', alignItems: 'start' }}
    >
      <Box
        sx={(theme) => ({
          position: 'relative',
          display: 'grid',
          placeItems: 'center',
          width: 36,
          height: 36,
          borderRadius: '50%',
          color: theme.vars.palette[tones[type]].softText,
          backgroundColor: theme.vars.palette[tones[type]].soft,
        })}
      >
        <Glyph aria-hidden />
        {!read && (
          <Box
            aria-hidden
            sx={{
              position: 'absolute',
              top: -1,
              insetInlineEnd: -1,
              width: 12,
              height: 12,
              borderRadius: '50%',
              bgcolor: 'primary.main',
              border: '2px solid',
              borderColor: 'background.paper',
              forcedColorAdjust: 'none',
            }}
          />
        )}
      </Box>
      <Box sx={{ minWidth: 0 }}>
        <Typography
          variant="body2"
          component="p"
          sx={{ fontWeight: read ? 400 : 700, overflowWrap: 'anywhere' }}
        >
          {!read && <VisuallyHidden>{t('notifications.unread_mark')}</VisuallyHidden>}
          {to === undefined ? (
            <NoWrap text={message} />
          ) : (
            <Link
              component={RouterLink}
              to={to}
              color="inherit"
              data-standalone
              underline="hover"
              onClick={onOpen}
            >
              <NoWrap text={message} />
            </Link>
          )}
        </Typography>
        {/* used as: 'notifications.category_*' */}
        <Typography variant="caption" component="p" color="textSecondary">
          {t(`notifications.category_${category}`)} · <Moment at={createdAt} as="relative" />
        </Typography>
        {children}
      </Box>
    </Box>
  );
}
