// The state of a request, as a badge.
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import type { ApprovalState as State } from '../contract.ts';

const tones = {
  waiting: 'primary',
  approved: 'info',
  done: 'success',
  failed: 'error',
  rejected: 'error',
  withdrawn: 'neutral',
  expired: 'neutral',
} as const satisfies Record<State, string>;

export function ApprovalState({ state }: { readonly state: State }) {
  const { t } = useTranslation('approvals');
  // used as: 'approvals.state_*'
  return <StatusBadge tone={tones[state]} label={t(`approvals.state_${state}`)} />;
}
