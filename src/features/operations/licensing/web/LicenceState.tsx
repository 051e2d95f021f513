// A license's state, as a colored badge.
import type { LicenceState as State } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { StatusBadge, type BadgeTone } from '#platform/web/ui/StatusBadge.tsx';

const tones: Record<State, BadgeTone> = {
  valid: 'success',
  expiring: 'warning',
  expired: 'neutral',
  revoked: 'error',
  superseded: 'neutral',
};

export function LicenceState({ state }: { state: State }) {
  const { t } = useTranslation('licensing');
  // used as: 'licensing.state_*'
  return <StatusBadge tone={tones[state]} label={t(`licensing.state_${state}`)} />;
}
