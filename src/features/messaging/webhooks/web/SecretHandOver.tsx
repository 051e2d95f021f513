// Shows a signing secret, which cannot be shown again, with example code that verifies signatures.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { CodeBlock } from '#platform/web/ui/CodeBlock.tsx';
import { Secret } from '#platform/web/ui/Secret.tsx';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import { verifyExample } from './verify-example.ts';

export function SecretHandOver({
  secret,
  title,
  news,
  onClose,
}: {
  secret: string;
  title: string;
  /** What happened: a line each. */ news: readonly string[];
  onClose: () => void;
}) {
  const { t } = useTranslation('webhooks');
  return (
    <SidePanel
      open
      title={title}
      onClose={onClose}
      width={640}
      footer={
        <Button variant="contained" onClick={onClose}>
          {t('ui.done')}
        </Button>
      }
    >
      <Stack sx={{ gap: 3 }}>
        <Alert severity="success">
          {news.map((line) => (
            <Box component="span" key={line} sx={{ display: 'block', overflowWrap: 'anywhere' }}>
              {line}
            </Box>
          ))}
        </Alert>
        <Box>
          <Typography variant="subtitle2" component="p" sx={{ marginBottom: 0.5 }}>
            {t('webhooks.secret')}
          </Typography>
          <Secret text={secret} label={t('webhooks.secret_copy')} />
          <Typography variant="body2" color="textSecondary" sx={{ marginTop: 1 }}>
            {t('webhooks.secret_once')}
          </Typography>
        </Box>
        <Box>
          <Typography variant="subtitle2" component="p" sx={{ marginBottom: 0.5 }}>
            {t('webhooks.verify')}
          </Typography>
          <CodeBlock code={verifyExample} label={t('webhooks.verify_copy')} />
        </Box>
      </Stack>
    </SidePanel>
  );
}
