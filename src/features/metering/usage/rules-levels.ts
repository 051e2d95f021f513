// Levels' decisions: in which stretches of time a reported level counts.
import { spansWithout, type Timeline } from '#features/selling/subscriptions/rules.ts';

export type ServedSpan = { readonly from: Date; readonly to: Date };

/**
 * The parts of [from, to) in which a subscription was served: between start and end, without pauses and
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
