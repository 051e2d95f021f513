// The columns with the months in which a payer pays, and who set it.
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Moment } from '#platform/web/ui/Money.tsx';
import { StatusBadge } from '#platform/web/ui/StatusBadge.tsx';
import type { PayerSpan, SubscriptionPayerSpan } from '../contract.ts';
import { stateTones, useSpanWords } from './payer-words.ts';

export function useTermColumns(): readonly Column<PayerSpan | SubscriptionPayerSpan>[] {
  const { t } = useTranslation('payers');
  const words = useSpanWords();
  return [
    { key: 'from', label: t('payers.months'), sortable: true, render: words },
    {
      key: 'state',
      label: t('payers.state'),
      // used as: 'payers.state_*'
      render: ({ state }) => <StatusBadge tone={stateTones[state]} label={t(`payers.state_${state}`)} />,
    },
    {
      key: 'setAt',
      label: t('payers.set_at'),
      sortable: true,
      show: 'wide',
      render: ({ setAt }) => <Moment at={setAt} />,
    },
    { key: 'setBy', label: t('payers.set_by'), show: 'wide', render: ({ setBy }) => setBy },
  ];
}
