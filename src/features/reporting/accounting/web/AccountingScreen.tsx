// The Admin's exports for an accounting program: preview and export, earlier exports, what accounts are called, and what files need besides.
import Box from '@mui/material/Box';
import Tab from '@mui/material/Tab';
import { useId } from 'react';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { useAddressParams } from '#platform/web/routing/address-params.ts';
import { Page } from '#platform/web/ui/Page.tsx';
import { ScrollableTabs } from '#platform/web/ui/ScrollableTabs.tsx';
import { accountingKey } from './api.ts';
import { Exports } from './Exports.tsx';
import { Journal } from './Journal.tsx';
import { Mappings } from './Mappings.tsx';
import { SettingsSection } from './SettingsSection.tsx';

const views = ['journal', 'exports', 'accounts', 'settings'] as const;
type View = (typeof views)[number];

export function AccountingScreen() {
  const { t } = useTranslation('accounting');
  const id = useId();
  const [params, setParams] = useAddressParams();
  const view: View = views.find((one) => one === params.get('view')) ?? 'journal';
  useLive('billing', [
    accountingKey('listMappings'),
    accountingKey('previewJournal'),
    accountingKey('listJournals'),
    accountingKey('getJournal'),
  ]);
  const open = (next: View) => setParams(() => new URLSearchParams(next === 'journal' ? {} : { view: next }));
  // used as: 'accounting.view_journal', 'accounting.view_exports', 'accounting.view_accounts', 'accounting.view_settings'
  return (
    <Page title={t('accounting.title')} lead={t('accounting.lead')}>
      <Box sx={{ minWidth: 0 }}>
        <ScrollableTabs
          value={view}
          onChange={(_, next: View) => open(next)}
          aria-label={t('accounting.views')}
          sx={{ marginBottom: 2 }}
        >
          {views.map((one) => (
            <Tab
              key={one}
              value={one}
              label={t(`accounting.view_${one}`)}
              id={`${id}-${one}`}
              aria-controls={`${id}-panel`}
            />
          ))}
        </ScrollableTabs>
        <Box role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${view}`}>
          {view === 'journal' && <Journal />}
          {view === 'exports' && <Exports />}
          {view === 'accounts' && <Mappings />}
          {view === 'settings' && <SettingsSection />}
        </Box>
      </Box>
    </Page>
  );
}
