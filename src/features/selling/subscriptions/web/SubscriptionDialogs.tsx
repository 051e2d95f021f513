// The dialogs of a subscription, which ask before every action (R-CAT-08).
import { ChangePlanDialog } from './ChangePlanDialog.tsx';
import { PauseDialog } from './PauseDialog.tsx';
import { RenewDialog } from './RenewDialog.tsx';
import type { Asked } from './subscription-actions.tsx';
import { UnsubscribeDialog } from './UnsubscribeDialog.tsx';

export function SubscriptionDialogs({ asked, onClose }: { asked: Asked | undefined; onClose: () => void }) {
  if (!asked) return null;
  const { subscription } = asked;
  switch (asked.what) {
    case 'change':
      return <ChangePlanDialog subscription={subscription} chosen={asked.serviceId} onClose={onClose} />;
    case 'pause':
      return <PauseDialog subscription={subscription} onClose={onClose} />;
    case 'renew':
      return <RenewDialog subscription={subscription} onClose={onClose} />;
    case 'unsubscribe':
      return <UnsubscribeDialog subscription={subscription} onClose={onClose} />;
  }
}
