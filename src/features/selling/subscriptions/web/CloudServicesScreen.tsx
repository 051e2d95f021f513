// R-CAT-07: the organization's subscriptions, each with its fee, its usage and its actions.
import Button from '@mui/material/Button';
import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useTheme } from '@mui/material/styles';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useState } from 'react';
import { Link } from 'react-router';
import { billingCycles } from '#features/selling/catalogue/contract.ts';
import { countsLimited } from '#features/selling/catalogue/rules.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { subscriptionsPaths, subscriptionStates, type Subscription } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState, NoMatch } from '#platform/web/ui/EmptyState.tsx';
import { ErrorState } from '#platform/web/ui/ErrorState.tsx';
import { FilterBar } from '#platform/web/ui/FilterBar.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Page } from '#platform/web/ui/Page.tsx';
import { Pager } from '#platform/web/ui/Pager.tsx';
import { Lines } from '#platform/web/ui/QueryState.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { subscriptionsKey, subscriptionsQueries } from './api.ts';
import { LookToggle } from './LookToggle.tsx';
import { useSubscriptionActions, type SubscriptionDialog } from './subscription-actions.tsx';
import { Fee, NextTerm, usePlanned } from './subscription-words.tsx';
import { SubscriptionCards } from './SubscriptionCards.tsx';
import { SubscriptionDialogs } from './SubscriptionDialogs.tsx';
import { SubscriptionPanel } from './SubscriptionPanel.tsx';
import { SubscriptionState } from './SubscriptionState.tsx';
import { useSubscriptionsLook } from './subscriptions-look.ts';
import { Usage, type CloudServicesParts } from './Usage.tsx';

/** `offersMore`: whether a button links to the services on sale. */
export function CloudServicesScreen({
  Quota,
  offersMore = true,
  ...parts
}: CloudServicesParts & { readonly offersMore?: boolean }) {
  const { t } = useTranslation('subscriptions');
  const [open, setOpen] = useParam('subscription');
  const [dialog, setDialog] = useState<SubscriptionDialog>();
  const theme = useTheme();
  const isPhone = useMediaQuery(theme.breakpoints.down('sm'));
  const { look, setLook } = useSubscriptionsLook();
  const state = useTableState({
    filters: { state: subscriptionStates, billingCycle: billingCycles },
    sort: 'name',
  });
  const query = usePagedQuery(subscriptionsQueries.listSubscriptions(state.query));
  const actionsOf = useSubscriptionActions(setDialog);
  useLive('usage', [subscriptionsKey()]);
  const columns = useColumns({ Quota, Cover: parts.Cover }, setOpen);
  const empty = (
    <EmptyState
      title={t('subscriptions.empty')}
      hint={t('subscriptions.empty_hint')}
      action={
        offersMore && (
          <Button component={Link} to={subscriptionsPaths.overview} variant="contained">
            {t('subscriptions.to_overview')}
          </Button>
        )
      }
    />
  );
  const bar = {
    state,
    searchLabel: t('subscriptions.search'),
    filters: {
      // used as: 'subscriptions.state_*'
      state: {
        label: t('subscriptions.state'),
        options: subscriptionStates.map((one) => ({ value: one, label: t(`subscriptions.state_${one}`) })),
      },
      // used as: 'subscriptions.cycle_*'
      billingCycle: {
        label: t('subscriptions.cycle'),
        options: billingCycles.map((one) => ({ value: one, label: t(`subscriptions.cycle_${one}`) })),
      },
    },
  };
  const toggle = !isPhone && <LookToggle look={look} setLook={setLook} />;
  const { data, error } = query;
  return (
    <Page
      title={t('subscriptions.management_title')}
      lead={t('subscriptions.management_lead')}
      actions={
        offersMore && (
          <Button component={Link} to={subscriptionsPaths.overview} variant="contained">
            {t('subscriptions.subscribe_new')}
          </Button>
        )
      }
    >
      {look === 'lines' || isPhone ? (
        <DataTable
          list="subscriptions"
          {...bar}
          label={t('subscriptions.management_title')}
          columns={columns}
          query={query}
          rowKey={(row) => row.id}
          rowName={(row) => row.service.name}
          toolbar={toggle}
          empty={empty}
          rowActions={actionsOf}
        />
      ) : (
        <Stack sx={{ gap: 3 }}>
          <Card>
            <FilterBar {...bar} extra={toggle} />
          </Card>
          {error && !data && <ErrorState error={error} onRetry={() => void query.refetch()} />}
          {!data && !error && (
            <Card sx={{ padding: 3 }}>
              <Lines count={8} />
            </Card>
          )}
          {data?.items.length === 0 && (
            <Card>{state.isNarrowed ? <NoMatch onClear={state.clear} /> : empty}</Card>
          )}
          {data && data.items.length > 0 && (
            <>
              <SubscriptionCards
                rows={data.items}
                Quota={Quota}
                Cover={parts.Cover}
                onOpen={setOpen}
                actionsOf={actionsOf}
              />
              <Card>
                <Pager page={data} state={state} />
              </Card>
            </>
          )}
        </Stack>
      )}
      <SubscriptionPanel
        subscriptionId={open}
        onClose={() => setOpen(undefined)}
        actionsOf={actionsOf}
        onAsk={setDialog}
        Quota={Quota}
        {...parts}
      />
      <SubscriptionDialogs dialog={dialog} onClose={() => setDialog(undefined)} />
    </Page>
  );
}

