// The payment status of a bill as a badge.
import type { Bill } from '../contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { StatusBadge, type BadgeTone } from '#platform/web/ui/StatusBadge.tsx';

const tones: Record<Bill['paymentStatus'], BadgeTone> = {
  unpaid: 'primary',
  partially_paid: 'info',
  processing: 'info',
  paid: 'success',
  overdue: 'alarm',
  void: 'neutral',
};

export function BillStatus({ status }: { status: Bill['paymentStatus'] }) {
  const { t } = useTranslation('billing');
  // used as: 'billing.status_*'
  return <StatusBadge tone={tones[status]} label={t(`billing.status_${status}`)} />;
}
