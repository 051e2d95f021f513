// A customer's credits and discounts: what reduces or pays the next bills, and additional charges on them.
import type { ReactNode } from 'react';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Page } from '#platform/web/ui/Page.tsx';
import { Parts } from '#platform/web/ui/Parts.tsx';

export function CreditsScreen({ children }: { children: ReactNode }) {
  const { t } = useTranslation('console');
  return (
    <Page title={t('credits_page.title')} lead={t('credits_page.lead')}>
      <Parts>{children}</Parts>
    </Page>
  );
}
