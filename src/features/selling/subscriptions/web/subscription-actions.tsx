// What can be done with a subscription in its state, for menus and panels.
import AutorenewOutlined from '~icons/ic/outline-autorenew';
import PauseOutlined from '~icons/ic/outline-pause';
import PlayArrowOutlined from '~icons/ic/outline-play-arrow';
import SwapHorizOutlined from '~icons/ic/outline-swap-horiz';
import UndoOutlined from '~icons/ic/outline-undo';
import UnsubscribeOutlined from '~icons/ic/outline-unsubscribe';
import type { Id } from '#kernel/ids.ts';
import type { Subscription } from '../contract.ts';
import { canChange, canRenew, nextState } from '../rules.ts';
import { useAuthStore } from '#platform/web/session/auth-store.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import type { RowAction } from '#platform/web/ui/RowMenu.tsx';
import { subscriptionsApi, subscriptionsKey } from './api.ts';

/** What needs an answer first. */
export type Asked = {
  readonly what: 'change' | 'pause' | 'unsubscribe' | 'renew';
  readonly subscription: Subscription;
  readonly serviceId?: Id<'svc'>;
};
/** Lists, panels and the overview's marks all show subscriptions; fees stand on the running bill. */
export const changesSubscriptions = [subscriptionsKey(), ['billing'], ['planning']];

/** Whether the reader may change subscriptions at all: others see no buttons. */
export const useMayChange = (): boolean => useAuthStore((auth) => auth.user?.role === 'User');

/** Resumes a paused subscription, or takes a cancellation or a planned pause back: nothing is lost by it, so nobody is asked. */
export function useResume() {
  const { t } = useTranslation('subscriptions');
  return useCall(subscriptionsApi.start, {
    invalidates: changesSubscriptions,
    onSuccess: ({ service }) => toast.success(t('subscriptions.resumed', { service: service.name })),
    onError: toast.failure,
  });
}

/** Takes a planned change back. */
export function useTakeBackChange() {
  const { t } = useTranslation('subscriptions');
  return useCall(subscriptionsApi.takeBackChange, {
    invalidates: changesSubscriptions,
    onSuccess: ({ service }) =>
      toast.success(t('subscriptions.change_taken_back', { service: service.name })),
    onError: toast.failure,
  });
}

/** The entries of a subscription's menu; those that its state does not allow are left out. */
export function useSubscriptionActions(
  onAsk: (asked: Asked) => void,
): (subscription: Subscription) => readonly RowAction[] {
  const { t } = useTranslation('subscriptions');
  const resume = useResume();
  const takeBack = useTakeBackChange();
  const mayChange = useMayChange();
  return (subscription) => {
    if (!mayChange) return [];
    const { state, pending, id: subscriptionId } = subscription;
    const can = (action: Parameters<typeof nextState>[1]) => nextState(state, action) !== undefined;
    const isCancelling = state === 'cancelling';
    // Who owes may leave all the same.
    const isHeld = (state === 'past_due' || state === 'suspended') && subscription.endsAt === null;
    return [
      ...(canChange(state) && !pending
        ? [
            {
              label: t('subscriptions.change'),
              icon: <SwapHorizOutlined />,
              onClick: () => onAsk({ what: 'change', subscription }),
            },
          ]
        : []),
      ...(pending
        ? [
            {
              label: t('subscriptions.take_back_change'),
              icon: <UndoOutlined />,
              onClick: () => takeBack.mutate({ subscriptionId }),
            },
          ]
        : []),
      ...(can('start')
        ? [
            {
              label: t(isCancelling ? 'subscriptions.take_back' : 'subscriptions.resume'),
              icon: isCancelling ? <UndoOutlined /> : <PlayArrowOutlined />,
              onClick: () => resume.mutate({ subscriptionId }),
            },
          ]
        : []),
      ...(canRenew(subscription) && !isCancelling
        ? [
            {
              label: t('subscriptions.renew'),
              icon: <AutorenewOutlined />,
              onClick: () => onAsk({ what: 'renew', subscription }),
            },
          ]
        : []),
      ...(can('stop')
        ? [
            {
              label: t('subscriptions.pause'),
              icon: <PauseOutlined />,
              onClick: () => onAsk({ what: 'pause', subscription }),
            },
          ]
        : []),
      ...(can('cancel') || isCancelling || isHeld
        ? [
            {
              label: t(isCancelling ? 'subscriptions.end_now' : 'subscriptions.unsubscribe'),
              icon: <UnsubscribeOutlined />,
              danger: true,
              onClick: () => onAsk({ what: 'unsubscribe', subscription }),
            },
          ]
        : []),
    ];
  };
}
