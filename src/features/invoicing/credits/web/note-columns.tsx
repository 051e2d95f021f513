// The columns of lists of credit notes, for Admins and for recipients.
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Moment, Money } from '#platform/web/ui/Money.tsx';
import type { CreditNote } from '../contract.ts';

/** `afterBill` is between the bill and the date. */
export function useNoteColumns(afterBill: readonly Column<CreditNote>[] = []): readonly Column<CreditNote>[] {
  const { t } = useTranslation('credits');
  return [
    {
      key: 'number',
      label: t('credits.number'),
      sortable: true,
      card: 'title',
      render: (note) => note.number,
    },
    { key: 'bill', label: t('credits.bill'), render: (note) => note.billNumber },
    ...afterBill,
    {
      key: 'issuedAt',
      label: t('credits.issued_at'),
      sortable: true,
      render: (note) => <Moment at={note.issuedAt} />,
    },
    { key: 'reason', label: t('credits.reason'), show: 'wide', render: (note) => note.reason },
    {
      key: 'total',
      label: t('credits.total'),
      align: 'right',
      sortable: true,
      render: (note) => <Money amount={note.total} />,
    },
  ];
}
