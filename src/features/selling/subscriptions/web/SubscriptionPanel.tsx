// One subscription beside the list: details, planned changes, actions, usage, lines on bills, history.
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MuiLink from '@mui/material/Link';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { countsLimited, limitUnit } from '#features/selling/catalogue/rules.ts';
import { isId, type Id } from '#kernel/ids.ts';
import type { Subscription } from '../contract.ts';
import { canChange } from '../rules.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Facts } from '#platform/web/ui/Facts.tsx';
import { Moment } from '#platform/web/ui/Money.tsx';
import { QueryState } from '#platform/web/ui/QueryState.tsx';
import type { RowAction } from '#platform/web/ui/RowMenu.tsx';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { AddOns } from './AddOns.tsx';
import { subscriptionsQueries } from './api.ts';
import { priceFact } from './PriceList.tsx';
import { managePath } from './ServiceAction.tsx';
import { useMayChange, type SubscriptionDialog } from './subscription-actions.tsx';
import { Fee, isCalledOff, isOver, lastDay } from './subscription-words.tsx';
import { SubscriptionHistory } from './SubscriptionHistory.tsx';
import { SubscriptionNotices } from './SubscriptionNotices.tsx';
import { SubscriptionState } from './SubscriptionState.tsx';
import { Usage, type CloudServicesParts } from './Usage.tsx';

export type SubscriptionPanelProps = CloudServicesParts & {
  readonly subscriptionId: string | undefined;
  readonly onClose: () => void;
  readonly onAsk: (dialog: SubscriptionDialog) => void;
  readonly actionsOf: (subscription: Subscription) => readonly RowAction[];
};

export function SubscriptionPanel({ subscriptionId, onClose, ...parts }: SubscriptionPanelProps) {
  const { t } = useTranslation('subscriptions');
  const known = isId('sub', subscriptionId) ? subscriptionId : undefined;
  return (
    <SidePanel
      open={known !== undefined}
      title={t('subscriptions.subscription')}
      onClose={onClose}
      width={640}
    >
      {known !== undefined && <SubscriptionDetail subscriptionId={known} {...parts} />}
    </SidePanel>
  );
}

type OneProps = Omit<SubscriptionPanelProps, 'subscriptionId' | 'onClose'> & {
  readonly subscriptionId: Id<'sub'>;
};

function SubscriptionDetail({ subscriptionId, ...parts }: OneProps) {
  return (
    <QueryState query={useQuery(subscriptionsQueries.getSubscription({ subscriptionId }))}>
      {(subscription) => <Content subscription={subscription} {...parts} />}
    </QueryState>
  );
}

function Content({
  subscription,
  actionsOf,
  onAsk,
  Quota,
  Month,
  BillLines,
  Cover,
  planFit: PlanFit,
}: Omit<OneProps, 'subscriptionId'> & { subscription: Subscription }) {
  const { t } = useTranslation('subscriptions');
  const mayChange = useMayChange();
  const { id, service } = subscription;
  const actions = actionsOf(subscription);
  const canChoose = mayChange && canChange(subscription.state) && !subscription.pending;
  return (
    <Stack sx={{ gap: 3 }}>
      <Stack sx={{ gap: 1.5 }}>
        <Stack direction="row" sx={{ gap: 1.5, alignItems: 'center', flexWrap: 'wrap' }}>
          <Typography variant="h3" component="p" sx={{ overflowWrap: 'anywhere' }}>
            {service.name}
          </Typography>
          <SubscriptionState state={subscription.state} />
        </Stack>
        {subscription.addedTo && (
          <Typography variant="body2" color="textSecondary">
            {t('subscriptions.added_to')}{' '}
            <MuiLink component={Link} to={managePath(subscription.addedTo.subscriptionId)}>
              {subscription.addedTo.serviceName}
            </MuiLink>
          </Typography>
        )}
        <SubscriptionNotices subscription={subscription} />
        {Cover && <Cover subscriptionId={id} />}
        {actions.length > 0 && (
          <Stack direction="row" sx={{ gap: 1, flexWrap: 'wrap' }}>
            {actions.map((action) => (
              <Button
                key={action.label}
                variant="outlined"
                color={action.danger ? 'error' : 'primary'}
                startIcon={action.icon}
                aria-haspopup={action.opensDialog ? 'dialog' : undefined}
                onClick={action.onClick}
              >
                {action.label}
              </Button>
            ))}
          </Stack>
        )}
      </Stack>
      <Facts items={useFacts(subscription, Quota)} />
      {!subscription.addedTo && <AddOns subscription={subscription} />}
      {subscription.state !== 'scheduled' && <Month subscriptionId={id} serviceId={service.id} />}
      {PlanFit && (
        <PlanFit
          subscriptionId={id}
          {...(canChoose && {
            onChoose: (serviceId) => onAsk({ action: 'change', subscription, serviceId }),
          })}
        />
      )}
      {BillLines && (
        <Box>
          <BillLines subscriptionId={id} />
        </Box>
      )}
      <SubscriptionHistory subscriptionId={id} />
    </Stack>
  );
}

