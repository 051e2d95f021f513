// Shown above a form whose record somebody else has changed meanwhile; reloads it.
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useTranslation } from '../i18n/i18n.ts';

export function OutdatedNotice({ onReload }: { readonly onReload: () => void }) {
  const { t } = useTranslation('platform');
  return (
    <Alert
      severity="warning"
      sx={{ marginBottom: 2 }}
      action={
        <Button color="inherit" size="small" onClick={onReload}>
          {t('form.reload')}
        </Button>
      }
    >
      {t('form.reload_loses')}
    </Alert>
  );
}
