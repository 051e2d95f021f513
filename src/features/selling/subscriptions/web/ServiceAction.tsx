// The action for a service on sale: subscribe, manage the subscription, get notified about an upcoming one,
// or select it for comparison.
import CheckOutlined from '~icons/ic/outline-check';
import CompareArrowsOutlined from '~icons/ic/outline-compare-arrows';
import NotificationsActiveOutlined from '~icons/ic/outline-notifications-active';
import NotificationsNoneOutlined from '~icons/ic/outline-notifications-none';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Service } from '#features/selling/catalogue/contract.ts';
import { isAddOn } from '#features/selling/catalogue/rules.ts';
import { catalogueApi, catalogueKey, catalogueQueries } from '#features/selling/catalogue/web/parts.ts';
import { subscriptionsPaths } from '../contract.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import { subscriptionsQueries } from './api.ts';
import { maxCompared, type Comparison } from './overview-state.ts';
import { isOver } from './subscription-words.tsx';
import { maxListed } from './use-offer-facts.ts';

export type ServiceActionProps = {
  readonly service: Service;
  /** Set if the organization already has the service. */
  readonly subscriptionId: string | undefined;
  readonly onSubscribe: () => void;
  /** Set while services are being chosen for comparison. */
  readonly comparison?: Comparison | undefined;
  /** Whether subscribing is the main action of its page or panel; among many services it is not. */
  readonly isMain?: boolean;
};

/** Where a subscription is managed. */
export const managePath = (subscriptionId: string): string =>
  `${subscriptionsPaths.management}?subscription=${subscriptionId}`;

export function ServiceAction({
  service,
  subscriptionId,
  onSubscribe,
  comparison,
  isMain = false,
}: ServiceActionProps) {
  const { t } = useTranslation('subscriptions');
  const params = { service: service.name };
  if (comparison?.isChoosing) return <CompareButton service={service} comparison={comparison} />;
  if (subscriptionId !== undefined) {
    return (
      <Button
        component={Link}
        to={managePath(subscriptionId)}
        variant="outlined"
        aria-label={t('subscriptions.manage_named', params)}
      >
        {t('subscriptions.manage')}
      </Button>
    );
  }
  if (service.releaseState === 'Coming Soon') return <NotifyButton service={service} />;
  if (isAddOn(service)) return <AddButton service={service} />;
  return (
    <Button
      aria-haspopup="dialog"
      variant={isMain ? 'contained' : 'outlined'}
      onClick={onSubscribe}
      aria-label={t('subscriptions.subscribe_named', params)}
    >
      {t('subscriptions.subscribe')}
    </Button>
  );
}

/** Where an add-on can be added: on the subscription it belongs to. */
function AddButton({ service }: { service: Service }) {
  const { t } = useTranslation('subscriptions');
  const format = useFormat();
  const { data } = useQuery(subscriptionsQueries.listSubscriptions({ limit: maxListed }));
  const parent = data?.items.find(
    (each) => !each.addedTo && !isOver(each) && service.addOnTo.includes(each.service.family),
  );
  if (!parent)
    return (
      <Typography variant="body2" color="textSecondary">
        {t('subscriptions.add_needs', { family: format.list(service.addOnTo) })}
      </Typography>
    );
  return (
    <Button
      component={Link}
      to={managePath(parent.id)}
      variant="outlined"
      aria-label={t('subscriptions.add_to_named', { service: service.name })}
    >
      {t('subscriptions.add_to')}
    </Button>
  );
}

function CompareButton({
  service,
  comparison: { chosen, toggle },
}: {
  service: Service;
  comparison: Comparison;
}) {
  const { t } = useTranslation('subscriptions');
  const isChosen = chosen.includes(service.id);
  return (
    <Button
      variant={isChosen ? 'contained' : 'outlined'}
      disabled={!isChosen && chosen.length >= maxCompared}
      startIcon={isChosen ? <CheckOutlined /> : <CompareArrowsOutlined />}
      onClick={() => toggle(service.id)}
      aria-label={t(isChosen ? 'subscriptions.compare_chosen_named' : 'subscriptions.compare_named', {
        service: service.name,
      })}
    >
      {t(isChosen ? 'subscriptions.compare_chosen' : 'subscriptions.compare_choose')}
    </Button>
  );
}

/** Notifies the user once when the service becomes available; a second click cancels that. */
function NotifyButton({ service }: { service: Service }) {
  const { t } = useTranslation('subscriptions');
  const wishes = useQuery(catalogueQueries.listInterests()).data?.serviceIds;
  const isOn = wishes?.includes(service.id) ?? false;
  const after = { invalidates: [catalogueKey('listInterests')], onError: toast.failure };
  const show = useCall(catalogueApi.showInterest, {
    ...after,
    onSuccess: () => toast.success(t('subscriptions.notify_on', { service: service.name })),
  });
  const withdraw = useCall(catalogueApi.withdrawInterest, {
    ...after,
    onSuccess: () => toast.success(t('subscriptions.notify_off', { service: service.name })),
  });
  return (
    <Button
      variant="outlined"
      disabled={wishes === undefined}
      loading={show.isPending || withdraw.isPending}
      loadingPosition="start"
      startIcon={isOn ? <NotificationsActiveOutlined /> : <NotificationsNoneOutlined />}
      onClick={() => (isOn ? withdraw : show).mutate({ serviceId: service.id })}
      aria-label={t(isOn ? 'subscriptions.notified_named' : 'subscriptions.notify_named', {
        service: service.name,
      })}
    >
      {t(isOn ? 'subscriptions.notified' : 'subscriptions.notify')}
    </Button>
  );
}

/** ✓ and the word, for a subscribed service. */
export function SubscribedMark() {
  const { t } = useTranslation('subscriptions');
  return (
    <Stack component="span" direction="row" sx={{ gap: 0.5, alignItems: 'center', color: 'success.main' }}>
      <CheckOutlined aria-hidden sx={{ fontSize: 18 }} />
      <Typography variant="body2" component="span">
        {t('subscriptions.subscribed')}
      </Typography>
    </Stack>
  );
}
