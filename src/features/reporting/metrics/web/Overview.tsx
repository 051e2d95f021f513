// The first page of finance: five figures with their definitions, the movements of recurring revenue, and
// other charges.
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router';
import { money, type Money as Amount } from '#kernel/money.ts';
import { ChartCard } from '#platform/web/chart/ChartCard.tsx';
import { TimeChart } from '#platform/web/chart/TimeChart.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { Grid, Section } from '#platform/web/ui/Section.tsx';
import { StatCard } from '#platform/web/ui/StatCard.tsx';
import { tickText } from '#features/metering/usage/web/parts.ts';
import { movementKinds, revenueParts, type MetricMonth, type MetricSummary } from '../contract.ts';
import { drawn, monthBefore, percentOf, pointsBetween, yearBefore } from './metric-words.ts';
import { OfMonth } from './MonthChoice.tsx';
import { MonthMovements } from './MonthMovements.tsx';
import { ProofLine } from './ProofLine.tsx';
import { ReportFiles } from './ReportFiles.tsx';

export function Overview({ summary }: { summary: MetricSummary }) {
  const { months, isConsolidated } = summary;
  return (
    <>
      <Lacking summary={summary} />
      <OfMonth months={months}>
        {(chosen, last) => (
          <>
            <Figures summary={summary} last={last} />
            <MovementChart summary={summary} chosen={chosen} />
            <MonthMovements month={chosen} months={months} isConsolidated={isConsolidated} />
            <RevenueChart summary={summary} last={last} />
          </>
        )}
      </OfMonth>
    </>
  );
}

function Figures({ summary, last }: { summary: MetricSummary; last: MetricMonth }) {
  const { t } = useTranslation('metrics');
  const format = useFormat();
  const { currency, months, yearRetention, previousYearRetention, overdue, receivable } = summary;
  const before = months.at(-2);
  const month = format.month(last.month);
  const earlier = format.month(monthBefore(last.month));
  const moved = (now: Amount, then: Amount) => {
    const change = now.minor - then.minor;
    return {
      direction: change === 0n ? ('flat' as const) : change > 0n ? ('up' as const) : ('down' as const),
      text: t('metrics.against', { change: format.moneyChange(money(change, currency)), month: earlier }),
    };
  };
  const points = (now: string | null, then: string | null | undefined, key: 'against' | 'against_year') => {
    const found = pointsBetween(now, then ?? null);
    return (
      found && {
        change: {
          direction: found.direction,
          text: t(`metrics.${key}`, {
            change: t('metrics.points', { points: found.text }),
            month: earlier,
          }),
        },
      }
    );
  };
  const yearly = (amount: Amount): Amount => money(amount.minor * 12n, amount.currency);
  return (
    <Grid columns={5}>
      <StatCard
        label={t('metrics.mrr')}
        value={format.moneyShort(last.recurring)}
        change={moved(last.recurring, last.opening)}
        note={t('metrics.mrr_about', { month })}
      />
      <StatCard
        label={t('metrics.arr')}
        value={format.moneyShort(yearly(last.recurring))}
        change={moved(yearly(last.recurring), yearly(last.opening))}
        note={t('metrics.arr_about')}
      />
      {/* used as: 'metrics.against', 'metrics.against_year' */}
      <StatCard
        label={t('metrics.nrr')}
        value={percentOf(yearRetention, format)}
        {...points(yearRetention, previousYearRetention, 'against_year')}
        note={
          yearRetention === null
            ? t('metrics.nrr_none')
            : t('metrics.nrr_about', { month: format.month(yearBefore(last.month)) })
        }
      />
      <StatCard
        label={t('metrics.churn')}
        value={percentOf(last.customerChurn, format)}
        {...points(last.customerChurn, before?.customerChurn, 'against')}
        note={t('metrics.churn_about', {
          month: earlier,
          revenue: percentOf(last.revenueChurn, format),
        })}
      />
      {/* The fifth card in a grid of pairs spans the row. */}
      <Box sx={{ display: 'grid', minWidth: 0, gridColumn: { xs: '1 / -1', lg: 'auto' } }}>
        <StatCard
          label={t('metrics.overdue')}
          value={overdue === null ? '–' : format.moneyShort(overdue)}
          note={
            receivable === null
              ? t('metrics.no_rate')
              : t('metrics.overdue_about', { total: format.money(receivable) })
          }
        />
      </Box>
    </Grid>
  );
}