function useFacts(subscription: Subscription, Quota: CloudServicesParts['Quota']) {
  const { t } = useTranslation('subscriptions');
  const format = useFormat();
  const { service, endsAt, quota, nextReset, termEndsAt, autoRenew, quantity, trialEndsAt } = subscription;
  const over = isOver(subscription);
  const isScheduled = subscription.state === 'scheduled';
  // used as: 'subscriptions.quota_explained_*'
  const limits =
    quota.type === 'unlimited'
      ? undefined
      : t(`subscriptions.quota_explained_${quota.type}`, {
          limit: format.quantity(quota.limit, limitUnit({ meter: service.meter, quota })),
        });
  const term =
    termEndsAt && !over && !isScheduled
      ? t(
          autoRenew && subscription.state !== 'cancelling'
            ? 'subscriptions.term_renews'
            : 'subscriptions.term_ends',
          {
            date: format.date(
              autoRenew && subscription.state !== 'cancelling' ? termEndsAt : lastDay(endsAt ?? termEndsAt),
            ),
          },
        )
      : undefined;
  return [
    [
      t('subscriptions.type'),
      service.type === service.category ? service.type : `${service.type} · ${service.category}`,
    ],
    // With a quantity of 1 the fee equals the plan's price, so it is not repeated.
    ...(quantity === '1'
      ? []
      : [
          [t('subscriptions.quantity'), format.number(quantity)] as const,
          [t('subscriptions.fee'), <Fee key="fee" subscription={subscription} />] as const,
        ]),
    priceFact(t('subscriptions.price'), service),
    // Quotas are listed by charge below if the service is charged by several meters or by none.
    ...(countsLimited({ meter: service.meter, quota })
      ? [
          // Without a limit, the usage below says so.
          ...(limits === undefined ? [] : [[t('subscriptions.quota'), limits] as const]),
          [
            t('subscriptions.usage'),
            <Usage key="usage" subscription={subscription} Quota={Quota} />,
          ] as const,
        ]
      : []),
    [
      t(isScheduled || isCalledOff(subscription) ? 'subscriptions.begins_at' : 'subscriptions.started_at'),
      <Moment key="start" at={subscription.startedAt} />,
    ],
    ...(trialEndsAt
      ? [
          [
            t('subscriptions.trial_label'),
            t('subscriptions.trial_until', { date: format.date(lastDay(trialEndsAt)) }),
          ] as const,
        ]
      : []),
    ...(over && endsAt
      ? [[t('subscriptions.ends_at'), <Moment key="end" at={endsAt} as="dateTime" />] as const]
      : []),
    ...(term === undefined ? [] : [[t('subscriptions.term'), term] as const]),
    ...(over || isScheduled
      ? []
      : [[t('subscriptions.next_reset'), <Moment key="reset" at={nextReset} />] as const]),
  ] as const;
}
