// The state of the usage page, stored in the address: the month, the range of days, and the service whose
// events are listed.
import { useCallback } from 'react';
import { isId, type Id } from '#kernel/ids.ts';
import { isDay, isMonth, type BillingMonth, type LocalDay } from '#kernel/shape.ts';
import { firstDayOf, lastDayOf } from '#kernel/time.ts';
import { useAddressParams } from '#platform/web/routing/address-params.ts';
import type { DayRange } from '#platform/web/ui/DateRange.tsx';
import { readFigure, writeFigure, type EventsFigure } from './events-figure.ts';

export type UsageView = {
  readonly month: BillingMonth;
  readonly range: DayRange;
  readonly subscriptionId: Id<'sub'> | undefined;
  readonly figure: EventsFigure | undefined;
};

/** A month's days up to today. `today` is in the month or after it. */
export function daysUpTo(month: BillingMonth, today: LocalDay): DayRange {
  const [from, last] = [firstDayOf(month), lastDayOf(month)];
  return { from, to: today >= from && today < last ? today : last };
}

/** Reads the address; invalid values count as missing. */
export function readView(params: URLSearchParams, newest: BillingMonth, today: LocalDay): UsageView {
  const [month, from, to, service] = ['month', 'from', 'to', 'service'].map(
    (name) => params.get(name) ?? undefined,
  );
  const chosen = isMonth(month) ? month : newest;
  return {
    month: chosen,
    range: isDay(from) && isDay(to) ? { from, to } : daysUpTo(chosen, today),
    subscriptionId: isId('sub', service) ? service : undefined,
    figure: readFigure(params),
  };
}

/** Connects the page to the address. `newest` is the month shown by default. */
export function useUsageView(newest: BillingMonth, today: LocalDay) {
  const [params, setParams] = useAddressParams();
  const change = useCallback(
    (values: Readonly<Record<string, string | undefined>>) =>
      setParams(
        (now) => {
          const next = new URLSearchParams(now);
          // The page number belongs to the panel that was open, so it is also removed.
          next.delete('events-cursor');
          for (const [name, value] of Object.entries(values)) {
            if (value === undefined) next.delete(name);
            else next.set(name, value);
          }
          return next;
        },
        { preventScrollReset: true },
      ),
    [setParams],
  );
  return {
    ...readView(params, newest, today),
    // Choosing another month resets the range of days.
    setMonth: (month: string) => change({ month, from: undefined, to: undefined }),
    setRange: ({ from, to }: DayRange) => change({ from, to }),
    /** The month's events of one subscription; undefined closes the panel. */
    setService: (service: string | undefined) => change({ service, ...writeFigure(undefined) }),
    /** Switches to another service behind the open figure. */
    chooseService: (service: string) => change({ service }),
    openEvents: (figure: EventsFigure) => change({ service: figure.among[0], ...writeFigure(figure) }),
  };
}
