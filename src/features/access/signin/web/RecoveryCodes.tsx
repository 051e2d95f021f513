// Recovery codes, which cannot be shown again: copy, download or write down.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import DownloadOutlined from '~icons/ic/outline-download';
import Typography from '@mui/material/Typography';
import { saveFile } from '#platform/web/api/api.ts';
import { fileDownloaded } from '#platform/web/api/envelope.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { CopyButton } from '#platform/web/ui/CopyButton.tsx';

export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const { t } = useTranslation('signin');
  const text = codes.join('\n');
  const download = () =>
    saveFile({
      blob: new Blob([`${text}\n`], { type: 'text/plain' }),
      fileName: 'recovery-codes.txt',
      message: fileDownloaded,
    });
  return (
    <Box
      role="region"
      aria-label={t('signin.recovery_codes')}
      sx={{ display: 'grid', gap: 1.5, maxWidth: 440 }}
    >
      <Alert severity="warning" role="alert">
        {t('signin.recovery_once')}
      </Alert>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 0.5 }}>
        <Typography variant="subtitle2" component="p">
          {t('signin.recovery_codes')}
        </Typography>
        <CopyButton text={text} label={t('signin.copy_recovery')} />
      </Box>
      <Box
        component="ol"
        sx={{
          display: 'grid',
          gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' },
          gap: '4px 24px',
          margin: 0,
          padding: '12px 16px',
          listStyle: 'none',
          bgcolor: 'sunken',
          border: '1px solid',
          borderColor: 'divider',
          borderRadius: '5px',
          fontFamily: 'monospace',
          fontSize: '0.9375rem',
        }}
      >
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </Box>
      <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap' }}>
        <Button variant="contained" onClick={onDone}>
          {t('signin.recovery_kept')}
        </Button>
        <Button startIcon={<DownloadOutlined />} onClick={download}>
          {t('signin.download_recovery')}
        </Button>
      </Box>
    </Box>
  );
}
