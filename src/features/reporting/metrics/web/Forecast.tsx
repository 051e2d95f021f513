// The expected revenue of the months after the last closed one, dashed with its range, next to past months.
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { money, type Money as Amount } from '#kernel/money.ts';
import { ChartCard } from '#platform/web/chart/ChartCard.tsx';
import { TimeChart } from '#platform/web/chart/TimeChart.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useParam } from '#platform/web/routing/use-param.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { Money } from '#platform/web/ui/Money.tsx';
import { OpenRow } from '#platform/web/ui/OpenRow.tsx';
import { PlainTable } from '#platform/web/ui/PlainTable.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { Section } from '#platform/web/ui/Section.tsx';
import { tickText } from '#features/metering/usage/web/parts.ts';
import type { ForecastMonth, MetricMonth, MetricSummary } from '../contract.ts';
import { metricsQueries } from './api.ts';
import { ForecastCustomers } from './ForecastCustomers.tsx';
import { drawn } from './metric-words.ts';
import { ReportFiles } from './ReportFiles.tsx';

export function Forecast({ summary }: { summary: MetricSummary }) {
  const { t } = useTranslation('metrics');
  const { currency } = summary;
  const [wanted, setMonth] = useParam('expected-month');
  const query = useQuery(metricsQueries.forecast({ currency }));
  return (
    <QueryState query={query} skeleton={<Lines count={8} />}>
      {(found) => {
        if (found.knownMonths < found.neededMonths)
          return (
            <Section>
              <EmptyState
                title={t('metrics.forecast_few', { needed: found.neededMonths })}
                hint={t('metrics.forecast_few_hint', { known: found.knownMonths })}
              />
            </Section>
          );
        if (found.workedOutAt === null)
          return (
            <Section>
              <EmptyState title={t('metrics.forecast_soon')} hint={t('metrics.forecast_soon_hint')} />
            </Section>
          );
        const chosen = found.months.find(({ month }) => month === wanted) ?? found.months[0];
        return (
          <>
            <ForecastChart summary={summary} months={found.months} />
            <NextMonths
              months={found.months}
              chosen={chosen?.month}
              onMonth={setMonth}
              workedOutAt={found.workedOutAt}
            />
            {chosen && <ForecastCustomers currency={currency} month={chosen.month} />}
          </>
        );
      }}
    </QueryState>
  );
}

const totalOf = (one: MetricMonth): Amount =>
  money(one.recurring.minor + one.usage.minor, one.recurring.currency);
const parts = ['recurring', 'usage'] as const;

function ForecastChart({
  summary: { currency, months: past },
  months,
}: {
  summary: MetricSummary;
  months: readonly ForecastMonth[];
}) {
  const { t } = useTranslation('metrics');
  const format = useFormat();
  const all = [...past, ...months].map(({ month }) => month);
  const between = ({ low, high }: ForecastMonth): string =>
    t('metrics.forecast_between', { low: format.money(low), high: format.money(high) });
  const missing = months.map(() => null);
  // used as: 'metrics.part_recurring', 'metrics.part_usage'
  return (
    <ChartCard
      title={t('metrics.forecast')}
      lead={t('metrics.forecast_lead')}
      actions={<ReportFiles report="forecast" currency={currency} />}
      table={{
        heads: [
          t('metrics.month'),
          ...parts.map((part) => t(`metrics.part_${part}`)),
          t('metrics.total'),
          t('metrics.forecast_range'),
        ],
        rows: [
          ...past.map((one) => [
            format.month(one.month),
            ...parts.map((part) => format.money(one[part])),
            format.money(totalOf(one)),
            '',
          ]),
          ...months.map((one) => [
            `${format.month(one.month)} (${t('metrics.forecast_expected')})`,
            ...parts.map((part) => format.money(one[part])),
            format.money(one.total),
            between(one),
          ]),
        ],
      }}
    >
      <TimeChart
        label={t('metrics.forecast')}
        places={all.map((month) => format.monthShort(month))}
        placeNames={all.map((month) => format.month(month))}
        series={[
          ...parts.map((part) => ({
            key: `revenue-${part}`,
            label: t(`metrics.part_${part}`),
            values: [...past.map((one) => drawn(one[part])), ...missing],
            texts: past.map((one) => format.money(one[part])),
          })),
          {
            key: 'forecast',
            label: t('metrics.forecast_expected'),
            as: 'forecast' as const,
            values: [...past.map(() => null), ...months.map((one) => drawn(one.total))],
            texts: [
              ...past.map(() => ''),
              ...months.map((one) => `${format.money(one.total)} (${between(one)})`),
            ],
            band: [
              ...past.map(() => null),
              ...months.map((one) => ({ low: drawn(one.low), high: drawn(one.high) })),
            ],
          },
        ]}
        formatTick={tickText(format, currency)}
      />
    </ChartCard>
  );
}

function NextMonths({
  months,
  chosen,
  onMonth,
  workedOutAt,
}: {
  months: readonly ForecastMonth[];
  /** The month whose customers are listed. */
  chosen: string | undefined;
  onMonth: (month: string) => void;
  workedOutAt: Date;
}) {
  const { t } = useTranslation('metrics');
  const format = useFormat();
  return (
    <Section title={t('metrics.forecast_next')} flush>
      <PlainTable
        label={t('metrics.forecast_next')}
        words={1}
        heads={[
          t('metrics.month'),
          t('metrics.forecast_expected'),
          t('metrics.forecast_range'),
          t('metrics.part_recurring'),
          t('metrics.part_usage'),
        ]}
        rows={months.map((one) => ({
          key: one.month,
          cells: [
            <OpenRow key="month" isPanel={false} onOpen={() => onMonth(one.month)}>
              {one.month === chosen ? <strong>{format.month(one.month)}</strong> : format.month(one.month)}
            </OpenRow>,
            <Money key="total" amount={one.total} strong />,
            t('metrics.forecast_between', { low: format.money(one.low), high: format.money(one.high) }),
            <Money key="recurring" amount={one.recurring} />,
            <Money key="usage" amount={one.usage} />,
          ],
        }))}
      />
      <Stack sx={{ gap: 1, padding: { xs: '12px 16px 16px', sm: '12px 24px 20px' } }}>
        {/* used as: 'metrics.forecast_about_*' */}
        {(['recurring', 'usage', 'range'] as const).map((about) => (
          <Typography key={about} variant="body2" color="textSecondary">
            {t(`metrics.forecast_about_${about}`, { time: format.dateTime(workedOutAt) })}
          </Typography>
        ))}
      </Stack>
    </Section>
  );
}
