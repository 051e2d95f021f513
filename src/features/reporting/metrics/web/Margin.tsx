// What customers or services were charged, what they cost as far as known, and the margin.
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { Link as RouterLink } from 'react-router';
import { isId, type Id } from '#kernel/ids.ts';
import type { Out } from '#kernel/contract.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useAddressParams } from '#platform/web/routing/address-params.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { DataTable } from '#platform/web/ui/DataTable.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import type { Column } from '#platform/web/ui/list-parts.ts';
import { Money } from '#platform/web/ui/Money.tsx';
import { Grid } from '#platform/web/ui/Section.tsx';
import { SelectBox } from '#platform/web/ui/SelectBox.tsx';
import { StatCard } from '#platform/web/ui/StatCard.tsx';
import { useTableState } from '#platform/web/ui/table-state.ts';
import type { MarginBy, MarginRow, MarginSpan, MetricSummary, metrics } from '../contract.ts';
import { metricsQueries } from './api.ts';
import { MarginLines } from './MarginLines.tsx';
import { costMoney, percentOf } from './metric-words.ts';
import { MonthBox, OfMonth } from './MonthChoice.tsx';
import { ReportFiles } from './ReportFiles.tsx';

export function Margin({ summary }: { summary: MetricSummary }) {
  return (
    <OfMonth months={summary.months}>{({ month }) => <MarginOf summary={summary} month={month} />}</OfMonth>
  );
}

function MarginOf({ summary: { currency, months }, month }: { summary: MetricSummary; month: BillingMonth }) {
  const { t } = useTranslation('metrics');
  const format = useFormat();
  const [wantedSpan, setSpan] = useParam('span');
  const [wantedBy, setBy] = useParam('by');
  const [, setOpened] = useParam('margin-of');
  const span: MarginSpan = wantedSpan === 'year' ? 'year' : 'month';
  const by: MarginBy = wantedBy === 'service' ? 'service' : 'customer';
  const [service, setService] = useParam('service');
  const [, setParams] = useAddressParams();
  const serviceId: Id<'svc'> | 'none' | undefined =
    service === 'none' ? 'none' : isId('svc', service) ? service : undefined;
  const state = useTableState({ prefix: 'margin-', sort: '-revenue' });
  const asked = { currency, month, span } as const;
  const ofService = by === 'customer' && serviceId !== undefined ? { serviceId } : {};
  const query = usePagedQuery(metricsQueries.margin({ ...asked, by, ...ofService, ...state.query }));
  // For the names in the service filter.
  const services = useQuery(metricsQueries.margin({ ...asked, by: 'service', limit: 100 }));
  const nameOf = (row: MarginRow): string => (row.id === '' ? t('metrics.no_service') : row.name);
  const open = (row: MarginRow) => {
    if (by === 'customer') return setOpened(row.id);
    // A service opens its customers, and a customer its lines.
    return setParams((now) => {
      const next = new URLSearchParams(now);
      next.delete('by');
      next.set('service', row.id === '' ? 'none' : row.id);
      return next;
    });
  };
  const columns = useMarginColumns(by, nameOf);
  const found = query.data;
  // used as: 'metrics.margin_lead_month', 'metrics.margin_lead_year', 'metrics.margin_span_*', 'metrics.margin_by_*', 'metrics.margin_search_*'
  const filters = (
    <>
      <MonthBox months={months} month={month} />
      <SelectBox
        label={t('metrics.margin_span')}
        value={span}
        options={(['month', 'year'] as const).map((one) => ({
          value: one,
          label: t(`metrics.margin_span_${one}`),
        }))}
        onChange={(next) => setSpan(next === 'year' ? next : undefined)}
      />
      <SelectBox
        label={t('metrics.margin_by')}
        value={by}
        options={(['customer', 'service'] as const).map((one) => ({
          value: one,
          label: t(`metrics.margin_by_${one}`),
        }))}
        onChange={(next) => setBy(next === 'service' ? next : undefined)}
      />
      {by === 'customer' && (
        <SelectBox
          label={t('metrics.service')}
          value={serviceId ?? ''}
          options={[
            { value: '', label: t('metrics.all_services') },
            ...(services.data?.items ?? []).map((one) => ({
              value: one.id === '' ? 'none' : one.id,
              label: nameOf(one),
            })),
          ]}
          onChange={(next) => setService(next === '' ? undefined : next)}
        />
      )}
    </>
  );
  return (
    <>
      {found && <Figures totals={found.totals} isWhole={found.billed.minor === found.totals.revenue.minor} />}
      {found?.totals.isCostLacking === true && (
        <Alert
          severity="warning"
          action={
            <Button color="inherit" size="small" component={RouterLink} to="/admin/cost-imports">
              {t('metrics.margin_imports')}
            </Button>
          }
        >
          {t('metrics.margin_lacking')}
        </Alert>
      )}
      <DataTable
        key={by}
        list={`finance-margin-${by}`}
        label={t('metrics.margin')}
        title={t('metrics.margin')}
        lead={t(`metrics.margin_lead_${span}`, {
          month: format.month(month),
          from: found ? format.month(found.from) : '',
        })}
        columns={columns}
        query={query}
        state={state}
        rowKey={(row) => row.id}
        rowName={nameOf}
        onRowClick={open}
        isPanel={by === 'customer'}
        searchLabel={t(`metrics.margin_search_${by}`)}
        moreFilters={filters}
        toolbar={<ReportFiles report="margin" {...asked} by={by} />}
        empty={<EmptyState compact title={t('metrics.margin_empty')} hint={t('metrics.margin_empty_hint')} />}
      />
      <MarginLines of={{ ...asked, ...ofService }} />
    </>
  );
}

