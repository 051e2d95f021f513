// A part of a screen that could not be loaded: the reason, a retry button, and the request id that support
// asks for.
import ErrorOutlineOutlined from '~icons/ic/outline-error-outline';
import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { ApiError } from '../api/api-error.ts';
import { useTranslation } from '../i18n/i18n.ts';
import { ContactLine } from './ContactLine.tsx';
import { CopyButton } from './CopyButton.tsx';

export type ErrorStateProps = {
  readonly error: Error;
  /** Describes what failed in the screen's terms; the error's own message follows. */
  readonly title?: string;
  readonly onRetry?: () => void;
};

export function ErrorState({ error, title, onRetry }: ErrorStateProps) {
  const { t } = useTranslation('platform');
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  return (
    <Alert
      severity="error"
      icon={<ErrorOutlineOutlined />}
      action={
        onRetry && (
          <Button color="inherit" size="small" onClick={onRetry}>
            {t('ui.retry')}
          </Button>
        )
      }
      sx={{ '& .MuiAlert-message': { minWidth: 0 } }}
    >
      <AlertTitle component="p" sx={{ fontSize: 'inherit', fontWeight: 700, margin: 0 }}>
        {title ?? t('error.title')}
      </AlertTitle>
      {error.message}
      {requestId !== undefined && (
        <Stack direction="row" sx={{ alignItems: 'center', gap: 0.5 }}>
          <Typography variant="caption">
            {t('error.request_id')}{' '}
            <Typography component="code" variant="mono">
              {requestId}
            </Typography>
          </Typography>
          <CopyButton text={requestId} label={t('error.copy_id')} />
        </Stack>
      )}
      {requestId !== undefined && <ContactLine />}
    </Alert>
  );
}
