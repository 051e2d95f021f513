// One subscription beside the list: its facts, its usage of the month, and what can be done with it.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { isId, type Id } from '#kernel/ids.ts';
import type { Subscription } from '#features/subscriptions/contract.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Moment } from '#platform/web/ui/Money.tsx';
import { QueryState } from '#platform/web/ui/QueryState.tsx';
import type { RowAction } from '#platform/web/ui/RowMenu.tsx';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import { useFormat } from '#platform/web/use-format.ts';
import { subscriptionsQueries } from './api.ts';
import { PriceList } from './PriceList.tsx';
import { SubscriptionState } from './SubscriptionState.tsx';
import { useSubscriptionsTexts } from './texts.ts';
import { Usage, type CloudServicesParts } from './Usage.tsx';

export type SubscriptionPanelProps = CloudServicesParts & { readonly subscriptionId: string | undefined; readonly onClose: () => void; readonly actionsOf: (subscription: Subscription) => readonly RowAction[] };

export function SubscriptionPanel({ subscriptionId, onClose, ...parts }: SubscriptionPanelProps) {
  const t = useSubscriptionsTexts();
  const known = isId('sub', subscriptionId) ? subscriptionId : undefined;
  return <SidePanel open={known !== undefined} title={t('subscriptions.subscription')} onClose={onClose} width={640}>{known !== undefined && <One subscriptionId={known} {...parts} />}</SidePanel>;
}

type OneProps = Omit<SubscriptionPanelProps, 'subscriptionId' | 'onClose'> & { readonly subscriptionId: Id<'sub'> };

function One({ subscriptionId, ...parts }: OneProps) {
  return <QueryState query={useQuery(subscriptionsQueries.getSubscription({ subscriptionId }))}>{(subscription) => <Content subscription={subscription} {...parts} />}</QueryState>;
}

function Content({ subscription, actionsOf, Quota, Month }: Omit<OneProps, 'subscriptionId'> & { subscription: Subscription }) {
  const t = useSubscriptionsTexts();
  const format = useFormat();
  const { service, endsAt, quota, nextReset } = subscription;
  const actions = actionsOf(subscription);
  // used as: 'subscriptions.quota_explained_*'
  const limits = quota.type === 'unlimited' ? t('subscriptions.quota_unlimited') : t(`subscriptions.quota_explained_${quota.type}`, { limit: format.quantity(quota.limit, service.meter.unit) });
  return (
    <Stack sx={{ gap: 3 }}>
      <Stack sx={{ gap: 1 }}>
        <Typography variant="h3" component="p" sx={{ overflowWrap: 'anywhere' }}>{service.name}</Typography>
        <Box><SubscriptionState state={subscription.state} /></Box>
        {actions.length > 0 && (
          <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
            {actions.map((action) => <Button key={action.label} variant="outlined" color={action.danger ? 'error' : 'primary'} startIcon={action.icon} onClick={action.onClick}>{action.label}</Button>)}
          </Stack>
        )}
      </Stack>
      <Facts
        items={[
          [t('subscriptions.type'), service.type === service.category ? service.type : `${service.type} · ${service.category}`],
          [t('subscriptions.price'), <PriceList key="price" service={service} />],
          [t('subscriptions.quota'), limits],
          [t('subscriptions.usage'), <Usage key="usage" subscription={subscription} Quota={Quota} />],
          [t('subscriptions.started_at'), <Moment key="start" at={subscription.startedAt} />],
          ...(endsAt ? [[t('subscriptions.ends_at'), <Moment key="end" at={endsAt} />] as const] : []),
          [t('subscriptions.next_reset'), <Moment key="reset" at={nextReset} />],
        ]}
      />
      <Month subscriptionId={subscription.id} serviceId={service.id} />
    </Stack>
  );
}
