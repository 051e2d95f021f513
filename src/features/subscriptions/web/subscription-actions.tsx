// What can be done with a subscription in its state, for menus and panels.
import PauseOutlined from '@mui/icons-material/PauseOutlined';
import PlayArrowOutlined from '@mui/icons-material/PlayArrowOutlined';
import UnsubscribeOutlined from '@mui/icons-material/UnsubscribeOutlined';
import type { Subscription } from '#features/subscriptions/contract.ts';
import { nextState } from '#features/subscriptions/rules.ts';
import { useCall } from '#platform/web/queries.ts';
import { toast } from '#platform/web/toasts.ts';
import type { RowAction } from '#platform/web/ui/RowMenu.tsx';
import { subscriptionsApi, subscriptionsKey } from './api.ts';
import { useSubscriptionsTexts } from './texts.ts';

/** What needs an answer first. */
export type Asked = { readonly what: 'pause' | 'unsubscribe'; readonly subscription: Subscription };
/** Lists, panels and the overview's marks all show subscriptions. */
export const changesSubscriptions = [subscriptionsKey()];

/** Resumes a paused subscription or takes a cancellation back: nothing is lost by it, so nobody is asked. */
export function useResume() {
  const t = useSubscriptionsTexts();
  return useCall(subscriptionsApi.start, { invalidates: changesSubscriptions, onSuccess: ({ service }) => toast.success(t('subscriptions.resumed', { service: service.name })), onError: toast.failure });
}

/** The entries of a subscription's menu; those that its state does not allow are left out. */
export function useSubscriptionActions(onAsk: (asked: Asked) => void): (subscription: Subscription) => readonly RowAction[] {
  const t = useSubscriptionsTexts();
  const resume = useResume();
  return (subscription) => {
    const { state } = subscription;
    const can = (action: Parameters<typeof nextState>[1]) => nextState(state, action) !== undefined;
    return [
      ...(can('start') ? [{ label: t(state === 'cancelling' ? 'subscriptions.take_back' : 'subscriptions.resume'), icon: <PlayArrowOutlined />, onClick: () => resume.mutate({ subscriptionId: subscription.id }) }] : []),
      ...(can('stop') ? [{ label: t('subscriptions.pause'), icon: <PauseOutlined />, onClick: () => onAsk({ what: 'pause', subscription }) }] : []),
      ...(can('cancel') ? [{ label: t('subscriptions.unsubscribe'), icon: <UnsubscribeOutlined />, danger: true, onClick: () => onAsk({ what: 'unsubscribe', subscription }) }] : []),
    ];
  };
}
