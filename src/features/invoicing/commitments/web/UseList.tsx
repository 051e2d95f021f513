// What bills drew from a commitment, newest first.
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { AmountList } from '#platform/web/ui/AmountList.tsx';
import { Moment } from '#platform/web/ui/Money.tsx';
import type { Use } from '../contract.ts';

export function UseList({ uses }: { uses: readonly Use[] }) {
  const { t } = useTranslation('commitments');
  const format = useFormat();
  return (
    <AmountList
      none={t('commitments.no_uses')}
      entries={uses.map(({ bill, month, drawn, trueUp, isSettlement, at, releasedAt }) => ({
        key: bill.id,
        what: (
          <>
            <Link component={RouterLink} to={`/admin/billing?bill=${bill.id}`} className="tabular">
              {bill.number}
            </Link>
            {` · ${format.month(month)}`}
            {isSettlement && ` · ${t('commitments.use_settles')}`}
          </>
        ),
        amount: format.money(drawn),
        note: releasedAt ? t('commitments.use_voided') : <Moment at={at} as="dateTime" />,
        amountNote: trueUp.minor !== 0n && t('commitments.use_true_up', { amount: format.money(trueUp) }),
        isOver: releasedAt !== null,
      }))}
    />
  );
}
