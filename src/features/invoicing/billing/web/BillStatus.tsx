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

export function BillStatus({
  status,
  instalment,
}: {
  status: Bill['paymentStatus'];
  /** For a bill that is due in installments: the next one. */
  instalment?: Bill['instalment'];
}) {
  const { t } = useTranslation('billing');
  // used as: 'billing.status_*'
  const label = t(`billing.status_${status}`);
  return (
    <StatusBadge
      tone={tones[status]}
      label={
        instalment
          ? `${label} · ${t('billing.in_parts', { number: instalment.number, of: instalment.of })}`
          : label
      }
    />
  );
}