function useColumns(
  { Quota, Cover }: { Quota: CloudServicesParts['Quota']; Cover: CloudServicesParts['Cover'] },
  onOpen: (id: string) => void,
): readonly Column<Subscription>[] {
  const { t } = useTranslation('subscriptions');
  const planned = usePlanned();
  return [
    {
      key: 'name',
      label: t('subscriptions.service'),
      sortable: true,
      card: 'title',
      render: (row) => <Name subscription={row} onOpen={onOpen} />,
    },
    {
      key: 'state',
      label: t('subscriptions.state'),
      render: (row) => (
        <Stack sx={{ gap: 0.5, alignItems: 'flex-start' }}>
          <SubscriptionState state={row.state} />
          {Cover && <Cover subscriptionId={row.id} compact />}
          {planned(row).map((sentence) => (
            <Typography key={sentence} variant="caption" color="textSecondary">
              {sentence}
            </Typography>
          ))}
        </Stack>
      ),
    },
    { key: 'fee', label: t('subscriptions.fee'), render: (row) => <Fee subscription={row} /> },
    {
      key: 'usage',
      label: t('subscriptions.usage'),
      width: 220,
      render: (row) =>
        countsLimited({ meter: row.service.meter, quota: row.quota }) ? (
          <Box sx={{ minWidth: { sm: 160 }, paddingBlock: '6px' }}>
            <Usage subscription={row} Quota={Quota} />
          </Box>
        ) : (
          '–'
        ),
    },
    {
      key: 'nextReset',
      label: t('subscriptions.next_reset'),
      show: 'wide',
      render: (row) => <NextTerm subscription={row} />,
    },
  ];
}

function Name({
  subscription: { id, service, addedTo },
  onOpen,
}: {
  subscription: Subscription;
  onOpen: (id: string) => void;
}) {
  const { t } = useTranslation('subscriptions');
  return (
    <Box sx={{ minWidth: { sm: 180 }, paddingBlock: '6px' }}>
      <Button
        aria-haspopup="dialog"
        variant="text"
        size="small"
        onClick={() => onOpen(id)}
        sx={{
          marginInlineStart: '-10px',
          textAlign: 'start',
          whiteSpace: 'normal',
          justifyContent: 'flex-start',
          overflowWrap: 'anywhere',
        }}
      >
        {service.name}
      </Button>
      <Typography variant="caption" color="textSecondary" component="p">
        {addedTo ? t('subscriptions.added_to_named', { service: addedTo.serviceName }) : service.type}
      </Typography>
    </Box>
  );
}
