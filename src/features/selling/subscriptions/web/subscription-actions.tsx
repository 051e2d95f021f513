// The actions that a subscription's state allows, for menus and panels.
import AutorenewOutlined from '~icons/ic/outline-autorenew';
import PauseOutlined from '~icons/ic/outline-pause';
import PlayArrowOutlined from '~icons/ic/outline-play-arrow';
import SwapHorizOutlined from '~icons/ic/outline-swap-horiz';
import UndoOutlined from '~icons/ic/outline-undo';
import CancelOutlined from '~icons/ic/outline-cancel';
import type { Id } from '#kernel/ids.ts';
import type { Subscription } from '../contract.ts';
import { canChange, canRenew, nextState } from '../rules.ts';
import { useAuthStore } from '#platform/web/session/auth-store.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useCall } from '#platform/web/api/queries.ts';
import { toast } from '#platform/web/toasts/toasts.ts';
import type { RowAction } from '#platform/web/ui/RowMenu.tsx';
import { subscriptionsApi, subscriptionsKey } from './api.ts';

/** Actions that ask for confirmation. */
export type SubscriptionDialog = {
  readonly action: 'change' | 'pause' | 'unsubscribe' | 'renew';
  readonly subscription: Subscription;
  readonly serviceId?: Id<'svc'>;
};
/** Lists, panels and the overview's marks all show subscriptions, and the current month's bill shows fees. */
export const changesSubscriptions = [subscriptionsKey(), ['billing'], ['planning']];

/** Whether the user may change subscriptions; other roles see no buttons. */
export const useMayChange = (): boolean => useAuthStore((auth) => auth.user?.role === 'User');

/**
 * Resumes a paused subscription, or withdraws a cancellation or a planned pause, without confirmation,
 * because nothing is lost.
 */
export function useResume() {
  const { t } = useTranslation('subscriptions');
  return useCall(subscriptionsApi.start, {
    invalidates: changesSubscriptions,
    onSuccess: ({ service }) => toast.success(t('subscriptions.resumed', { service: service.name })),
    onError: toast.failure,
  });
}

/** Withdraws a planned change. */
export function useTakeBackChange() {
  const { t } = useTranslation('subscriptions');
  return useCall(subscriptionsApi.takeBackChange, {
    invalidates: changesSubscriptions,
    onSuccess: ({ service }) =>
      toast.success(t('subscriptions.change_taken_back', { service: service.name })),
    onError: toast.failure,
  });
}

/** The entries of a subscription's menu that its state allows. */
export function useSubscriptionActions(
  onAsk: (dialog: SubscriptionDialog) => void,
): (subscription: Subscription) => readonly RowAction[] {
  const { t } = useTranslation('subscriptions');
  const resume = useResume();
  const takeBack = useTakeBackChange();
  const mayChange = useMayChange();
  return (subscription) => {
    if (!mayChange) return [];
    const { state, pending, id: subscriptionId } = subscription;
    const isCancelling = state === 'cancelling';
    // An add-on pauses and resumes with its subscription.
    const can = (action: Parameters<typeof nextState>[1]) =>
      nextState(state, action) !== undefined &&
      (subscription.addedTo === null || action === 'cancel' || isCancelling);
    // A customer with unpaid bills may still cancel.
    const isHeld = (state === 'past_due' || state === 'suspended') && subscription.endsAt === null;
    return [
      ...(canChange(state) && !pending
        ? [
            {
              label: t('subscriptions.change'),
              icon: <SwapHorizOutlined />,
              opensDialog: true,
              onClick: () => onAsk({ action: 'change', subscription }),
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
      ...(canRenew(subscription) && !isCancelling && subscription.addedTo === null
        ? [
            {
              label: t('subscriptions.renew'),
              icon: <AutorenewOutlined />,
              opensDialog: true,
              onClick: () => onAsk({ action: 'renew', subscription }),
            },
          ]
        : []),
      ...(can('stop')
        ? [
            {
              label: t('subscriptions.pause'),
              icon: <PauseOutlined />,
              opensDialog: true,
              onClick: () => onAsk({ action: 'pause', subscription }),
            },
          ]
        : []),
      ...(can('cancel') || isCancelling || isHeld
        ? [
            {
              label: t(
                state === 'scheduled'
                  ? 'subscriptions.call_off'
                  : isCancelling
                    ? 'subscriptions.end_now'
                    : 'subscriptions.unsubscribe',
              ),
              icon: <CancelOutlined />,
              danger: true,
              opensDialog: true,
              onClick: () => onAsk({ action: 'unsubscribe', subscription }),
            },
          ]
        : []),
    ];
  };
}
