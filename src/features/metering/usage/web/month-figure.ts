// A whole month or day as a figure that opens its events.
import { shiftDay, shiftMonth } from '#platform/web/time/calendar.ts';
import { startOfDay } from '#platform/web/time/start-of-day.ts';
import type { Statistics } from '../contract.ts';
import type { EventsFigure } from './events-figure.ts';
import type { MeteredName } from './EventsPanel.tsx';

/**
 * Everything metered in a month ('YYYY-MM') or on a day ('YYYY-MM-DD') in a time zone. The services with usage in
 * the shown month come first, in the order given: the list of events begins with the first of them.
 */
export function monthFigure(
  period: string,
  zone: string,
  metered: readonly Pick<MeteredName, 'id'>[],
  services: readonly Pick<Statistics['services'][number], 'subscriptionId' | 'quantity'>[],
): EventsFigure {
  const isMonth = period.length === 7;
  const [first, next] = isMonth
    ? [`${period}-01`, `${shiftMonth(period, 1)}-01`]
    : [period, shiftDay(period, 1)];
  const ids = metered.map(({ id }) => id);
  const used = services
    .filter(({ subscriptionId, quantity }) => quantity !== '0' && ids.includes(subscriptionId))
    .map(({ subscriptionId }) => subscriptionId);
  return {
    among: [...used, ...ids.filter((id) => !used.includes(id))],
    start: startOfDay(first, zone),
    end: startOfDay(next, zone),
  };
}
