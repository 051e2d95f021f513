// Samples: the intervals of equal length into which a percentile splits a day in the organization's time
// zone.
import { unitsText, wireUnits } from '#kernel/decimal.ts';
import type { LocalDay } from '#kernel/shape.ts';
import { addDays, dayOf, dayPeriod, type Period } from '#kernel/time.ts';
import { minuteMs } from '#kernel/durations.ts';
import type { ServedSpan } from './rules-levels.ts';
import type { Stream, StreamEvents } from './rules-streams.ts';

const days = new Map<string, Period>();
const maxDays = 2000;
/** Returns a day's period in a time zone; each is computed once. */
function periodOf(day: LocalDay, zone: string): Period {
  const key = `${day} ${zone}`;
  const known = days.get(key);
  if (known) return known;
  if (days.size >= maxDays) days.clear();
  const period = dayPeriod(day, zone);
  days.set(key, period);
  return period;
}

/**
 * Returns the start of the sample that contains an instant. Samples are counted from midnight; a clock change
 * may cut the day's last one short.
 */
export function sampleStart(time: Date, zone: string, minutes: number): Date {
  const start = periodOf(dayOf(time, zone), zone).start.getTime();
  const length = minutes * minuteMs;
  return new Date(start + Math.floor((time.getTime() - start) / length) * length);
}

/** What a batch adds to one sample of one stream. */
export type SampleDelta = Stream & { readonly start: Date; readonly sum: string };

/** What the events of a stream add to its samples, in order of time. */
export function sampleDeltas(
  { events, subscriptionId, meter, cell }: StreamEvents,
  zone: string,
  minutes: number,
): SampleDelta[] {
  const sums = new Map<number, bigint>();
  for (const event of events) {
    const start = sampleStart(event.time, zone, minutes).getTime();
    sums.set(start, (sums.get(start) ?? 0n) + wireUnits(event.value));
  }
  return [...sums]
    .toSorted(([a], [b]) => a - b)
    .map(([start, sum]) => ({ subscriptionId, meter, cell, start: new Date(start), sum: unitsText(sum) }));
}

/**
 * Counts the samples of a part [from, to) that contain served time; a sample belongs to the part in which it
 * begins. `spans` is the served time, earliest first.
 */
export function countSamples(
  spans: readonly ServedSpan[],
  { from, to }: ServedSpan,
  zone: string,
  minutes: number,
): number {
  const length = minutes * minuteMs;
  let count = 0;
  // The start of the last counted sample: two spans may share one.
  let counted = -Infinity;
  for (const span of spans) {
    const until = Math.min(span.to.getTime(), to.getTime());
    for (let day = dayOf(span.from, zone); ; day = addDays(day, 1)) {
      const { start, end } = periodOf(day, zone);
      const [midnight, next] = [start.getTime(), end.getTime()];
      if (midnight >= until) break;
      const first = Math.max(
        Math.floor((Math.max(span.from.getTime(), midnight) - midnight) / length),
        Math.ceil((from.getTime() - midnight) / length),
        Math.floor((counted - midnight) / length) + 1,
        0,
      );
      const last = Math.ceil((Math.min(until, next) - midnight) / length) - 1;
      if (last < first) continue;
      count += last - first + 1;
      counted = midnight + last * length;
    }
  }
  return count;
}
