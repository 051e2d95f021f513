// The bills of a consolidated bill as rows: whose services, the amount charged, and the amount due.
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Money } from '#platform/web/ui/Money.tsx';
import { OpenRow } from '#platform/web/ui/OpenRow.tsx';
import { PlainTable } from '#platform/web/ui/PlainTable.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import type { Id } from '#kernel/ids.ts';
import type { ConsolidatedBill, ConsolidatedBillDetail } from '../contract-consolidated.ts';
import { BillStatus } from './BillStatus.tsx';

/** The name of a consolidated bill: of its month, or a supplement to it. */
export function useConsolidatedName(): (bill: Pick<ConsolidatedBill, 'month' | 'supplement'>) => string {
  const { t } = useTranslation('billing');
  const format = useFormat();
  return ({ month, supplement }) =>
    supplement === 0
      ? t('billing.consolidated_of', { month: format.month(month) })
      : t('billing.consolidated_supplement', { month: format.month(month), number: supplement });
}

export function ConsolidatedSections({
  bill,
  open,
  onOpen,
}: {
  bill: ConsolidatedBillDetail;
  /** The bill that is shown. */
  open: Id<'bil'> | undefined;
  onOpen: (billId: Id<'bil'>) => void;
}) {
  const { t } = useTranslation('billing');
  return (
    <PlainTable
      label={`${t('billing.consolidated')} ${bill.number}`}
      words={3}
      heads={[
        t('billing.used_by'),
        t('billing.number'),
        t('billing.status'),
        t('billing.net'),
        t('billing.csv_tax'),
        t('billing.total'),
        t('billing.due'),
      ]}
      rows={bill.bills.map((one) => ({
        key: one.id,
        cells: [
          <OpenRow key="name" isExpanded={open === one.id} onOpen={() => onOpen(one.id)}>
            {one.usedBy?.organization ?? t('billing.consolidated_own', { organization: bill.organization })}
          </OpenRow>,
          one.number,
          <BillStatus key="status" status={one.paymentStatus} instalment={one.instalment} />,
          <Money key="net" amount={one.net} />,
          <Money key="tax" amount={one.tax} />,
          <Money key="total" amount={one.total} />,
          <Money key="due" amount={one.due} />,
        ],
      }))}
      total={{
        key: 'total',
        cells: [
          t('billing.total'),
          '',
          '',
          <Money key="net" amount={bill.net} />,
          <Money key="tax" amount={bill.tax} />,
          <Money key="total" amount={bill.total} />,
          <Money key="due" amount={bill.due} />,
        ],
      }}
    />
  );
}
