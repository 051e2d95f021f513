// The state of a payment as a badge.
import type { Payment } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { StatusBadge, type BadgeTone } from '#platform/web/ui/StatusBadge.tsx';

const tones: Record<Payment['state'], BadgeTone> = {
  pending: 'primary',
  succeeded: 'success',
  failed: 'error',
  refunded: 'neutral',
};

export function PaymentState({ state }: { state: Payment['state'] }) {
  const { t } = useTranslation('payments');
  // used as: 'payments.state_*'
  return <StatusBadge tone={tones[state]} label={t(`payments.state_${state}`)} />;
}
