// The four figures at the top: services, this month's cost, balance, quota usage.
import Box from '@mui/material/Box';
import type { Money as Amount } from '#kernel/money.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { Grid } from '#platform/web/ui/Section.tsx';
import { StatCard } from '#platform/web/ui/StatCard.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import type { UserDashboard } from '../../console/contract.ts';
import { CostCard } from './CostCard.tsx';
import type { Seller } from '#features/invoicing/resellers/web/parts.ts';

/** Without the balance for a customer billed by a reseller: what they pay is between the two. */
export function UserFigures({ dashboard, seller }: { dashboard: UserDashboard; seller: Seller }) {
  const { t } = useTranslation('console');
  const format = useFormat();
  const [bill, ...otherBills] = dashboard.current.bills;
  const [funds, ...otherFunds] = dashboard.balance.balances;
  const owed = dashboard.balance.owed.filter((one) => one.minor > 0n);
  const average = dashboard.quotas.averagePercent;
  const months =
    funds &&
    monthsLeft(
      funds,
      [bill, ...otherBills].find((one) => one?.currency === funds.currency),
    );
  const fundsNotes = [
    ...(months === undefined ? [] : [t('user_dashboard.runway', { months: format.number(months) })]),
    ...otherFunds.map((one) =>
      t('user_dashboard.balance_other', { amount: format.money(one), currency: one.currency }),
    ),
    ...(owed.length > 0
      ? [t('user_dashboard.owed', { amount: format.list(owed.map((one) => format.money(one))) })]
      : []),
  ];
  return (
    <Grid columns={seller ? 3 : 4} pairs={!seller}>
      <StatCard
        label={t('user_dashboard.subscribed')}
        value={format.number(dashboard.subscriptions.standing)}
      />
      <CostCard cost={dashboard.statistics} current={dashboard.current} expected={dashboard.expected} />
      {!seller && (
        <StatCard
          label={t('user_dashboard.balance')}
          value={funds && format.moneyShort(funds)}
          {...(fundsNotes.length > 0 && {
            note: fundsNotes.map((one) => (
              <Box key={one} component="span" sx={{ display: 'block' }}>
                {one}
              </Box>
            )),
          })}
        />
      )}
      <StatCard
        label={t('user_dashboard.total_usage')}
        value={
          average !== null
            ? format.percent(average / 100)
            : dashboard.subscriptions.standing === 0
              ? '–'
              : t('billing_dashboard.no_quota')
        }
        note={[
          ...(average === null
            ? []
            : [t('user_dashboard.of_quotas', { count: dashboard.quotas.items.length })]),
          t('user_dashboard.events', { count: dashboard.statistics.events }),
        ].map((one) => (
          <Box key={one} component="span" sx={{ display: 'block' }}>
            {one}
          </Box>
        ))}
      />
    </Grid>
  );
}

/** How many months of last month's cost the balance covers, to a tenth; undefined when either is unknown. */
function monthsLeft(
  funds: Amount,
  bill: UserDashboard['current']['bills'][number] | undefined,
): number | undefined {
  const last = bill?.change?.previousTotal;
  if (!last || last.minor <= 0n || funds.minor <= 0n) return undefined;
  return Number((funds.minor * 10n) / last.minor) / 10;
}
