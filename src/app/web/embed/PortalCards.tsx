// The saved cards.
import { CardsContent } from '#features/receivables/collection/web/parts.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Page } from '#platform/web/ui/Page.tsx';

export function PortalCards() {
  const { t } = useTranslation('portal');
  return (
    <Page title={t('portal.page_paymentMethods')} width="form">
      <CardsContent />
    </Page>
  );
}
