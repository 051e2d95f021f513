// The dialogs of a subscription, which ask for confirmation of every action (R-CAT-08).
import { ChangePlanDialog } from './ChangePlanDialog.tsx';
import { PauseDialog } from './PauseDialog.tsx';
import { RenewDialog } from './RenewDialog.tsx';
import type { SubscriptionDialog } from './subscription-actions.tsx';
import { UnsubscribeDialog } from './UnsubscribeDialog.tsx';

export function SubscriptionDialogs({
  dialog,
  onClose,
}: {
  dialog: SubscriptionDialog | undefined;
  onClose: () => void;
}) {
  if (!dialog) return null;
  const { subscription } = dialog;
  switch (dialog.action) {
    case 'change':
      return <ChangePlanDialog subscription={subscription} chosen={dialog.serviceId} onClose={onClose} />;
    case 'pause':
      return <PauseDialog subscription={subscription} onClose={onClose} />;
    case 'renew':
      return <RenewDialog subscription={subscription} onClose={onClose} />;
    case 'unsubscribe':
      return <UnsubscribeDialog subscription={subscription} onClose={onClose} />;
  }
}
