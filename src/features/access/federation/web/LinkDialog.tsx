// The owner's proof of an account, in a dialog over the page on which an external account was used.
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
