// The state of a request for a higher limit as a badge.
import type { RaiseState as State } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { StatusBadge, type BadgeTone } from '#platform/web/ui/StatusBadge.tsx';

const tones: Record<State, BadgeTone> = {
  open: 'primary',
  granted: 'success',
  declined: 'error',
  withdrawn: 'neutral',
};

export function RaiseState({ state }: { state: State }) {
  const { t } = useTranslation('quotas');
  // used as: 'quotas.raise_state_*'
  return <StatusBadge tone={tones[state]} label={t(`quotas.raise_state_${state}`)} />;
}
