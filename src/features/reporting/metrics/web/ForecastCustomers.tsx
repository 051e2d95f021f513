// The customers behind a month of the forecast; each opens the fees and the usage of its share.
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { Link as RouterLink } from 'react-router';
import { isId, type Id } from '#kernel/ids.ts';
import { sumMoney, type Currency } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Money } from '#platform/web/ui/Money.tsx';
import { PlainTable } from '#platform/web/ui/PlainTable.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { SidePanel } from '#platform/web/ui/SidePanel.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import { billingPaths } from '#features/invoicing/billing/contract.ts';
import type { ForecastCustomer } from '../contract-forecast.ts';
import { metricsQueries } from './api.ts';

export function ForecastCustomers({ currency, month }: { currency: Currency; month: BillingMonth }) {
  const { t } = useTranslation('metrics');
  const format = useFormat();
  const [open, setOpen] = useParam('expected-of');
  const state = useTableState({ prefix: 'expected-', sort: '-total' });
  const query = usePagedQuery(metricsQueries.forecastCustomers({ currency, month, ...state.query }));
  const money = (key: 'total' | 'recurring' | 'usage', label: string): Column<ForecastCustomer> => ({
    key,
    label,
    align: 'right',
    sortable: true,
    render: (one) => <Money amount={one[key]} />,
  });
  const { since, until, items } = query.data ?? {};
  const opened = items?.find((one) => one.organizationId === open)?.organization;
  const title = t('metrics.forecast_customers', { month: format.month(month) });
  return (
    <>
      <DataTable
        list="finance-forecast"
        label={title}
        title={title}
        lead={
          since && until
            ? t('metrics.forecast_customers_lead', { since: format.month(since), until: format.month(until) })
            : ''
        }
        columns={[
          {
            key: 'organization',
            label: t('metrics.organization'),
            sortable: true,
            card: 'title',
            render: (one) => one.organization,
          },
          money('recurring', t('metrics.part_recurring')),
          {
            key: 'used',
            label: t('metrics.forecast_used'),
            align: 'right',
            show: 'wide',
            render: (one) => <Money amount={one.used} />,
          },
          money('usage', t('metrics.part_usage')),
          money('total', t('metrics.forecast_expected')),
        ]}
        query={query}
        state={state}
        rowKey={(one) => one.organizationId}
        rowName={(one) => one.organization}
        onRowClick={(one) => setOpen(one.organizationId)}
        searchLabel={t('metrics.search')}
        empty={<EmptyState compact title={t('metrics.no_customers')} hint={t('metrics.no_customers_hint')} />}
      />
      {isId('org', open) && (
        <SidePanel
          open
          title={opened === undefined ? format.month(month) : `${opened} · ${format.month(month)}`}
          onClose={() => setOpen(undefined)}
          width={720}
        >
          <OfCustomer currency={currency} month={month} organizationId={open} />
        </SidePanel>
      )}
    </>
  );
}

function OfCustomer(of: { currency: Currency; month: BillingMonth; organizationId: Id<'org'> }) {
  const { t } = useTranslation('metrics');
  const format = useFormat();
  const query = useQuery(metricsQueries.forecastLines(of));
  return (
    <QueryState query={query} skeleton={<Lines count={4} />}>
      {({ fees, used }) => (
        <Stack sx={{ gap: 3 }}>
          <Stack sx={{ gap: 1 }}>
            <Typography variant="h3">{t('metrics.part_recurring')}</Typography>
            <Typography variant="body2" color="textSecondary">
              {t('metrics.forecast_fees_lead')}
            </Typography>
            {fees.length === 0 ? (
              <EmptyState compact title={t('metrics.lines_empty')} />
            ) : (
              <PlainTable
                label={t('metrics.part_recurring')}
                words={2}
                heads={[t('metrics.line'), t('metrics.bill'), t('metrics.amount')]}
                rows={fees.map((one, index) => ({
                  key: `${index}`,
                  cells: [
                    one.serviceName,
                    one.bill === null ? (
                      <Box key="bill" component="span" sx={{ whiteSpace: 'normal' }}>
                        {t('metrics.forecast_planned_bill', { month: format.month(one.billMonth) })}
                      </Box>
                    ) : (
                      <Link
                        key="bill"
                        component={RouterLink}
                        to={`${billingPaths.admin}?bill=${one.bill.id}`}
                      >
                        {one.bill.number}
                      </Link>
                    ),
                    <Money key="amount" amount={one.amount} />,
                  ],
                }))}
                total={{
                  key: 'total',
                  cells: [
                    t('metrics.total'),
                    '',
                    <Money
                      key="amount"
                      amount={sumMoney(
                        fees.map(({ amount }) => amount),
                        of.currency,
                      )}
                      strong
                    />,
                  ],
                }}
              />
            )}
          </Stack>
          <Stack sx={{ gap: 1 }}>
            <Typography variant="h3">{t('metrics.forecast_used')}</Typography>
            <Typography variant="body2" color="textSecondary">
              {t('metrics.forecast_used_lead')}
            </Typography>
            <PlainTable
              label={t('metrics.forecast_used')}
              words={1}
              heads={[t('metrics.month'), t('metrics.part_usage')]}
              rows={used.map((one) => ({
                key: one.month,
                cells: [
                  <Link
                    key="month"
                    component={RouterLink}
                    to={`?view=customers&currency=${of.currency}&month=${one.month}`}
                  >
                    {format.month(one.month)}
                  </Link>,
                  <Money key="amount" amount={one.amount} />,
                ],
              }))}
            />
          </Stack>
        </Stack>
      )}
    </QueryState>
  );
}
