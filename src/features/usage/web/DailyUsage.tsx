// Usage by day and service over a range of days that the reader chooses (R-USE-05).
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import EventBusyOutlined from '@mui/icons-material/EventBusyOutlined';
import Card from '@mui/material/Card';
import Stack from '@mui/material/Stack';
import type { Currency } from '#kernel/money.ts';
import { rangeProblem } from '#platform/web/calendar.ts';
import { DateRange, type Range } from '#platform/web/ui/DateRange.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { useFormat } from '#platform/web/use-format.ts';
import { usageQueries } from './api.ts';
import { DailyUsageChart } from './DailyUsageChart.tsx';
import { useUsageTexts } from './texts.ts';
import type { DayRange } from './usage-view.ts';

export type DailyUsageProps = { readonly range: DayRange; readonly today: string; readonly onRange: (range: Range) => void; readonly currency: Currency | undefined };

export function DailyUsage({ range, today, onRange, currency }: DailyUsageProps) {
  const t = useUsageTexts();
  const format = useFormat();
  // A range in the address can be wrong too: it is said below the dates, and nothing is asked for.
  const isWrong = rangeProblem(range.from, range.to, 'to') !== undefined;
  const query = useQuery({ ...usageQueries.daily(range), enabled: !isWrong, placeholderData: keepPreviousData });
  const daily = isWrong ? { ...range, days: [], series: [] } : query.data;
  return (
    <Stack component="section" aria-label={t('usage.daily')} sx={{ gap: { xs: 2, sm: 3 } }}>
      <Card sx={{ padding: { xs: '16px', sm: '16px 24px' } }}><DateRange value={range} today={today} onApply={onRange} /></Card>
      <DailyUsageChart
        lead={`${isWrong ? '' : `${format.range(range.from, range.to)} · `}${t('usage.daily_lead')}`}
        daily={currency === undefined ? undefined : daily}
        currency={currency ?? 'TWD'}
        error={query.error}
        onRetry={() => void query.refetch()}
        {...(isWrong && { empty: <EmptyState compact icon={<EventBusyOutlined />} title={t('usage.range_wrong')} hint={t('usage.range_wrong_hint')} /> })}
      />
    </Stack>
  );
}
