// The Admin's exports for an accounting program: preview and export, earlier exports, the account mapping,
// and further settings.
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { Page } from '#platform/web/ui/Page.tsx';
import { PageViews, usePageView } from '#platform/web/ui/PageViews.tsx';
import { accountingKey } from './api.ts';
import { Exports } from './Exports.tsx';
import { Journal } from './Journal.tsx';
import { Mappings } from './Mappings.tsx';
import { SettingsSection } from './SettingsSection.tsx';

const views = ['journal', 'exports', 'accounts', 'settings'] as const;

export function AccountingScreen() {
  const { t } = useTranslation('accounting');
  const [view, open] = usePageView(views);
  useLive('billing', [
    accountingKey('listMappings'),
    accountingKey('previewJournal'),
    accountingKey('listJournals'),
    accountingKey('getJournal'),
  ]);
  // used as: 'accounting.view_journal', 'accounting.view_exports', 'accounting.view_accounts', 'accounting.view_settings'
  return (
    <Page title={t('accounting.title')} lead={t('accounting.lead')}>
      <PageViews
        label={t('accounting.views')}
        views={views.map((one) => [one, t(`accounting.view_${one}`)])}
        open={view}
        onOpen={open}
      >
        {view === 'journal' && <Journal />}
        {view === 'exports' && <Exports />}
        {view === 'accounts' && <Mappings />}
        {view === 'settings' && <SettingsSection />}
      </PageViews>
    </Page>
  );
}
