// How a licence stands, as a word with its colour.
import type { LicenceState as State } from '../contract.ts';
import { StatusBadge, type BadgeTone } from '#platform/web/ui/StatusBadge.tsx';
import { useLicensingTexts } from './texts.ts';

const tones: Record<State, BadgeTone> = {
  valid: 'success',
  expiring: 'warning',
  expired: 'neutral',
  revoked: 'error',
  superseded: 'neutral',
};

export function LicenceState({ state }: { state: State }) {
  const t = useLicensingTexts();
  // used as: 'licensing.state_*'
  return <StatusBadge tone={tones[state]} label={t(`licensing.state_${state}`)} />;
}
