// The columns of lists of payments.
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Moment, Money } from '#platform/web/ui/Money.tsx';
import type { Payment } from '../contract.ts';
import { PaymentKind, PaymentStanding } from './PaymentKind.tsx';

type PaymentColumn = 'kind' | 'state' | 'createdAt' | 'note' | 'amount';

/** `linkTo`: the path of the bills that payments are linked to. */
export function usePaymentColumns(linkTo?: string): Readonly<Record<PaymentColumn, Column<Payment>>> {
  const { t } = useTranslation('payments');
  return {
    kind: {
      key: 'kind',
      label: t('payments.kind'),
      render: (payment) => <PaymentKind payment={payment} linkTo={linkTo} />,
    },
    state: {
      key: 'state',
      label: t('payments.state'),
      render: (payment) => <PaymentStanding payment={payment} />,
    },
    createdAt: {
      key: 'createdAt',
      label: t('payments.created_at'),
      sortable: true,
      render: (payment) => <Moment at={payment.createdAt} as="dateTime" />,
    },
    note: {
      key: 'note',
      label: t('payments.note'),
      show: 'wide',
      card: 'hidden',
      render: (payment) => payment.note,
    },
    amount: {
      key: 'amount',
      label: t('payments.amount'),
      align: 'right',
      sortable: true,
      render: (payment) => <Money amount={payment.received ?? payment.amount} />,
    },
  };
}
