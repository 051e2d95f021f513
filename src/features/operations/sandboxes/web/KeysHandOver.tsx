// Shows the keys of a sandbox, which cannot be shown again, with a first working call.
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { CodeBlock } from '#platform/web/ui/CodeBlock.tsx';
import { HandedOver, HandOver } from '#platform/web/ui/HandOver.tsx';
import { Secret } from '#platform/web/ui/Secret.tsx';
import type { Sandbox } from '../contract.ts';
import { curlOf } from './sandbox-words.ts';

export type Opened = {
  readonly sandbox: Sandbox;
  /** null: they were already returned. */
  readonly key: string | null;
  readonly meteringKey: string | null;
};

export function KeysHandOver({
  opened: { sandbox, key, meteringKey },
  news,
  onClose,
}: {
  readonly opened: Opened;
  readonly news: string;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation('sandboxes');
  return (
    <HandOver title={sandbox.name} news={[news]} onClose={onClose}>
      <HandedOver label={t('sandboxes.address')}>
        <Secret text={sandbox.address} label={t('sandboxes.address_copy')} />
      </HandedOver>
      <HandedOver label={t('sandboxes.key')}>
        <Secret text={key ?? ''} label={t('sandboxes.key_copy')} />
      </HandedOver>
      <HandedOver label={t('sandboxes.metering_key')} note={t('sandboxes.key_once')}>
        <Secret text={meteringKey ?? ''} label={t('sandboxes.metering_key_copy')} />
      </HandedOver>
      <HandedOver label={t('sandboxes.try')}>
        <CodeBlock code={curlOf(sandbox.address, key ?? '')} label={t('sandboxes.try_copy')} />
      </HandedOver>
    </HandOver>
  );
}
