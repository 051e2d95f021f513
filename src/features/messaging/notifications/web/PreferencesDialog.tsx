// The notification preferences over any page, for roles that have no page of notifications.
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Modal } from '#platform/web/ui/Modal.tsx';
import { PreferencesPanel } from './PreferencesPanel.tsx';

export function PreferencesDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation('notifications');
  return (
    <Modal open title={t('notifications.own_preferences')} width="md" onClose={onClose}>
      <PreferencesPanel />
    </Modal>
  );
}
