// R-CAT-07: the organization's subscriptions, each with its price, its usage and what can be done with it.
import Button from '@mui/material/Button';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { subscriptionsPaths, subscriptionStates, type Subscription } from '#features/subscriptions/contract.ts';
import { useLive } from '#platform/web/live.ts';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { DensityToggle } from '#platform/web/ui/DensityToggle.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Moment } from '#platform/web/ui/Money.tsx';
import { Page } from '#platform/web/ui/Page.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { useParam } from '#platform/web/use-param.ts';
import { subscriptionsKey, subscriptionsQueries } from './api.ts';
import { PriceList } from './PriceList.tsx';
import { useSubscriptionActions, type Asked } from './subscription-actions.tsx';
import { SubscriptionDialogs } from './SubscriptionDialogs.tsx';
import { SubscriptionPanel } from './SubscriptionPanel.tsx';
import { SubscriptionState } from './SubscriptionState.tsx';
import { useSubscriptionsTexts } from './texts.ts';
import { Usage, type CloudServicesParts } from './Usage.tsx';

export function CloudServicesScreen({ Quota, Month }: CloudServicesParts) {
  const t = useSubscriptionsTexts();
  const [open, setOpen] = useParam('subscription');
  const [asked, setAsked] = useState<Asked>();
  const state = useTableState({ filters: { state: subscriptionStates }, sort: 'name' });
  const query = useQuery({ ...subscriptionsQueries.listSubscriptions(state.query), placeholderData: keepPreviousData });
  const actionsOf = useSubscriptionActions(setAsked);
  useLive('usage', [subscriptionsKey()]);
  const columns: readonly Column<Subscription>[] = [
    { key: 'name', label: t('subscriptions.service'), sortable: true, card: 'title', render: (row) => <Name subscription={row} onOpen={setOpen} /> },
    { key: 'state', label: t('subscriptions.state'), render: (row) => <SubscriptionState state={row.state} /> },
    { key: 'price', label: t('subscriptions.price'), render: (row) => <Box sx={{ minWidth: { sm: 180 }, paddingBlock: '6px' }}><PriceList service={row.service} most={2} /></Box> },
    { key: 'usage', label: t('subscriptions.usage'), width: 220, render: (row) => <Box sx={{ minWidth: { sm: 160 }, paddingBlock: '6px' }}><Usage subscription={row} Quota={Quota} /></Box> },
    { key: 'nextReset', label: t('subscriptions.next_reset'), show: 'wide', render: (row) => (row.state === 'canceled' || row.state === 'expired' ? '–' : <Box component="span" sx={{ whiteSpace: 'nowrap' }}><Moment at={row.nextReset} /></Box>) },
  ];
  return (
    <Page title={t('subscriptions.management_title')} lead={t('subscriptions.management_lead')} actions={<Button component={Link} to={subscriptionsPaths.overview} variant="contained">{t('subscriptions.subscribe_new')}</Button>}>
      <DataTable
        label={t('subscriptions.management_title')}
        columns={columns}
        query={query}
        state={state}
        rowKey={(row) => row.id}
        rowName={(row) => row.service.name}
        searchLabel={t('subscriptions.search')}
        // used as: 'subscriptions.state_*'
        filters={{ state: { label: t('subscriptions.state'), options: subscriptionStates.map((one) => ({ value: one, label: t(`subscriptions.state_${one}`) })) } }}
        toolbar={<DensityToggle />}
        empty={<EmptyState title={t('subscriptions.empty')} hint={t('subscriptions.empty_hint')} action={<Button component={Link} to={subscriptionsPaths.overview} variant="contained">{t('subscriptions.to_overview')}</Button>} />}
        rowActions={actionsOf}
      />
      <SubscriptionPanel subscriptionId={open} onClose={() => setOpen(undefined)} actionsOf={actionsOf} Quota={Quota} Month={Month} />
      <SubscriptionDialogs asked={asked} onClose={() => setAsked(undefined)} />
    </Page>
  );
}

function Name({ subscription: { id, service }, onOpen }: { subscription: Subscription; onOpen: (id: string) => void }) {
  return (
    <Box sx={{ minWidth: { sm: 180 }, paddingBlock: '6px' }}>
      <Button variant="text" size="small" onClick={() => onOpen(id)} sx={{ marginInlineStart: '-10px', textAlign: 'start', whiteSpace: 'normal', justifyContent: 'flex-start', overflowWrap: 'anywhere' }}>{service.name}</Button>
      <Typography variant="caption" color="textSecondary" component="p">{service.type}</Typography>
    </Box>
  );
}
