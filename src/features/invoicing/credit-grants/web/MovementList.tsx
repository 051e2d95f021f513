// The movements of a grant, newest first: what happened, for which month or bill, and the amount left.
import Link from '@mui/material/Link';
import { Link as RouterLink } from 'react-router';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { AmountList } from '#platform/web/ui/AmountList.tsx';
import { Moment } from '#platform/web/ui/Money.tsx';
import type { Movement } from '../contract.ts';

export function MovementList({ movements }: { movements: readonly Movement[] }) {
  const { t } = useTranslation('creditgrants');
  const format = useFormat();
  // used as: 'creditgrants.moved_*'
  return (
    <AmountList
      reversed
      none={t('creditgrants.no_movements')}
      entries={movements.toReversed().map((movement) => ({
        key: movement.id,
        what: (
          <>
            {t(`creditgrants.moved_${movement.kind}`)}
            {movement.bill && (
              <>
                {' · '}
                <Link
                  component={RouterLink}
                  to={`/admin/billing?bill=${movement.bill.id}`}
                  className="tabular"
                >
                  {movement.bill.number}
                </Link>
              </>
            )}
          </>
        ),
        amount: format.moneyChange(movement.amount),
        note: (
          <>
            <Moment at={movement.at} as="dateTime" />
            {` · ${format.month(movement.month)}`}
            {movement.by !== null && ` · ${movement.by}`}
          </>
        ),
        amountNote: t('creditgrants.left_after', { amount: format.money(movement.after) }),
      }))}
    />
  );
}
