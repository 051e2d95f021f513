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

/** Withheld tax brought no money, so nothing is refunded; instead the record is reversed. */
export function PaymentState({ payment: { state, method } }: { payment: Pick<Payment, 'state' | 'method'> }) {
  const { t } = useTranslation('payments');
  const shown = method === 'withholding' && state === 'refunded' ? 'taken_back' : state;
  // used as: 'payments.state_*'
  return <StatusBadge tone={tones[state]} label={t(`payments.state_${shown}`)} />;
}
