// An Admin's rejected events of all organizations.
import { Page } from '#platform/web/ui/Page.tsx';
import { RejectedEvents } from './RejectedEvents.tsx';
import { useRejectionsTexts } from './texts.ts';

export function RejectedScreen() {
  const t = useRejectionsTexts();
  return (
    <Page title={t('rejections.title')} lead={t('rejections.lead')}>
      <RejectedEvents reader="admin" />
    </Page>
  );
}
