// The proof of an account's owner, over the page on which an outside account turned up.
import { Modal } from '#platform/web/ui/Modal.tsx';
import { LinkPanel, type LinkPanelProps } from './LinkPanel.tsx';
import { useFederationTexts } from './texts.ts';

export function LinkDialog(props: LinkPanelProps) {
  const t = useFederationTexts();
  return (
    <Modal open width="xs" title={t('federation.link_title')} onClose={props.onCancel}>
      <LinkPanel {...props} />
    </Modal>
  );
}
