// Shows the secret of an API key, which cannot be shown again, with a command that uses it.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { CodeBlock } from '#platform/web/ui/CodeBlock.tsx';
import { Secret } from '#platform/web/ui/Secret.tsx';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import type { KeyWithSecret } from './key-calls.ts';
import { permissionsExample, readExample, usageExample } from './usage-example.ts';

export type KeyHandOverProps = {
  readonly made: KeyWithSecret;
  readonly title: string;
  /** The result, and what happens to the previous secret: one line each. */
  readonly news: readonly string[];
  readonly onClose: () => void;
};

export function KeyHandOver({ made: { key, secret }, title, news, onClose }: KeyHandOverProps) {
  const { t } = useTranslation('identity');
  const example =
    key.scope === 'metering'
      ? usageExample(secret)
      : key.scope === 'read'
        ? readExample(secret)
        : permissionsExample(secret, key);
  return (
    <SidePanel
      open
      title={title}
      onClose={onClose}
      width={600}
      footer={
        <Button variant="contained" onClick={onClose}>
          {t('ui.done')}
        </Button>
      }
    >
      <Stack sx={{ gap: 3 }}>
        <Alert severity="success">
          {news.map((line) => (
            <Box component="span" key={line} sx={{ display: 'block' }}>
              {line}
            </Box>
          ))}
        </Alert>
        <Box>
          <Typography variant="subtitle2" component="p" sx={{ marginBottom: 0.5 }}>
            {t('identity.key_secret')}
          </Typography>
          <Secret text={secret} label={t('identity.copy_key')} />
          <Typography variant="body2" color="textSecondary" sx={{ marginTop: 1 }}>
            {t('identity.key_once')}
          </Typography>
        </Box>
        {example !== undefined && (
          <Box>
            <Typography variant="subtitle2" component="p" sx={{ marginBottom: 0.5 }}>
              {key.scope === 'metering'
                ? t('identity.key_usage')
                : key.scope === 'read'
                  ? t('identity.key_read_usage')
                  : t('identity.key_permissions_usage')}
            </Typography>
            <CodeBlock code={example} label={t('identity.copy_example')} />
          </Box>
        )}
        {key.scope === 'permissions' && (
          <Typography variant="body2" color="textSecondary">
            {t('identity.key_permissions_usage_lead')} <a href="/api/docs">{t('identity.api_docs')}</a>
          </Typography>
        )}
      </Stack>
    </SidePanel>
  );
}
