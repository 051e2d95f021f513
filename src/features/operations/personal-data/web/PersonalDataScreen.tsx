// The Admin's page for personal data: exports of an organization's data, erasures, and how long books are
// kept.
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Page } from '#platform/web/ui/Page.tsx';
import { AllExports } from './AllExports.tsx';
import { BookYearsForm } from './BookYearsForm.tsx';
import { ErasureList } from './ErasureList.tsx';

export function PersonalDataScreen() {
  const { t } = useTranslation('personaldata');
  return (
    <Page title={t('personaldata.title')} lead={t('personaldata.lead')}>
      <AllExports />
      <ErasureList />
      <BookYearsForm />
    </Page>
  );
}
