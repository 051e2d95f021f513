// Columns shared by lists of bills.
import Button from '@mui/material/Button';
import type { Money as MoneyAmount } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Money } from '#platform/web/ui/Money.tsx';
import { VisuallyHidden } from '#platform/web/ui/VisuallyHidden.tsx';

type Row = { readonly month: BillingMonth; readonly number: string; readonly total: MoneyAmount };

/** The month, which opens the bill when clicked, and the total. */
export function useBillColumns(onOpen: (month: BillingMonth) => void): {
  readonly month: Column<Row>;
  readonly total: Column<Row>;
} {
  const { t } = useTranslation('billing');
  const format = useFormat();
  return {
    month: {
      key: 'month',
      label: t('billing.month'),
      sortable: true,
      card: 'title',
      render: (bill) => (
        <Button
          variant="text"
          size="small"
          sx={{ marginInlineStart: '-10px' }}
          onClick={() => onOpen(bill.month)}
        >
          {format.month(bill.month)}
          {/* A month may have several bills, which look alike to screen readers without their numbers. */}
          <VisuallyHidden>{` ${bill.number}`}</VisuallyHidden>
        </Button>
      ),
    },
    total: {
      key: 'total',
      label: t('billing.total'),
      align: 'right',
      sortable: true,
      render: (bill) => <Money amount={bill.total} />,
    },
  };
}
