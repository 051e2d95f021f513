// A whole month or day as a figure that opens its events.
import { isMonth, type BillingMonth, type LocalDay } from '#kernel/shape.ts';
import { dayPeriod, monthPeriod } from '#kernel/time.ts';
import type { Statistics } from '../contract.ts';
import type { EventsFigure } from './events-figure.ts';
import type { MeteredName } from './EventsPanel.tsx';

/**
 * Everything metered in a month or on a day, in a time zone. The services with usage in
 * the shown month come first, in the order given: the list of events begins with the first of them.
 */
export function monthFigure(
  period: BillingMonth | LocalDay,
  zone: string,
  metered: readonly Pick<MeteredName, 'id'>[],
  services: readonly Pick<Statistics['services'][number], 'subscriptionId' | 'quantity'>[],
): EventsFigure {
  const ids = metered.map(({ id }) => id);
  const used = services
    .filter(({ subscriptionId, quantity }) => quantity !== '0' && ids.includes(subscriptionId))
    .map(({ subscriptionId }) => subscriptionId);
  return {
    among: [...used, ...ids.filter((id) => !used.includes(id))],
    ...(isMonth(period) ? monthPeriod(period, zone) : dayPeriod(period, zone)),
  };
}
