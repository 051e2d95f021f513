// The lines of bills and credit notes behind a customer's revenue of a month, in a panel.
import Link from '@mui/material/Link';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { Link as RouterLink } from 'react-router';
import { isId, type Id } from '#kernel/ids.ts';
import { sumMoney, type Currency } from '#kernel/money.ts';
import { isMonth, type BillingMonth } from '#kernel/shape.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useAddressParams } from '#platform/web/routing/address-params.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Money } from '#platform/web/ui/Money.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import { billingPaths } from '#features/invoicing/billing/contract.ts';
import { metricsQueries } from './api.ts';
import { PlainTable } from '#platform/web/ui/PlainTable.tsx';
import { linesParams } from './use-open-lines.ts';

export function RevenueLines({ currency }: { currency: Currency }) {
  const { t } = useTranslation('metrics');
  const format = useFormat();
  const [params, setParams] = useAddressParams();
  const [customer, month] = linesParams.map((name) => params.get(name) ?? undefined);
  const close = () =>
    setParams(
      (now) => {
        const next = new URLSearchParams(now);
        for (const name of linesParams) next.delete(name);
        return next;
      },
      { preventScrollReset: true },
    );
  if (!isId('org', customer) || !isMonth(month)) return null;
  return (
    <SidePanel open title={format.month(month)} onClose={close} width={720}>
      <Typography variant="body2" color="textSecondary" sx={{ marginBottom: 2 }}>
        {t('metrics.lines_lead')}
      </Typography>
      <OfMonth currency={currency} organizationId={customer} month={month} />
    </SidePanel>
  );
}

function OfMonth(of: { currency: Currency; organizationId: Id<'org'>; month: BillingMonth }) {
  const { t } = useTranslation('metrics');
  const { t: billing } = useTranslation('billing');
  const query = useQuery(metricsQueries.lines(of));
  // used as: 'billing.kind_*', 'metrics.part_*'
  return (
    <QueryState query={query} skeleton={<Lines count={4} />}>
      {({ items }) =>
        items.length === 0 ? (
          <EmptyState compact title={t('metrics.lines_empty')} />
        ) : (
          <PlainTable
            label={t('metrics.lines_lead')}
            words={3}
            heads={[t('metrics.bill'), t('metrics.line'), t('metrics.part'), t('metrics.amount')]}
            rows={items.map((one) => ({
              key: `${one.billId}-${one.position}`,
              cells: [
                <Link key="bill" component={RouterLink} to={`${billingPaths.admin}?bill=${one.billId}`}>
                  {one.billNumber}
                </Link>,
                <Stack key="line" sx={{ whiteSpace: 'normal' }}>
                  <span>{one.serviceName || billing(`billing.kind_${one.kind}`)}</span>
                  {one.serviceName !== '' && (
                    <Typography variant="caption" color="textSecondary">
                      {billing(`billing.kind_${one.kind}`)}
                    </Typography>
                  )}
                </Stack>,
                t(`metrics.part_${one.part}`),
                <Money key="amount" amount={one.amount} />,
              ],
            }))}
            total={{
              key: 'total',
              cells: [
                t('metrics.total'),
                '',
                '',
                <Money
                  key="amount"
                  amount={sumMoney(
                    items.map(({ amount }) => amount),
                    of.currency,
                  )}
                  strong
                />,
              ],
            }}
          />
        )
      }
    </QueryState>
  );
}
