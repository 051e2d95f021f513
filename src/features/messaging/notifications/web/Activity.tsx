// Messages of this tab: results of the user's actions and alerts, newest first, so that a missed toast can be
// read again.
import CheckCircleOutlined from '~icons/ic/outline-check-circle';
import ErrorOutlineOutlined from '~icons/ic/outline-error-outline';
import HistoryOutlined from '~icons/ic/outline-history';
import InfoOutlined from '~icons/ic/outline-info';
import WarningAmberOutlined from '~icons/ic/outline-warning-amber';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useToastHistory } from '#platform/web/toasts/toasts.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Moment } from '#platform/web/ui/Money.tsx';
import { NoWrap } from '#platform/web/ui/NoWrap.tsx';

const glyphs = {
  success: CheckCircleOutlined,
  error: ErrorOutlineOutlined,
  warning: WarningAmberOutlined,
  info: InfoOutlined,
} as const;

export function Activity() {
  const { t } = useTranslation('notifications');
  const past = useToastHistory((history) => history.past);
  if (past.length === 0)
    return (
      <EmptyState
        compact
        icon={<HistoryOutlined />}
        title={t('notifications.no_activity')}
        hint={t('notifications.no_activity_hint')}
      />
    );
  return (
    <Box
      component="ul"
      tabIndex={0}
      aria-label={t('notifications.activity')}
      sx={{ listStyle: 'none', margin: 0, padding: 0, maxHeight: 420, overflow: 'auto' }}
    >
      {past.toReversed().map(({ id, kind, message, at }) => {
        const Glyph = glyphs[kind];
        return (
          <Box
            component="li"
            key={id}
            sx={{
              display: 'grid',
              gridTemplateColumns: '24px minmax(0, 1fr)',
              gap: '12px',
              padding: '10px 16px',
              '& + &': { borderTop: '1px solid', borderColor: 'divider' },
            }}
          >
            {/* used as: 'notifications.activity_*' */}
            <Glyph
              titleAccess={t(`notifications.activity_${kind}`)}
              sx={{ color: `${kind}.main`, fontSize: 20, marginTop: '1px' }}
            />
            <Box sx={{ minWidth: 0 }}>
              <Typography variant="body2" sx={{ overflowWrap: 'anywhere' }}>
                <NoWrap text={message} />
              </Typography>
              <Typography variant="caption" color="textSecondary">
                <Moment at={at} as="relative" />
              </Typography>
            </Box>
          </Box>
        );
      })}
    </Box>
  );
}
