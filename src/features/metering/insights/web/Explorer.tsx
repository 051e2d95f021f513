// Usage of a range of days (R-USE-05): by day or hour, by service, tag, member, key or property, beside the
// previous period.
import { useQuery } from '@tanstack/react-query';
import EventBusyOutlined from '~icons/ic/outline-event-busy';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { addDays } from '#kernel/time.ts';
import { usePagedQuery } from '#platform/web/api/use-paged-query.ts';
import { rangeProblem } from '#platform/web/time/range-problem.ts';
import { useTranslation } from '#platform/web/i18n/i18n.ts';
import { useLive } from '#platform/web/live/live.ts';
import { EmptyState } from '#platform/web/ui/EmptyState.tsx';
import { DeferredRender } from '#platform/web/ui/DeferredRender.tsx';
import { useDeferredRender } from '#platform/web/ui/use-deferred-render.ts';
import { useToday } from '#platform/web/time/use-today.ts';
import { maxHourlyDays, type ExploredSeries } from '../contract.ts';
import type { ExplorerSlot } from '#features/metering/usage/web/parts.ts';
import { insightsKey, insightsQueries } from './api.ts';
import { ExploreControls } from './ExploreControls.tsx';
import { ExploredChart } from './ExploredChart.tsx';
import { figureOf } from './explored-figure.ts';
import { useExplorerView } from './explorer-view.ts';
import { ForecastPast } from './ForecastPast.tsx';
import { useGroupName } from './group-name.ts';
import { GroupTable } from './GroupTable.tsx';
import { Movers } from './Movers.tsx';
import { UnusualDays } from './UnusualDays.tsx';

export function Explorer({ range, zone, onRange, metered, onEvents }: ExplorerSlot) {
  const { t } = useTranslation('insights');
  const nameOf = useGroupName();
  const view = useExplorerView();
  const today = useToday(zone, [insightsKey()]);
  useLive('usage', [insightsKey('explore')]);
  useLive('usage', [insightsKey('forecast'), insightsKey('unusualDays'), insightsKey('dimensions')], 'slow');
  const { groupBy, grain, serviceId } = view;
  // A range in the address can also be invalid: then the message is below the dates, and no data is
  // requested.
  const isWrong = rangeProblem(range.from, range.to, 'to') !== undefined;
  const isTooLong = !isWrong && grain === 'hour' && range.to > addDays(range.from, maxHourlyDays - 1);
  const exploreInput = { ...range, grain, groupBy, ...(serviceId !== undefined && { serviceId }) };
  const query = usePagedQuery({
    ...insightsQueries.explore({ ...exploreInput, compare: view.isCompared }),
    enabled: !isWrong && !isTooLong,
  });
  const unusual = usePagedQuery({
    ...insightsQueries.unusualDays({ ...range, ...(serviceId !== undefined && { serviceId }) }),
    enabled: !isWrong,
  });
  const forecast = useQuery(insightsQueries.forecast());
  // Queried here, with the explorer's other queries, so that all are sent in one batch.
  const dimensions = useQuery({
    ...insightsQueries.dimensions({ ...range, ...(serviceId !== undefined && { serviceId }) }),
    enabled: !isWrong && !isTooLong,
  });
  const drawn = useDeferredRender(query.data);
  const explored = isWrong || isTooLong ? undefined : drawn;
  // A forecast exists only for the current month up to today.
  const goesOn =
    grain === 'day' &&
    serviceId === undefined &&
    range.to === today &&
    range.from.slice(0, 7) === today.slice(0, 7);
  const open = (series: readonly ExploredSeries[], start: Date, end: Date) => {
    const figure = figureOf(series, groupBy, start, end, nameOf);
    if (figure) onEvents(figure);
  };
  const whole = (series: ExploredSeries) => {
    const [first, last] = [explored?.places[0], explored?.places.at(-1)];
    if (first && last) open([series], first.start, last.end);
  };
  return (
    <Stack component="section" aria-label={t('insights.explorer')} sx={{ gap: { xs: 2, sm: 3 } }}>
      <DeferredRender
        parts={[
          // Empty in the first frame, so that requests start before the first part is rendered.
          { name: 'asked', content: null },
          {
            name: 'chart',
            content: (
              <>
                <ExploredChart
                  controls={
                    <ExploreControls
                      range={range}
                      today={today}
                      onRange={onRange}
                      metered={metered}
                      view={view}
                      explored={explored}
                      exportInput={exploreInput}
                      isRight={!isWrong && !isTooLong}
                      properties={dimensions.data?.properties.map(({ name }) => name) ?? []}
                      dimensions={dimensions.data?.dimensions ?? []}
                      hasCharges={dimensions.data?.hasCharges ?? false}
                    />
                  }
                  range={range}
                  zone={zone}
                  view={view}
                  explored={explored}
                  error={isWrong || isTooLong ? null : query.error}
                  onRetry={() => void query.refetch()}
                  unusual={grain === 'day' ? (unusual.data?.days ?? []) : []}
                  forecast={goesOn ? forecast.data : undefined}
                  onOpen={open}
                  {...(isWrong && {
                    empty: (
                      <EmptyState
                        compact
                        icon={<EventBusyOutlined />}
                        title={t('insights.range_wrong')}
                        hint={t('insights.range_wrong_hint')}
                      />
                    ),
                  })}
                  {...(isTooLong && {
                    empty: (
                      <EmptyState
                        compact
                        icon={<EventBusyOutlined />}
                        title={t('insights.hours_too_long', { days: maxHourlyDays })}
                        hint={t('insights.hours_hint')}
                        action={
                          <Button
                            variant="outlined"
                            onClick={() =>
                              onRange({
                                from: addDays(range.to, 1 - maxHourlyDays),
                                to: range.to,
                              })
                            }
                          >
                            {t('insights.last_hourly', { days: maxHourlyDays })}
                          </Button>
                        }
                      />
                    ),
                  })}
                />
              </>
            ),
          },
          {
            name: 'groups',
            content: (
              <>
                {explored && explored.series.length > 0 && <GroupTable explored={explored} onOpen={whole} />}
                {explored?.previous && <Movers explored={explored} />}
              </>
            ),
          },
          {
            name: 'unusual',
            content: <UnusualDays query={unusual} isWrong={isWrong} zone={zone} onEvents={onEvents} />,
          },
          { name: 'forecast', content: <ForecastPast query={forecast} /> },
        ]}
      />
    </Stack>
  );
}
