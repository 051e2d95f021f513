// R-CAT-02: the services on sale, with search, filters, comparison, and marks on subscribed ones.
import { useQuery } from '@tanstack/react-query';
import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import { useId, useState } from 'react';
import type { Service } from '#features/selling/catalogue/contract.ts';
import { catalogueQueries } from '#features/selling/catalogue/web/parts.ts';
import type { Page as PageOf } from '#kernel/shape.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { ContactLine } from '#platform/web/ui/ContactLine.tsx';
import { EmptyState, NoMatch } from '#platform/web/ui/EmptyState.tsx';
import { ErrorState } from '#platform/web/ui/ErrorState.tsx';
import { Page } from '#platform/web/ui/Page.tsx';
import { Pager } from '#platform/web/ui/Pager.tsx';
import { Lines } from '#platform/web/ui/QueryState.tsx';
import { VisuallyHidden } from '#platform/web/ui/VisuallyHidden.tsx';
import { useDeferredRender } from '#platform/web/ui/use-deferred-render.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { subscriptionsKey, subscriptionsQueries } from './api.ts';
import { CompareBar } from './CompareBar.tsx';
import { CompareDialog } from './CompareDialog.tsx';
import type { OwnMonthsSlot } from './CostEstimate.tsx';
import { OverviewFilters, useOverviewList, type OverviewList } from './OverviewFilters.tsx';
import { useComparison, useOverviewLook } from './overview-state.ts';
import { ServiceCard, ServiceLine, type ServiceCardProps } from './ServiceCard.tsx';
import { ServiceDetail, type ServiceDetailProps } from './ServiceDetail.tsx';
import { SubscribeDialog, type PromoCodeSlot } from './SubscribeDialog.tsx';
import { maxListed } from './use-offer-facts.ts';

const skeletons = 6;

export type ServiceOverviewScreenProps = {
  readonly ownMonths?: OwnMonthsSlot;
  readonly PromoCode?: PromoCodeSlot;
  readonly OwnCharges?: ServiceDetailProps['OwnCharges'];
};

export function ServiceOverviewScreen({ ownMonths, PromoCode, OwnCharges }: ServiceOverviewScreenProps) {
  const { t } = useTranslation('subscriptions');
  const format = useFormat();
  const id = useId();
  const [chosen, setChosen] = useState<Service>();
  const [opened, setOpened] = useParam('service');
  const list = useOverviewList();
  const comparison = useComparison();
  const services = usePagedQuery(catalogueQueries.listServices(list.state.query));
  const subscriptionByService = useMine();
  // Cards of upcoming services show this; requested together with the list.
  useQuery(catalogueQueries.listInterests());
  const subscriptionOf = (serviceId: string) => subscriptionByService.get(serviceId);
  const { error } = services;
  const data = useDeferredRender(services.data);
  return (
    <Page title={t('subscriptions.overview_title')} lead={t('subscriptions.overview_lead')}>
      <OverviewFilters
        id={id}
        list={list}
        total={data && !services.isPlaceholderData ? data.total : undefined}
        comparison={comparison}
      />
      <Box
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${list.tab}`}
        aria-busy={services.isPlaceholderData || data === undefined}
        sx={{ opacity: services.isPlaceholderData ? 0.6 : 1 }}
      >
        <VisuallyHidden live>
          {data && !services.isPlaceholderData
            ? t('table.results', { total: format.number(data.total) })
            : ''}
        </VisuallyHidden>
        {error && !data && <ErrorState error={error} onRetry={() => void services.refetch()} />}
        {!data && !error && (
          <Cards>
            {Array.from({ length: skeletons }, (_, index) => (
              <Card key={index} component="li" sx={{ padding: 3, minHeight: 260 }}>
                <Lines count={6} />
              </Card>
            ))}
          </Cards>
        )}
        {data?.items.length === 0 && (
          <Card>
            {list.isNarrowed ? (
              <NoMatch onClear={list.clear} />
            ) : (
              <EmptyState
                title={t('subscriptions.no_services')}
                hint={
                  <>
                    {t('subscriptions.no_services_hint')}
                    <ContactLine />
                  </>
                }
              />
            )}
          </Card>
        )}
        {data && data.items.length > 0 && (
          <Services
            data={data}
            list={list}
            each={(service) => ({
              service,
              subscriptionId: subscriptionByService.get(service.id),
              comparison,
              onSubscribe: () => setChosen(service),
              onOpen: () => setOpened(service.id),
            })}
          />
        )}
      </Box>
      {comparison.isChoosing && <CompareBar comparison={comparison} />}
      <ServiceDetail
        serviceId={opened}
        subscriptionOf={subscriptionOf}
        onSubscribe={setChosen}
        onClose={() => setOpened(undefined)}
        ownMonths={ownMonths}
        OwnCharges={OwnCharges}
      />
      {comparison.isOpen && (
        <CompareDialog comparison={comparison} subscriptionOf={subscriptionOf} onSubscribe={setChosen} />
      )}
      {chosen && (
        <SubscribeDialog
          service={chosen}
          onClose={() => setChosen(undefined)}
          ownMonths={ownMonths}
          PromoCode={PromoCode}
        />
      )}
    </Page>
  );
}

function Services({
  data,
  list,
  each,
}: {
  data: PageOf<Service>;
  list: OverviewList;
  each: (service: Service) => ServiceCardProps;
}) {
  const { t } = useTranslation('subscriptions');
  const look = useOverviewLook((state) => state.look);
  const label = t('subscriptions.overview_title');
  if (look === 'cards') {
    return (
      <>
        <Cards label={label}>
          {data.items.map((service) => (
            <ServiceCard key={service.id} {...each(service)} />
          ))}
        </Cards>
        <Card sx={{ marginTop: { xs: 2, sm: 3 } }}>
          <Pager page={data} state={list.state} />
        </Card>
      </>
    );
  }
  return (
    <Card>
      <Box component="ul" aria-label={label} sx={{ listStyle: 'none', margin: 0, padding: 0 }}>
        {data.items.map((service) => (
          <ServiceLine key={service.id} {...each(service)} />
        ))}
      </Box>
      <Pager page={data} state={list.state} />
    </Card>
  );
}

/** Three, two or one per row, all with the same height. */
function Cards({ label, children }: { label?: string; children: React.ReactNode }) {
  return (
    <Box
      component="ul"
      aria-label={label}
      sx={{
        listStyle: 'none',
        margin: 0,
        padding: 0,
        display: 'grid',
        gap: { xs: 2, sm: 3 },
        gridTemplateColumns: {
          xs: 'minmax(0, 1fr)',
          sm: 'repeat(2, minmax(0, 1fr))',
          lg: 'repeat(3, minmax(0, 1fr))',
        },
      }}
    >
      {children}
    </Box>
  );
}

/** Service id → the organization's open subscription of it. */
function useMine(): ReadonlyMap<string, string> {
  const { data } = useQuery(subscriptionsQueries.listSubscriptions({ limit: maxListed }));
  useLive('usage', [subscriptionsKey('listSubscriptions')]);
  return new Map(
    (data?.items ?? [])
      .filter((one) => one.state !== 'canceled' && one.state !== 'expired')
      .map((one) => [one.service.id, one.id]),
  );
}
