// What each customer was charged for a month, and the share of the largest.
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Money } from '#platform/web/ui/Money.tsx';
import { Grid, Section } from '#platform/web/ui/Section.tsx';
import { SelectBox } from '#platform/web/ui/SelectBox.tsx';
import { StatCard } from '#platform/web/ui/StatCard.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import type { CustomerRevenue, MetricMonth, MetricSummary } from '../contract.ts';
import { metricsQueries } from './api.ts';
import { percentOf } from './metric-words.ts';
import { ReportFiles } from './ReportFiles.tsx';
import { useOpenLines } from './use-open-lines.ts';

export function Customers({ summary }: { summary: MetricSummary }) {
  const { t } = useTranslation('metrics');
  const [wanted, setMonth] = useParam('month');
  const chosen = summary.months.find(({ month }) => month === wanted) ?? summary.months.at(-1);
  if (!chosen)
    return (
      <Section>
        <EmptyState title={t('metrics.empty')} hint={t('metrics.empty_hint')} />
      </Section>
    );
  return <OfMonth summary={summary} chosen={chosen} onMonth={setMonth} />;
}

function OfMonth({
  summary: { currency, months },
  chosen: { month },
  onMonth,
}: {
  summary: MetricSummary;
  chosen: MetricMonth;
  onMonth: (month: string) => void;
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
        moreFilters={
          <SelectBox
            label={t('metrics.month')}
            value={month}
            options={months
              .toReversed()
              .map((one) => ({ value: one.month as string, label: format.month(one.month) }))}
            onChange={onMonth}
          />
        }
        toolbar={<ReportFiles report="customers" currency={currency} month={month} />}
        empty={<EmptyState compact title={t('metrics.no_customers')} hint={t('metrics.no_customers_hint')} />}
      />
    </>
  );
}
