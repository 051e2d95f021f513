// Levels: in which periods a reported level counts, and the totals of the reports of an hour.
import { decimal, decimalText, sumDecimals } from '#kernel/decimal.ts';
import { spansWithout, type Timeline } from '#features/selling/subscriptions/rules.ts';
import type { MeteredEvent } from './rules.ts';
import { isLater } from './rules-deltas.ts';

export type ServedSpan = { readonly from: Date; readonly to: Date };

/**
 * The parts of [from, to) in which a subscription was served: between its start and end, without pauses and
 * suspensions, earliest first.
 */
export function servedSpans(
  {
    startedAt,
    endsAt,
    pauses,
    suspensions = [],
  }: Pick<Timeline, 'startedAt' | 'endsAt' | 'pauses' | 'suspensions'>,
  from: Date,
  to: Date,
): ServedSpan[] {
  const first = Math.max(from.getTime(), startedAt.getTime());
  const last = Math.min(to.getTime(), endsAt?.getTime() ?? Infinity);
  const paused = [...pauses, ...suspensions].map(
    (pause) => [pause.from.getTime(), pause.until?.getTime() ?? last] as const,
  );
  return spansWithout(first, last, paused).map(([begin, end]) => ({
    from: new Date(begin),
    to: new Date(end),
  }));
}

/** The reports of one hour: `area` is value × milliseconds from the first report to the last, exact. */
export type LevelHour = {
  readonly firstAt: Date;
  readonly area: string;
  readonly lastValue: string;
  readonly lastAt: Date;
};

/** Combines the reports of one hour, given in any order; undefined if there are none. */
export function levelOfHour(events: readonly MeteredEvent[]): LevelHour | undefined {
  const reports = events.toSorted((a, b) => (isLater(a, b) ? 1 : -1));
  const [first, last] = [reports[0], reports.at(-1)];
  if (!first || !last) return undefined;
  const areas = reports.map((report, place) => {
    const until = reports[place + 1] ?? report;
    return decimal(report.value).times(decimal(BigInt(until.time.getTime() - report.time.getTime())));
  });
  return {
    firstAt: first.time,
    area: decimalText(sumDecimals(areas)),
    lastValue: last.value,
    lastAt: last.time,
  };
}
