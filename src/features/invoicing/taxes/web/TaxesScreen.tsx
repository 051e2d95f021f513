// The Admin's taxes: the seller, the rates by country, and how services are taxed.
import { useState } from 'react';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { AddButton } from '#platform/web/ui/AddButton.tsx';
import { Page } from '#platform/web/ui/Page.tsx';
import { AddRateDialog } from './AddRateDialog.tsx';
import { taxesKey } from './api.ts';
import { RateList } from './RateList.tsx';
import { SellerSection } from './SellerSection.tsx';
import { ServiceTaxes } from './ServiceTaxes.tsx';

export function TaxesScreen() {
  const { t } = useTranslation('taxes');
  useLive('billing', [taxesKey()]);
  const [isAdding, setIsAdding] = useState(false);
  const add = <AddButton onClick={() => setIsAdding(true)}>{t('taxes.add_rate')}</AddButton>;
  return (
    <Page title={t('taxes.title')} lead={t('taxes.lead')} actions={add}>
      <SellerSection />
      <RateList />
      <ServiceTaxes />
      {isAdding && <AddRateDialog onClose={() => setIsAdding(false)} />}
    </Page>
  );
}
