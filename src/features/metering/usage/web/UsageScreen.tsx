// R-USE-01: the figures of a month, their forecast, and the events behind them.
import { useQuery } from '@tanstack/react-query';
import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Stack from '@mui/material/Stack';
import type { ReactNode } from 'react';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { useBrand } from '#platform/web/shell/brand.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { CopyButton } from '#platform/web/ui/CopyButton.tsx';
import type { DayRange } from '#platform/web/ui/DateRange.tsx';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { ErrorState } from '#platform/web/ui/ErrorState.tsx';
import { DeferredRender } from '#platform/web/ui/DeferredRender.tsx';
import { MonthPicker } from '#platform/web/ui/MonthPicker.tsx';
import { Page } from '#platform/web/ui/Page.tsx';
import { useDeferredRender } from '#platform/web/ui/use-deferred-render.ts';
import { Lines } from '#platform/web/ui/QueryState.tsx';
import { useFormat } from '#platform/web/format/use-format.ts';
import { useToday } from '#platform/web/time/use-today.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { addMonths, monthOfDay } from '#kernel/time.ts';
import { usageKey, usageQueries } from './api.ts';
import { EventsPanel, type MeteredName } from './EventsPanel.tsx';
import type { EventsFigure } from './events-figure.ts';
import { monthFigure } from './month-figure.ts';
import { ServiceShares } from './ServiceShares.tsx';
import { ServiceTable } from './ServiceTable.tsx';
import { SixMonths } from './SixMonths.tsx';
import { useUsageView } from './usage-view.ts';
import { UsageFigures } from './UsageFigures.tsx';

/** What the page passes to the component that explores a range of days. */
export type ExplorerSlot = {
  readonly range: DayRange;
  readonly today: LocalDay;
  /** The organization's time zone. */
  readonly zone: string;
  readonly onRange: (range: DayRange) => void;
  readonly metered: readonly MeteredName[];
  readonly onEvents: (figure: EventsFigure) => void;
};
export type UsageScreenProps = {
  readonly explorer: (slot: ExplorerSlot) => ReactNode;
  /** Shown above the figures. */
  readonly notice?: ReactNode;
};

export function UsageScreen({ explorer, notice }: UsageScreenProps) {
  const { t } = useTranslation('usage');
  const format = useFormat();
  const installationZone = useBrand((brand) => brand.timeZone);
  const months = useQuery(usageQueries.usageMonths());
  // Nothing that depends on the organization's time zone or months is shown before these are loaded. The
  // figures are requested together with them, for the most likely month: the one in the address, or else the
  // current one.
  const known = useDeferredRender(months.data);
  const {
    months: used,
    subscriptions: metered,
    timeZone: zone,
  } = known ?? { months: [], subscriptions: [], timeZone: installationZone };
  const today = useToday(zone, [usageKey()]);
  // The month of a day.
  const running = monthOfDay(today);
  const newest = newestOf(used, running);
  const { month, range, subscriptionId, figure, setMonth, setRange, setService, chooseService, openEvents } =
    useUsageView(newest, today);
  const query = usePagedQuery(usageQueries.statistics({ month }));
  useLive('usage', [usageKey()]);
  const data = useDeferredRender(query.data);
  const latest = newest > running ? newest : running;
  const openPeriod = (of: BillingMonth | LocalDay) =>
    openEvents(monthFigure(of, zone, metered, data?.services ?? []));
  const problem = known === undefined ? months.error : data === undefined ? query.error : null;
  return (
    <Page
      title={t('usage.title')}
      lead={data ? t('usage.as_of', { time: format.dateTime(data.asOf) }) : t('usage.lead')}
      actions={
        known && (
          <Stack direction="row" sx={{ gap: 1, alignItems: 'center' }}>
            <CopyButton text={location.href} label={t('usage.copy_view')} />
            <MonthPicker
              value={month}
              onChange={setMonth}
              min={[used.at(-1) ?? running, month].toSorted()[0] ?? month}
              max={latest > month ? latest : month}
            />
          </Stack>
        )
      }
    >
      {problem !== null && (
        <ErrorState error={problem} onRetry={() => void (known === undefined ? months : query).refetch()} />
      )}
      {problem === null && known === undefined && (
        <Card sx={{ padding: 3 }}>
          <Lines count={8} />
        </Card>
      )}
      {problem === null && known !== undefined && (
        <>
          <DeferredRender
            parts={[
              {
                name: 'figures',
                content: (
                  <>
                    {notice}
                    <Box aria-busy={query.isPlaceholderData} sx={{ display: 'contents' }}>
                      <UsageFigures figures={data} onMonth={openPeriod} onDay={openPeriod} />
                    </Box>
                  </>
                ),
              },
              {
                name: 'charts',
                content: (
                  <Box
                    sx={{
                      display: 'grid',
                      gap: { xs: 2, sm: 3 },
                      gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'repeat(2, minmax(0, 1fr))' },
                    }}
                  >
                    <SixMonths
                      figures={data}
                      selected={month}
                      onSelect={(chosen) => (chosen === month ? openPeriod(chosen) : setMonth(chosen))}
                    />
                    <ServiceShares figures={data} onOpen={setService} />
                  </Box>
                ),
              },
              {
                name: 'services',
                content:
                  data && data.services.length === 0 ? (
                    <Card>
                      <EmptyState title={t('usage.empty')} hint={t('usage.empty_hint')} />
                    </Card>
                  ) : (
                    <ServiceTable figures={data} onOpen={setService} />
                  ),
              },
            ]}
          />
          {explorer({ range, today, zone, onRange: setRange, metered, onEvents: openEvents })}
        </>
      )}
      {known !== undefined && (
        <EventsPanel
          subscriptionId={subscriptionId}
          month={month}
          figure={figure}
          figures={data}
          metered={metered}
          onChoose={chooseService}
          onClose={() => setService(undefined)}
        />
      )}
    </Page>
  );
}

/** The default month: the current one, unless the last usage was long ago. */
function newestOf(used: readonly BillingMonth[], running: BillingMonth): BillingMonth {
  const [last] = used;
  return last !== undefined && last < addMonths(running, -1) ? last : running;
}