/** Months that are omitted because rates are missing. */
function Lacking({ summary: { lacking, isConsolidated, currency } }: { summary: MetricSummary }) {
  const { t } = useTranslation('metrics');
  const format = useFormat();
  const last = lacking.at(-1);
  if (!isConsolidated || !last) return null;
  return (
    <Alert
      severity="warning"
      action={
        <Button color="inherit" size="small" component={RouterLink} to="/admin/exchange-rates">
          {t('metrics.consolidated_set')}
        </Button>
      }
    >
      {t('metrics.all_currencies_lacking', {
        currency,
        currencies: format.list([...new Set(lacking.map((one) => one.currency))]),
        month: format.month(last.month),
      })}
    </Alert>
  );
}

function MovementChart({
  summary: { currency, months, isConsolidated },
  chosen,
}: {
  summary: MetricSummary;
  chosen: MetricMonth;
}) {
  const { t } = useTranslation('metrics');
  const format = useFormat();
  const [, setMonth] = useParam('month');
  // used as: 'metrics.kind_*'
  const of = (one: MetricMonth, kind: (typeof movementKinds)[number] | 'exchange'): Amount =>
    kind === 'exchange'
      ? one.exchange
      : (one.movements.find((moved) => moved.kind === kind)?.amount ?? money(0n, currency));
  const kinds = isConsolidated ? ([...movementKinds, 'exchange'] as const) : movementKinds;
  return (
    <ChartCard
      title={t('metrics.movements')}
      lead={t('metrics.movements_lead')}
      actions={
        <ReportFiles report="months" currency={currency} {...(isConsolidated && { consolidated: true })} />
      }
      table={{
        heads: [t('metrics.month'), ...kinds.map((kind) => t(`metrics.kind_${kind}`)), t('metrics.mrr')],
        rows: months.map((one) => [
          format.month(one.month),
          ...kinds.map((kind) => format.moneyChange(of(one, kind))),
          format.money(one.recurring),
        ]),
      }}
    >
      <TimeChart
        label={t('metrics.movements')}
        places={months.map(({ month }) => format.monthShort(month))}
        placeNames={months.map(({ month }) => format.month(month))}
        series={kinds.map((kind) => ({
          key: `metric-${kind}`,
          label: t(`metrics.kind_${kind}`),
          values: months.map((one) => drawn(of(one, kind))),
          texts: months.map((one) => format.moneyChange(of(one, kind))),
          isSigned: true,
        }))}
        totals={months.map((one) => format.money(one.recurring))}
        totalLabel={t('metrics.mrr')}
        formatTick={tickText(format, currency)}
        selected={months.indexOf(chosen)}
        onSelect={(index) => {
          const month = months[index]?.month;
          if (month) setMonth(month);
        }}
      />
    </ChartCard>
  );
}

function RevenueChart({ summary, last }: { summary: MetricSummary; last: MetricMonth }) {
  const { t } = useTranslation('metrics');
  const format = useFormat();
  const { currency, months, proof } = summary;
  // used as: 'metrics.part_recurring', 'metrics.part_usage', 'metrics.part_once'
  return (
    <>
      <ChartCard
        title={t('metrics.revenue')}
        lead={t('metrics.revenue_lead')}
        table={{
          heads: [t('metrics.month'), ...revenueParts.map((part) => t(`metrics.part_${part}`))],
          rows: months.map((one) => [
            format.month(one.month),
            ...revenueParts.map((part) => format.money(one[part])),
          ]),
        }}
      >
        <TimeChart
          label={t('metrics.revenue')}
          places={months.map(({ month }) => format.monthShort(month))}
          placeNames={months.map(({ month }) => format.month(month))}
          series={revenueParts.map((part) => ({
            key: `revenue-${part}`,
            label: t(`metrics.part_${part}`),
            values: months.map((one) => drawn(one[part])),
            texts: months.map((one) => format.money(one[part])),
          }))}
          totals={months.map((one) =>
            format.money(money(one.recurring.minor + one.usage.minor + one.once.minor, currency)),
          )}
          totalLabel={t('metrics.total')}
          formatTick={tickText(format, currency)}
        />
      </ChartCard>
      <Section title={t('metrics.average')} flush>
        <Typography variant="kpi" component="p" sx={{ paddingInline: { xs: '16px', sm: '24px' } }}>
          {last.average === null ? '–' : format.money(last.average)}
        </Typography>
        <Typography variant="body2" color="textSecondary" sx={{ paddingInline: { xs: '16px', sm: '24px' } }}>
          {t('metrics.average_about', { month: format.month(last.month), count: last.customers })}
        </Typography>
        {proof && <ProofLine proof={proof} about="revenue" />}
      </Section>
    </>
  );
}
