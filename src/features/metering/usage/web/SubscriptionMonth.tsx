// What one subscription used in the running month, day by day, with the way to its events.
import { useQuery } from '@tanstack/react-query';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { Link } from 'react-router';
import type { Id } from '#kernel/ids.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { ChartCard } from '#platform/web/chart/ChartCard.tsx';
import { TimeChart } from '#platform/web/chart/TimeChart.tsx';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { dayNow, monthNow } from '#platform/web/time/months.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { usagePaths } from '../contract.ts';
import { usageKey, usageQueries } from './api.ts';
import { daysUpTo } from './usage-view.ts';

export type SubscriptionMonthProps = { readonly subscriptionId: Id<'sub'>; readonly serviceId: Id<'svc'> };

export function SubscriptionMonth({ subscriptionId, serviceId }: SubscriptionMonthProps) {
  const { t } = useTranslation('usage');
  const format = useFormat();
  const zone = useBrand((brand) => brand.timeZone);
  const month = monthNow(zone);
  const query = useQuery(usageQueries.daily({ ...daysUpTo(month, dayNow(zone)), serviceId }));
  useLive('usage', [usageKey('daily')]);
  const { days = [], series = [] } = query.data ?? {};
  const ownSeries = series.find((one) => one.subscriptionId === subscriptionId);
  const texts = ownSeries?.quantities.map((quantity) => format.quantity(quantity, ownSeries.unit)) ?? [];
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
      <Button
        component={Link}
        to={`${usagePaths.statistics}?month=${month}&service=${subscriptionId}`}
        sx={{ alignSelf: 'flex-start' }}
      >
        {t('usage.to_events')}
      </Button>
    </Stack>
  );
}
