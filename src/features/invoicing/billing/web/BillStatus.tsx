// The payment status of a bill as a badge.
import type { Bill } from '../contract.ts';
import { StatusBadge, type BadgeTone } from '#platform/web/ui/StatusBadge.tsx';
import { useBillingTexts } from './texts.ts';

const tones: Record<Bill['paymentStatus'], BadgeTone> = {
  unpaid: 'primary',
  partially_paid: 'info',
  processing: 'info',
  paid: 'success',
  overdue: 'alarm',
  void: 'neutral',
};

export function BillStatus({ status }: { status: Bill['paymentStatus'] }) {
  const t = useBillingTexts();
  // used as: 'billing.status_*'
  return <StatusBadge tone={tones[status]} label={t(`billing.status_${status}`)} />;
}
