// R-CAT-04, R-CAT-08: asks before a subscription is paused or ended, and says how it went.
import type { Subscription } from '#features/subscriptions/contract.ts';
import { useCall } from '#platform/web/queries.ts';
import { toast } from '#platform/web/toasts.ts';
import { ConfirmDialog } from '#platform/web/ui/ConfirmDialog.tsx';
import { useFormat } from '#platform/web/use-format.ts';
import { subscriptionsApi } from './api.ts';
import { changesSubscriptions, useResume, type Asked } from './subscription-actions.tsx';
import { useSubscriptionsTexts } from './texts.ts';

export function SubscriptionDialogs({ asked, onClose }: { asked: Asked | undefined; onClose: () => void }) {
  if (!asked) return null;
  return asked.what === 'pause' ? <Pause subscription={asked.subscription} onClose={onClose} /> : <Unsubscribe subscription={asked.subscription} onClose={onClose} />;
}

type AskProps = { readonly subscription: Subscription; readonly onClose: () => void };

function Pause({ subscription, onClose }: AskProps) {
  const t = useSubscriptionsTexts();
  const what = { service: subscription.service.name };
  const resume = useResume();
  const undo = { label: t('subscriptions.undo'), onClick: () => resume.mutate({ subscriptionId: subscription.id }) };
  const pause = useCall(subscriptionsApi.stop, { invalidates: changesSubscriptions, onSuccess: () => toast.success(t('subscriptions.paused', what), undo) });
  return (
    <ConfirmDialog
      open
      title={t('subscriptions.pause_ask', what)}
      consequences={[t('subscriptions.pause_usage'), t('subscriptions.pause_fee'), t('subscriptions.pause_back')]}
      confirmLabel={t('subscriptions.pause_confirm')}
      onConfirm={() => pause.mutateAsync({ subscriptionId: subscription.id })}
      onClose={onClose}
    />
  );
}

function Unsubscribe({ subscription, onClose }: AskProps) {
  const t = useSubscriptionsTexts();
  const format = useFormat();
  const what = { service: subscription.service.name };
  const resume = useResume();
  const undo = { label: t('subscriptions.undo'), onClick: () => resume.mutate({ subscriptionId: subscription.id }) };
  const cancel = useCall(subscriptionsApi.cancel, { invalidates: changesSubscriptions, onSuccess: () => toast.success(t('subscriptions.unsubscribed', what), undo) });
  const confirm = async () => {
    try {
      await cancel.mutateAsync({ subscriptionId: subscription.id });
    } catch (error) {
      // The dialog shows the sentence that R-CAT-04 asks for.
      throw new Error(t('subscriptions.unsubscribe_failed'), { cause: error });
    }
  };
  return (
    <ConfirmDialog
      open
      tone="danger"
      proof="tick"
      title={t('subscriptions.unsubscribe_ask', what)}
      consequences={[t('subscriptions.unsubscribe_lost'), t('subscriptions.unsubscribe_history'), t('subscriptions.unsubscribe_again')]}
      confirmLabel={t('subscriptions.unsubscribe_confirm')}
      onConfirm={confirm}
      onClose={onClose}
    >
      {t('subscriptions.unsubscribe_ends', { date: format.date(subscription.nextReset) })}
    </ConfirmDialog>
  );
}
