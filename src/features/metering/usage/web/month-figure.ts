// A whole month or day as a figure that opens its events.
import { shiftDay, shiftMonth } from '#platform/web/time/calendar.ts';
import { startOfDay } from '#platform/web/time/start-of-day.ts';
import type { EventsFigure } from './events-figure.ts';
import type { MeteredName } from './EventsPanel.tsx';

/** Everything metered in a month ('YYYY-MM') or on a day ('YYYY-MM-DD') in a time zone. */
export function monthFigure(period: string, zone: string, metered: readonly MeteredName[]): EventsFigure {
  const isMonth = period.length === 7;
  const [first, next] = isMonth
    ? [`${period}-01`, `${shiftMonth(period, 1)}-01`]
    : [period, shiftDay(period, 1)];
  return {
    among: metered.map((each) => each.id),
    start: startOfDay(first, zone),
    end: startOfDay(next, zone),
  };
}
