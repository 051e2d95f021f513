// R-CAT-02: what is on sale, searched and filtered, with what is subscribed already.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Stack from '@mui/material/Stack';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { useId, useState } from 'react';
import type { Service } from '#features/catalogue/contract.ts';
import { catalogueQueries } from '#features/catalogue/web/parts.ts';
import { useLive } from '#platform/web/live.ts';
import { EmptyState, NoMatch } from '#platform/web/ui/EmptyState.tsx';
import { ErrorState } from '#platform/web/ui/ErrorState.tsx';
import { Page } from '#platform/web/ui/Page.tsx';
import { Pager } from '#platform/web/ui/Pager.tsx';
import { Lines } from '#platform/web/ui/QueryState.tsx';
import { SearchField } from '#platform/web/ui/SearchField.tsx';
import { SelectBox } from '#platform/web/ui/SelectBox.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { VisuallyHidden } from '#platform/web/ui/VisuallyHidden.tsx';
import { useFormat } from '#platform/web/use-format.ts';
import { subscriptionsKey, subscriptionsQueries } from './api.ts';
import { ServiceCard } from './ServiceCard.tsx';
import { SubscribeDialog } from './SubscribeDialog.tsx';
import { useSubscriptionsTexts } from './texts.ts';

const tabs = ['all', 'popular', 'new', 'recommended'] as const;
/** One call answers no more; an organization with more services sees the mark on these. */
const mostMarked = 200;
const skeletons = 6;

export function ServiceOverviewScreen() {
  const t = useSubscriptionsTexts();
  const format = useFormat();
  const id = useId();
  const [chosen, setChosen] = useState<Service>();
  const types = useQuery(catalogueQueries.serviceTypes()).data?.types ?? [];
  const state = useTableState({ filters: { tab: tabs, type: types } });
  const services = useQuery({ ...catalogueQueries.listServices(state.query), placeholderData: keepPreviousData });
  const mine = useMine();
  const tab = state.filters.tab ?? 'all';
  const { data, error } = services;
  return (
    <Page title={t('subscriptions.overview_title')} lead={t('subscriptions.overview_lead')}>
      <Stack sx={{ gap: 2 }}>
        <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap', alignItems: 'center' }}>
          <SearchField value={state.search} onSearch={state.setSearch} label={t('subscriptions.search_services')} />
          <SelectBox label={t('subscriptions.type')} value={state.filters.type ?? ''} options={[{ value: '', label: t('ui.all') }, ...types.map((type) => ({ value: type, label: type }))]} onChange={(type) => state.setFilter('type', type === '' ? undefined : type)} />
          {(state.search !== '' || state.filters.type !== undefined) && <Button size="small" onClick={state.clear}>{t('ui.clear_all')}</Button>}
        </Stack>
        {/* used as: 'subscriptions.tab_*' */}
        <Tabs value={tab} onChange={(_, next: (typeof tabs)[number]) => state.setFilter('tab', next === 'all' ? undefined : next)} variant="scrollable" allowScrollButtonsMobile aria-label={t('subscriptions.tabs')}>
          {tabs.map((one) => <Tab key={one} value={one} label={t(`subscriptions.tab_${one}`)} id={`${id}-${one}`} aria-controls={`${id}-panel`} />)}
        </Tabs>
      </Stack>
      <Box role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${tab}`} aria-busy={services.isPlaceholderData || data === undefined} sx={{ opacity: services.isPlaceholderData ? 0.6 : 1 }}>
        <VisuallyHidden live>{data && !services.isPlaceholderData ? t('table.results', { total: format.number(data.total) }) : ''}</VisuallyHidden>
        {error && !data && <ErrorState error={error} onRetry={() => void services.refetch()} />}
        {!data && !error && <Cards>{Array.from({ length: skeletons }, (_, index) => <Card key={index} component="li" sx={{ padding: 3, minHeight: 220 }}><Lines count={5} /></Card>)}</Cards>}
        {data?.items.length === 0 && <Card>{state.isNarrowed ? <NoMatch onClear={state.clear} /> : <EmptyState title={t('subscriptions.no_services')} hint={t('subscriptions.no_services_hint')} />}</Card>}
        {data && data.items.length > 0 && (
          <>
            <Cards label={t('subscriptions.overview_title')}>
              {data.items.map((service) => <ServiceCard key={service.id} service={service} subscriptionId={mine.get(service.id)} onSubscribe={() => setChosen(service)} />)}
            </Cards>
            <Card sx={{ marginTop: { xs: 2, sm: 3 } }}><Pager page={data} state={state} /></Card>
          </>
        )}
      </Box>
      {chosen && <SubscribeDialog service={chosen} onClose={() => setChosen(undefined)} />}
    </Page>
  );
}

function Cards({ label, children }: { label?: string; children: React.ReactNode }) {
  return <Box component="ul" aria-label={label} sx={{ listStyle: 'none', margin: 0, padding: 0, display: 'grid', gap: { xs: 2, sm: 3 }, gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))', lg: 'repeat(3, minmax(0, 1fr))' } }}>{children}</Box>;
}

/** Service id → the organization's open subscription of it. */
function useMine(): ReadonlyMap<string, string> {
  const { data } = useQuery(subscriptionsQueries.listSubscriptions({ limit: mostMarked }));
  useLive('usage', [subscriptionsKey('listSubscriptions')]);
  return new Map((data?.items ?? []).filter((one) => one.state !== 'canceled' && one.state !== 'expired').map((one) => [one.service.id, one.id]));
}
