// The proof of an account's owner, over the page on which an outside account turned up.
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Modal } from '#platform/web/ui/Modal.tsx';
import { LinkPanel, type LinkPanelProps } from './LinkPanel.tsx';

export function LinkDialog(props: LinkPanelProps) {
  const { t } = useTranslation('federation');
  return (
    <Modal open width="xs" title={t('federation.link_title')} onClose={props.onCancel}>
      <LinkPanel {...props} />
    </Modal>
  );
}
