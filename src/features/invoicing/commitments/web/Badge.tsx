// The status of a commitment: the risk of its current period while it is active, otherwise its state.
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import type { Commitment } from '../contract.ts';
import { riskTones, stateTones } from './commitment-words.ts';

export function CommitmentBadge({
  commitment: { state, current },
}: {
  commitment: Pick<Commitment, 'state' | 'current'>;
}) {
  const { t } = useTranslation('commitments');
  const outlook = current?.outlook;
  // used as: 'commitments.risk_*', 'commitments.state_*'
  return outlook ? (
    <StatusBadge tone={riskTones[outlook.risk]} label={t(`commitments.risk_${outlook.risk}`)} />
  ) : (
    <StatusBadge tone={stateTones[state]} label={t(`commitments.state_${state}`)} />
  );
}
