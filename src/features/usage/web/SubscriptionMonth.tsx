// What one subscription used in the running month, day by day, with the way to its events.
import { useQuery } from '@tanstack/react-query';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { Link } from 'react-router';
import type { Id } from '#kernel/ids.ts';
import { useBrand } from '#platform/web/brand.ts';
import { TimeChart } from '#platform/web/chart/TimeChart.tsx';
import { useLive } from '#platform/web/live.ts';
import { dayNow, monthNow } from '#platform/web/months.ts';
import { QueryState } from '#platform/web/ui/QueryState.tsx';
import { useFormat } from '#platform/web/use-format.ts';
import { usagePaths } from '#features/usage/contract.ts';
import { usageKey, usageQueries } from './api.ts';
import { useUsageTexts } from './texts.ts';
import { daysUpTo } from './usage-view.ts';

export type SubscriptionMonthProps = { readonly subscriptionId: Id<'sub'>; readonly serviceId: Id<'svc'> };

export function SubscriptionMonth({ subscriptionId, serviceId }: SubscriptionMonthProps) {
  const t = useUsageTexts();
  const format = useFormat();
  const zone = useBrand((brand) => brand.timeZone);
  const month = monthNow(zone);
  const query = useQuery(usageQueries.daily({ ...daysUpTo(month, dayNow(zone)), serviceId }));
  useLive('usage', [usageKey('daily')]);
  return (
    <Stack component="section" sx={{ gap: 1 }}>
      <Typography variant="h3">{t('usage.this_month', { month: format.month(month) })}</Typography>
      <QueryState query={query}>
        {({ days, series }) => {
          const mine = series.find((one) => one.subscriptionId === subscriptionId);
          if (!mine) return <Typography variant="body2" color="textSecondary">{t('usage.empty')}</Typography>;
          const texts = mine.quantities.map((quantity) => format.quantity(quantity, mine.unit));
          return (
            <TimeChart
              label={t('usage.daily_quantity')}
              places={days.map(format.dayShort)}
              placeNames={days.map(format.day)}
              series={[{ key: serviceId, label: t('usage.quantity'), values: mine.quantities.map(Number), texts }]}
              formatTick={(value) => (value < 100_000 ? format.number(value) : format.numberShort(value).text)}
            />
          );
        }}
      </QueryState>
      <Button component={Link} to={`${usagePaths.statistics}?month=${month}&service=${subscriptionId}`} sx={{ alignSelf: 'flex-start' }}>{t('usage.to_events')}</Button>
    </Stack>
  );
}
