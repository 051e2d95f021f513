// The state of an e-invoice or an allowance as a badge.
import type { Allowance, EinvoiceState as State } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { StatusBadge, type BadgeTone } from '#platform/web/ui/StatusBadge.tsx';

const tones: Record<State, BadgeTone> = {
  pending: 'primary',
  issued: 'info',
  uploading: 'primary',
  uploaded: 'success',
  failed: 'error',
  voiding: 'primary',
  voided: 'neutral',
  allowed: 'info',
  dropped: 'neutral',
};
const allowanceTones: Record<Allowance['state'], BadgeTone> = {
  pending: 'primary',
  sent: 'success',
  failed: 'error',
  voiding: 'primary',
  voided: 'neutral',
  dropped: 'neutral',
};

export function EinvoiceState({ state }: { state: State }) {
  const { t } = useTranslation('einvoices');
  // used as: 'einvoices.state_*'
  return <StatusBadge tone={tones[state]} label={t(`einvoices.state_${state}`)} />;
}
export function AllowanceState({ state }: { state: Allowance['state'] }) {
  const { t } = useTranslation('einvoices');
  // used as: 'einvoices.allowance_state_*'
  return <StatusBadge tone={allowanceTones[state]} label={t(`einvoices.allowance_state_${state}`)} />;
}
