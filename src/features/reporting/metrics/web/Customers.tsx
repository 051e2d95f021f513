// What each customer was charged for a month, and the share of the largest.
import type { BillingMonth } from '#kernel/shape.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Money } from '#platform/web/ui/Money.tsx';
import { Grid } from '#platform/web/ui/Section.tsx';
import { StatCard } from '#platform/web/ui/StatCard.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import type { CustomerRevenue, MetricSummary } from '../contract.ts';
import { metricsQueries } from './api.ts';
import { percentOf } from './metric-words.ts';
import { MonthBox, OfMonth } from './MonthChoice.tsx';
import { ReportFiles } from './ReportFiles.tsx';
import { useOpenLines } from './use-open-lines.ts';

export function Customers({ summary }: { summary: MetricSummary }) {
  return (
    <OfMonth months={summary.months}>
      {({ month }) => <CustomersOf summary={summary} month={month} />}
    </OfMonth>
  );
}

function CustomersOf({
  summary: { currency, months },
  month,
}: {
  summary: MetricSummary;
  month: BillingMonth;
}) {
  const { t } = useTranslation('metrics');
  const format = useFormat();
  const openLines = useOpenLines();
  const state = useTableState({ prefix: 'top-', sort: '-total' });
  const query = usePagedQuery(metricsQueries.customers({ currency, month, ...state.query }));
  const open = (one: CustomerRevenue) => openLines(one.organizationId, month);
  const name = format.month(month);
  const amount = (key: 'recurring' | 'usage' | 'once' | 'total', label: string): Column<CustomerRevenue> => ({
    key,
    label,
    align: 'right',
    sortable: key !== 'once',
    render: (one) => <Money amount={one[key]} />,
  });
  const columns: readonly Column<CustomerRevenue>[] = [
    {
      key: 'organization',
      label: t('metrics.organization'),
      sortable: true,
      card: 'title',
      render: (one) => one.organization,
    },
    amount('recurring', t('metrics.part_recurring')),
    amount('usage', t('metrics.part_usage')),
    amount('once', t('metrics.part_once')),
    amount('total', t('metrics.total')),
    {
      key: 'share',
      label: t('metrics.share'),
      align: 'right',
      render: (one) => <span className="tabular">{percentOf(one.share, format)}</span>,
    },
  ];
  return (
    <>
      <Grid columns={3} pairs>
        {(query.data?.concentration ?? []).map((one) => (
          <StatCard
            key={one.customers}
            label={
              one.customers === 1
                ? t('metrics.biggest_customer')
                : t('metrics.biggest', { count: one.customers })
            }
            value={percentOf(one.percent, format)}
            note={t('metrics.concentration_about', { month: name })}
          />
        ))}
      </Grid>
      <DataTable
        list="finance-customers"
        label={t('metrics.top')}
        title={t('metrics.top')}
        lead={t('metrics.top_lead', { month: name })}
        columns={columns}
        query={query}
        state={state}
        rowKey={(one) => one.organizationId}
        rowName={(one) => one.organization}
        onRowClick={open}
        searchLabel={t('metrics.search')}
        moreFilters={<MonthBox months={months} month={month} />}
        toolbar={<ReportFiles report="customers" currency={currency} month={month} />}
        empty={<EmptyState compact title={t('metrics.no_customers')} hint={t('metrics.no_customers_hint')} />}
      />
    </>
  );
}
