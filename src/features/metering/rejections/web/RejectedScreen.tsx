// The Admin's list of rejected events of all organizations.
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Page } from '#platform/web/ui/Page.tsx';
import { RejectedEvents } from './RejectedEvents.tsx';

export function RejectedScreen() {
  const { t } = useTranslation('rejections');
  return (
    <Page title={t('rejections.title')} lead={t('rejections.lead')}>
      <RejectedEvents reader="admin" />
    </Page>
  );
}
