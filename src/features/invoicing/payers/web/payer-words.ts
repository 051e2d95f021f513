// The months of a payer in words.
import type { BillingMonth } from '#kernel/shape.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useFormat } from '#platform/web/format/use-format.ts';

/** Says from which month on, or from which to which month. */
export function useSpanWords(): (span: {
  readonly from: BillingMonth;
  readonly until: BillingMonth | null;
}) => string {
  const { t } = useTranslation('payers');
  const format = useFormat();
  return ({ from, until }) =>
    until === null
      ? t('payers.from_on', { month: format.month(from) })
      : from === until
        ? format.month(from)
        : t('payers.from_until', { from: format.month(from), until: format.month(until) });
}
