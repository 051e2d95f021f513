// R-USE-01: the figures of a month, where they are going, and the events behind them.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import type { Statistics } from '#features/usage/contract.ts';
import { useBrand } from '#platform/web/brand.ts';
import { useLive } from '#platform/web/live.ts';
import { dayNow, monthNow } from '#platform/web/months.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { MonthPicker } from '#platform/web/ui/MonthPicker.tsx';
import { Page } from '#platform/web/ui/Page.tsx';
import { Lines, QueryState } from '#platform/web/ui/QueryState.tsx';
import { useFormat } from '#platform/web/use-format.ts';
import { usageKey, usageQueries } from './api.ts';
import { DailyUsage } from './DailyUsage.tsx';
import { EventsPanel } from './EventsPanel.tsx';
import { ServiceShares } from './ServiceShares.tsx';
import { ServiceTable } from './ServiceTable.tsx';
import { SixMonths } from './SixMonths.tsx';
import { useUsageTexts } from './texts.ts';
import { useUsageView } from './usage-view.ts';
import { UsageFigures } from './UsageFigures.tsx';

export function UsageScreen() {
  const t = useUsageTexts();
  const months = useQuery(usageQueries.usageMonths());
  return (
    <QueryState query={months} skeleton={<Page title={t('usage.title')}><Card sx={{ padding: 3 }}><Lines count={8} /></Card></Page>}>
      {({ months: used }) => <Month used={used} />}
    </QueryState>
  );
}

function Month({ used }: { used: Statistics['month'][] }) {
  const t = useUsageTexts();
  const format = useFormat();
  const zone = useBrand((brand) => brand.timeZone);
  const [running, today] = [monthNow(zone), dayNow(zone)];
  const newest = used[0] ?? running;
  const { month, range, subscriptionId, setMonth, setRange, setService } = useUsageView(newest, today);
  const query = useQuery({ ...usageQueries.statistics({ month }), placeholderData: keepPreviousData });
  useLive('usage', [usageKey()]);
  const { data } = query;
  const latest = newest > running ? newest : running;
  return (
    <Page
      title={t('usage.title')}
      lead={data ? t('usage.as_of', { time: format.dateTime(data.asOf) }) : t('usage.lead')}
      actions={<MonthPicker value={month} onChange={setMonth} min={[used.at(-1) ?? running, month].toSorted()[0] ?? month} max={latest > month ? latest : month} />}
    >
      {query.error && !data
        ? <QueryState query={query}>{() => null}</QueryState>
        : (
          <>
            <Box aria-busy={query.isPlaceholderData} sx={{ display: 'contents' }}><UsageFigures figures={data} /></Box>
            <Box sx={{ display: 'grid', gap: { xs: 2, sm: 3 }, gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' } }}>
              <SixMonths figures={data} selected={month} onSelect={setMonth} />
              <ServiceShares figures={data} />
            </Box>
            <DailyUsage range={range} today={today} onRange={setRange} currency={data?.currency} />
            {data && data.services.length === 0
              ? <Card><EmptyState title={t('usage.empty')} hint={t('usage.empty_hint')} /></Card>
              : <ServiceTable figures={data} onOpen={setService} />}
          </>
        )}
      <EventsPanel subscriptionId={subscriptionId} month={month} figures={data} onClose={() => setService(undefined)} />
    </Page>
  );
}