function Figures({
  totals,
  isWhole,
}: {
  totals: Out<typeof metrics.margin>['totals'];
  /** Whether these are all rows of the months, so that their revenue equals the overview's. */
  isWhole: boolean;
}) {
  const { t } = useTranslation('metrics');
  const format = useFormat();
  const { revenue, cost, margin, percent, knownShare, knownRevenue } = totals;
  const { currency } = revenue;
  return (
    <Grid columns={4} pairs>
      <StatCard
        label={t('metrics.margin_revenue')}
        value={format.moneyShort(revenue)}
        note={t(isWhole ? 'metrics.margin_revenue_same' : 'metrics.margin_revenue_about')}
      />
      <StatCard
        label={t('metrics.margin_cost')}
        value={cost === null ? t('metrics.cost_unknown') : format.moneyShort(costMoney(cost, currency))}
        note={t('metrics.margin_cost_about')}
      />
      <StatCard
        label={t('metrics.margin')}
        value={percentOf(percent, format)}
        note={
          margin === null
            ? t('metrics.margin_none_about')
            : t('metrics.margin_percent_about', { amount: format.money(costMoney(margin, currency)) })
        }
      />
      <StatCard
        label={t('metrics.margin_known')}
        value={percentOf(knownShare, format)}
        note={t('metrics.margin_known_about', { amount: format.money(knownRevenue) })}
      />
    </Grid>
  );
}

function useMarginColumns(by: MarginBy, nameOf: (row: MarginRow) => string): readonly Column<MarginRow>[] {
  const { t } = useTranslation('metrics');
  const format = useFormat();
  return [
    {
      key: 'name',
      // used as: 'metrics.margin_by_*'
      label: t(`metrics.margin_by_${by}`),
      sortable: true,
      card: 'title',
      render: nameOf,
    },
    {
      key: 'revenue',
      label: t('metrics.margin_revenue'),
      align: 'right',
      sortable: true,
      render: (row) => <Money amount={row.revenue} />,
    },
    {
      key: 'knownShare',
      label: t('metrics.known_share'),
      align: 'right',
      render: (row) => <span className="tabular">{percentOf(row.knownShare, format)}</span>,
    },
    {
      key: 'cost',
      label: t('metrics.margin_cost'),
      align: 'right',
      sortable: true,
      render: ({ cost, revenue, isCostLacking }) => (
        <>
          {cost === null ? (
            <Typography component="span" variant="body2" color="textSecondary">
              {t('metrics.cost_unknown')}
            </Typography>
          ) : (
            <Money amount={costMoney(cost, revenue.currency)} />
          )}
          {isCostLacking && (
            <Typography component="div" variant="caption" color="textSecondary">
              {t('metrics.cost_lacking')}
            </Typography>
          )}
        </>
      ),
    },
    {
      key: 'margin',
      label: t('metrics.margin'),
      align: 'right',
      sortable: true,
      render: ({ margin, revenue }) =>
        margin === null ? '–' : <Money amount={costMoney(margin, revenue.currency)} />,
    },
    {
      key: 'percent',
      label: t('metrics.margin_percent'),
      align: 'right',
      render: (row) => <span className="tabular">{percentOf(row.percent, format)}</span>,
    },
  ];
}
