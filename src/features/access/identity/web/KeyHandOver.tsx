// Shows the secret of an API key, which cannot be shown again, with a command that uses it.
import Typography from '@mui/material/Typography';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { CodeBlock } from '#platform/web/ui/CodeBlock.tsx';
import { HandedOver, HandOver } from '#platform/web/ui/HandOver.tsx';
import { Secret } from '#platform/web/ui/Secret.tsx';
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
    <HandOver title={title} width={600} news={news} onClose={onClose}>
      <HandedOver label={t('identity.key_secret')} note={t('identity.key_once')}>
        <Secret text={secret} label={t('identity.copy_key')} />
      </HandedOver>
      {example !== undefined && (
        <HandedOver
          label={
            key.scope === 'metering'
              ? t('identity.key_usage')
              : key.scope === 'read'
                ? t('identity.key_read_usage')
                : t('identity.key_permissions_usage')
          }
        >
          <CodeBlock code={example} label={t('identity.copy_example')} />
        </HandedOver>
      )}
      {key.scope === 'permissions' && (
        <Typography variant="body2" color="textSecondary">
          {t('identity.key_permissions_usage_lead')} <a href="/api/docs">{t('identity.api_docs')}</a>
        </Typography>
      )}
    </HandOver>
  );
}
