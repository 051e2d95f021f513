// The state of a subscription as icon, text and color.
import type { SubscriptionState as State } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { StatusBadge, type BadgeTone } from '#platform/web/ui/StatusBadge.tsx';

const tones = {
  scheduled: 'info',
  active: 'success',
  paused: 'neutral',
  cancelling: 'warning',
  canceled: 'neutral',
  past_due: 'alarm',
  suspended: 'error',
  expired: 'neutral',
} as const satisfies Record<State, BadgeTone>;

export function SubscriptionState({ state }: { state: State }) {
  const { t } = useTranslation('subscriptions');
  // used as: 'subscriptions.state_*'
  return <StatusBadge tone={tones[state]} label={t(`subscriptions.state_${state}`)} />;
}
