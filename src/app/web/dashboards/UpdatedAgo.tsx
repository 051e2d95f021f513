// The age of the figures in seconds, and a button that pauses their updates.
import PauseOutlined from '~icons/ic/outline-pause';
import PlayArrowOutlined from '~icons/ic/outline-play-arrow';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useNowSeconds } from '#platform/web/time/clock.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useFormat } from '#platform/web/format/use-format.ts';

/** Older figures are shown with their time. */
const staleSeconds = 60;

export function UpdatedAgo({ at, isPaused, onPause }: { at: Date; isPaused: boolean; onPause: () => void }) {
  const { t } = useTranslation('console');
  return (
    <>
      <Age at={at} />
      <Button
        variant="outlined"
        size="small"
        startIcon={isPaused ? <PlayArrowOutlined /> : <PauseOutlined />}
        onClick={onPause}
      >
        {t(isPaused ? 'admin_dashboard.resume' : 'admin_dashboard.pause')}
      </Button>
    </>
  );
}

function Age({ at }: { at: Date }) {
  const { t } = useTranslation('console');
  const format = useFormat();
  const now = useNowSeconds();
  // The server's clock may be ahead of the browser's.
  const seconds = Math.max(0, Math.round((now.getTime() - at.getTime()) / 1000));
  const text =
    seconds > staleSeconds
      ? t('admin_dashboard.updated_at', { time: format.dateTime(at) })
      : t('admin_dashboard.updated_ago', { seconds });
  return (
    <Typography
      variant="body2"
      color={seconds > staleSeconds ? 'warning' : 'textSecondary'}
      className="tabular"
      sx={{ alignSelf: 'center' }}
    >
      {text}
    </Typography>
  );
}
