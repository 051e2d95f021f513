// The usage of one subscription in the current month by day, with a link to its events.
import { inLanguage } from '#kernel/language.ts';
import { useQuery } from '@tanstack/react-query';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { Link } from 'react-router';
import type { Id } from '#kernel/ids.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { ChartCard } from '#platform/web/chart/ChartCard.tsx';
import { TimeChart } from '#platform/web/chart/TimeChart.tsx';
import { useLanguage, useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { dayNow, monthNow } from '#platform/web/time/months.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { usagePaths } from '../contract.ts';
import type { DailyCharge, DailyUsage } from '../contract.ts';
import { SubscriptionCharges } from './ChargeUsage.tsx';
import { tickText } from './cost-texts.ts';
import { usageKey, usageQueries } from './api.ts';
import { useMonthSums } from './month-sums.ts';
import { daysUpTo } from './usage-view.ts';

export type SubscriptionMonthProps = { readonly subscriptionId: Id<'sub'>; readonly serviceId: Id<'svc'> };

export function SubscriptionMonth({ subscriptionId, serviceId }: SubscriptionMonthProps) {
  const { t } = useTranslation('usage');
  const format = useFormat();
  const zone = useBrand((brand) => brand.timeZone);
  const month = monthNow(zone);
  const query = useQuery(usageQueries.daily({ ...daysUpTo(month, dayNow(zone)), serviceId }));
  useLive('usage', [usageKey('daily'), usageKey('charges')]);
  const { days = [], series = [] } = query.data ?? {};
  const ownSeries = series.find((one) => one.subscriptionId === subscriptionId);
  const texts = ownSeries?.quantities.map((quantity) => format.quantity(quantity, ownSeries.unit)) ?? [];
  // A rate card with only fees has no usage to draw; any other is drawn by charge.
  const charges = useQuery(usageQueries.charges({ subscriptionId })).data?.charges ?? [];
  if (charges.length > 0)
    return (
      <Stack sx={{ gap: 2 }}>
        <SubscriptionCharges subscriptionId={subscriptionId} />
        {charges.some(({ kind }) => kind === 'usage') && (
          <CardMonth
            title={t('usage.this_month', { month: format.month(month) })}
            days={days}
            isLoaded={query.data !== undefined}
            series={ownSeries}
            error={query.error}
            onRetry={() => void query.refetch()}
          />
        )}
        <ToEvents month={month} subscriptionId={subscriptionId} />
      </Stack>
    );
  return (
    <Stack sx={{ gap: 1 }}>
      <ChartCard
        level={3}
        title={t('usage.this_month', { month: format.month(month) })}
        table={
          query.data && {
            heads: [t('usage.day'), t('usage.quantity')],
            rows: ownSeries ? days.map((day, index) => [format.dayTable(day), texts[index] ?? '']) : [],
          }
        }
        error={query.error}
        onRetry={() => void query.refetch()}
        empty={<EmptyState compact title={t('usage.empty')} />}
      >
        {ownSeries && (
          <TimeChart
            label={t('usage.daily_quantity')}
            places={days.map(format.dayShort)}
            placeNames={days.map(format.day)}
            series={[
              { key: serviceId, label: t('usage.quantity'), values: ownSeries.quantities.map(Number), texts },
            ]}
            formatTick={(value) => (value < 100_000 ? format.number(value) : format.numberShort(value).text)}
          />
        )}
      </ChartCard>
      <ToEvents month={month} subscriptionId={subscriptionId} />
    </Stack>
  );
}

function ToEvents({ month, subscriptionId }: { month: string; subscriptionId: string }) {
  const { t } = useTranslation('usage');
  return (
    <Button
      component={Link}
      to={`${usagePaths.statistics}?month=${month}&service=${subscriptionId}`}
      sx={{ alignSelf: 'flex-start' }}
    >
      {t('usage.to_events')}
    </Button>
  );
}

type CardMonthProps = {
  readonly title: string;
  readonly days: DailyUsage['days'];
  readonly isLoaded: boolean;
  readonly series: DailyUsage['series'][number] | undefined;
  readonly error: Error | null;
  readonly onRetry: () => void;
};

/** The days of a rate card: the cost of each usage charge, and in the table the quantity used. */
function CardMonth({ title, days, isLoaded, series, error, onRetry }: CardMonthProps) {
  const { t } = useTranslation('usage');
  const format = useFormat();
  const language = useLanguage();
  const { charges = [], currency = 'TWD', costs = [] } = series ?? {};
  const monthSums = useMonthSums();
  const priced = charges.flatMap((charge) => (charge.costs ? [{ ...charge, costs: charge.costs }] : []));
  const monthOnly = charges.filter((charge) => charge.costs === null);
  const cost = (amount: string) => format.unitPrice(amount, currency);
  const nameOf = ({ name }: Pick<DailyCharge, 'name'>) => inLanguage(name, language);
  return (
    <ChartCard
      level={3}
      title={title}
      lead={
        <>
          {t('usage.daily_cost')}
          {monthOnly.length > 0 &&
            ` · ${t('usage.month_only', { charges: format.list(monthOnly.map(nameOf)) })}`}
        </>
      }
      table={
        isLoaded
          ? {
              heads: [t('usage.day'), ...charges.map(nameOf), t('usage.cost')],
              rows:
                charges.length === 0
                  ? []
                  : days.map((day, index) => [
                      format.dayTable(day),
                      ...charges.map(({ quantities, unit }) =>
                        format.quantity(quantities[index] ?? '0', unit),
                      ),
                      cost(costs[index] ?? '0'),
                    ]),
              foot: monthSums
                .rows(series?.months ?? [])
                .map(([name, amount]) => [name, ...charges.map(() => ''), amount]),
            }
          : undefined
      }
      error={error}
      onRetry={onRetry}
      empty={<EmptyState compact title={t('usage.empty')} />}
    >
      {charges.length > 0 && (
        <TimeChart
          label={t('usage.daily_cost')}
          places={days.map(format.dayShort)}
          placeNames={days.map(format.day)}
          series={priced.map((charge) => ({
            key: charge.key,
            label: nameOf(charge),
            values: charge.costs.map((amount) => (amount === '0' ? null : Number(amount))),
            texts: charge.costs.map(cost),
          }))}
          formatTick={tickText(format, currency)}
          totals={costs.map(cost)}
          totalLabel={t('usage.sum')}
        />
      )}
    </ChartCard>
  );
}
