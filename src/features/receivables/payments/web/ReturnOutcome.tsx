// The progress of a payment at a provider as text; never shown as paid before the provider has reported it.
import CancelOutlined from '~icons/ic/outline-cancel';
import CheckCircleOutlined from '~icons/ic/outline-check-circle';
import CircularProgress from '@mui/material/CircularProgress';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useTranslation } from '#platform/web/i18n/i18n.ts';

export function ReturnOutcome({
  outcome,
}: {
  readonly outcome: 'waiting' | 'paid' | 'failed' | 'cancelled';
}) {
  const { t } = useTranslation('payments');
  return (
    <>
      <Stack direction="row" role="status" sx={{ gap: 1.5, alignItems: 'center' }}>
        {outcome === 'waiting' ? (
          <CircularProgress size={22} aria-hidden />
        ) : outcome === 'paid' ? (
          <CheckCircleOutlined aria-hidden sx={{ color: 'success.main' }} />
        ) : (
          <CancelOutlined aria-hidden sx={{ color: 'text.secondary' }} />
        )}
        {/* used as: 'payments.return_*' */}
        <Typography variant="subtitle1" component="p">
          {t(`payments.return_${outcome}`)}
        </Typography>
      </Stack>
      <Typography variant="body2">{t(`payments.return_${outcome}_hint`)}</Typography>
    </>
  );
}
