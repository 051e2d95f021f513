// The current month's cost so far, before tax: the same figure on every page that shows it.
import Box from '@mui/material/Box';
import { subtractMoney } from '#kernel/money.ts';
import { addMonths } from '#kernel/time.ts';
import type { CurrentBill } from '#features/invoicing/billing/contract.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { NoWrap } from '#platform/web/ui/NoWrap.tsx';
import { StatCard, type StatCardProps } from '#platform/web/ui/StatCard.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import type { MonthCost, UserDashboard } from '../../console/contract.ts';

export type CostCardProps = {
  readonly cost: MonthCost;
  readonly current: CurrentBill;
  /** The expected cost of the whole month, if no other card shows it. */
  readonly expected?: UserDashboard['expected'];
};

export function CostCard({ cost, current, expected }: CostCardProps) {
  const { t } = useTranslation('console');
  const format = useFormat();
  const change = useChange(cost);
  const own = current.bills.find(({ net }) => net.currency === cost.currency);
  // A bill also includes late usage, discounts and other terms; if they make a difference, both amounts are
  // shown.
  const isOther = own !== undefined && own.net.minor !== cost.billed.minor;
  const others = current.bills.filter(({ net }) => net.currency !== cost.currency);
  const notes = [
    ...(expected ? [t('billing_dashboard.expected', { amount: format.money(expected) })] : []),
    ...(isOther
      ? [
          t(
            own.lines.some(({ term }) => term !== undefined)
              ? 'billing_dashboard.on_bill_terms'
              : 'billing_dashboard.on_bill',
            { amount: format.money(own.net) },
          ),
        ]
      : []),
    ...others.map(({ net }) =>
      t('billing_dashboard.cost_other', { amount: format.money(net), currency: net.currency }),
    ),
  ];
  return (
    <StatCard
      label={t('billing_dashboard.cost')}
      value={format.moneyShort(cost.billed)}
      change={change}
      {...(notes.length > 0 && {
        note: notes.map((one) => (
          <Box key={one} component="span" sx={{ display: 'block' }}>
            <NoWrap text={one} />
          </Box>
        )),
      })}
    />
  );
}

/** The change from the whole previous month; undefined if that cost nothing. */
function useChange(cost: MonthCost): StatCardProps['change'] {
  const { t } = useTranslation('console');
  const format = useFormat();
  if (cost.previousBilled.minor === 0n) return undefined;
  const { billed, previousBilled, month } = cost;
  const difference = subtractMoney(billed, previousBilled).minor;
  return {
    direction: difference === 0n ? 'flat' : difference > 0n ? 'up' : 'down',
    text: t('billing_dashboard.against', {
      // For display only: the amounts stay exact.
      percent: format.percentChange(Number(difference) / Number(previousBilled.minor)),
      month: format.month(addMonths(month, -1)),
    }),
  };
}
