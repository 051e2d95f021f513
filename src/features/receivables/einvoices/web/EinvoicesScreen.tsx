// An Admin's e-invoices: the list, tracks of numbers, what is filed for two months, and settings.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Tab from '@mui/material/Tab';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useAddressParams } from '#platform/web/routing/address-params.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Page } from '#platform/web/ui/Page.tsx';
import { Block, QueryState } from '#platform/web/ui/QueryState.tsx';
import { ScrollableTabs } from '#platform/web/ui/ScrollableTabs.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { changing, einvoicesQueries } from './api.ts';
import { EinvoiceList } from './EinvoiceList.tsx';
import { EinvoiceSettingsForm } from './EinvoiceSettingsForm.tsx';
import { PeriodSummaryView } from './PeriodSummaryView.tsx';
import { Tracks } from './Tracks.tsx';

const views = ['list', 'tracks', 'period', 'settings'] as const;
type View = (typeof views)[number];

export function EinvoicesScreen() {
  const { t } = useTranslation('einvoices');
  const id = useId();
  const [params, setParams] = useAddressParams();
  const settings = useQuery({ ...einvoicesQueries.getEinvoiceSettings(), refetchOnWindowFocus: false });
  useLive('billing', changing);
  const view: View = views.find((one) => one === params.get('view')) ?? 'list';
  // Each view has its own filters, so the address is reset when the view changes.
  const open = (next: View) => setParams(() => new URLSearchParams(next === 'list' ? {} : { view: next }));
  // used as: 'einvoices.view_*'
  return (
    <Page title={t('einvoices.title')} lead={t('einvoices.lead')}>
      <Box sx={{ minWidth: 0 }}>
        <ScrollableTabs
          value={view}
          onChange={(_, next: View) => open(next)}
          aria-label={t('einvoices.views')}
          sx={{ marginBottom: 2 }}
        >
          {views.map((one) => (
            <Tab
              key={one}
              value={one}
              label={t(`einvoices.view_${one}`)}
              id={`${id}-${one}`}
              aria-controls={`${id}-panel`}
            />
          ))}
        </ScrollableTabs>
        <Box role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${view}`}>
          <QueryState query={settings} skeleton={<Block height={320} />}>
            {(known) =>
              view === 'settings' ? (
                <EinvoiceSettingsForm settings={known} />
              ) : view === 'tracks' ? (
                <Tracks settings={known} />
              ) : view === 'period' ? (
                <PeriodSummaryView />
              ) : (
                <EinvoiceList
                  {...(known.provider === 'none' && {
                    empty: <Off onSettings={() => open('settings')} />,
                  })}
                />
              )
            }
          </QueryState>
        </Box>
      </Box>
    </Page>
  );
}

function Off({ onSettings }: { onSettings: () => void }) {
  const { t } = useTranslation('einvoices');
  return (
    <Section>
      <EmptyState
        title={t('einvoices.off_title')}
        hint={t('einvoices.off_hint')}
        action={
          <Button variant="contained" onClick={onSettings}>
            {t('einvoices.open_settings')}
          </Button>
        }
      />
    </Section>
  );
}
