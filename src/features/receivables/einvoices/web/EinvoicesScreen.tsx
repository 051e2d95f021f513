// The Admin's e-invoices: the list, tracks of numbers, the figures for the two-month tax return, and
// settings.
import Button from '@mui/material/Button';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Page } from '#platform/web/ui/Page.tsx';
import { PageViews, usePageView } from '#platform/web/ui/PageViews.tsx';
import { Block, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { changing, einvoicesQueries } from './api.ts';
import { EinvoiceList } from './EinvoiceList.tsx';
import { EinvoiceSettingsForm } from './EinvoiceSettingsForm.tsx';
import { PeriodSummaryView } from './PeriodSummaryView.tsx';
import { Tracks } from './Tracks.tsx';

const views = ['list', 'tracks', 'period', 'settings'] as const;

export function EinvoicesScreen() {
  const { t } = useTranslation('einvoices');
  const [view, open] = usePageView(views);
  const settings = useQuery({ ...einvoicesQueries.getEinvoiceSettings(), refetchOnWindowFocus: false });
  useLive('billing', changing);
  // used as: 'einvoices.view_*'
  return (
    <Page title={t('einvoices.title')} lead={t('einvoices.lead')}>
      <PageViews
        label={t('einvoices.views')}
        views={views.map((one) => [one, t(`einvoices.view_${one}`)])}
        open={view}
        onOpen={open}
      >
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
      </PageViews>
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
