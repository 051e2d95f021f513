// The state of a one-off as a badge.
import type { OneOffState as State } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { StatusBadge, type BadgeTone } from '#platform/web/ui/StatusBadge.tsx';

const tones: Record<State, BadgeTone> = {
  awaiting_approval: 'primary',
  approved: 'info',
  billed: 'success',
  rejected: 'error',
  withdrawn: 'neutral',
};

export function OneOffState({ state }: { state: State }) {
  const { t } = useTranslation('oneoffs');
  // used as: 'oneoffs.state_*'
  return <StatusBadge tone={tones[state]} label={t(`oneoffs.state_${state}`)} />;
}
