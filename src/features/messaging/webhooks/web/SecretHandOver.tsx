// Shows a signing secret, which cannot be shown again, with example code that verifies signatures.
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { CodeBlock } from '#platform/web/ui/CodeBlock.tsx';
import { HandedOver, HandOver } from '#platform/web/ui/HandOver.tsx';
import { Secret } from '#platform/web/ui/Secret.tsx';
import { verifyExample } from './verify-example.ts';

export function SecretHandOver({
  secret,
  title,
  news,
  onClose,
}: {
  secret: string;
  title: string;
  /** What was done, one line each. */ news: readonly string[];
  onClose: () => void;
}) {
  const { t } = useTranslation('webhooks');
  return (
    <HandOver title={title} news={news} onClose={onClose}>
      <HandedOver label={t('webhooks.secret')} note={t('webhooks.secret_once')}>
        <Secret text={secret} label={t('webhooks.secret_copy')} />
      </HandedOver>
      <HandedOver label={t('webhooks.verify')}>
        <CodeBlock code={verifyExample} label={t('webhooks.verify_copy')} />
      </HandedOver>
    </HandOver>
  );
}
