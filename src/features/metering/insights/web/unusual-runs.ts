// Consecutive unusual days of a service as one finding: stopping a service is one event, not one per day.
import { decimal } from '#kernel/decimal.ts';
import { addDays } from '#kernel/time.ts';
import type { UnusualDay } from '../contract.ts';

export type UnusualRun = {
  /** Oldest first. */
  readonly days: readonly [UnusualDay, ...UnusualDay[]];
  readonly last: UnusualDay;
};

const isBelow = (one: UnusualDay): boolean => decimal(one.quantity).lt(decimal(one.expected));

const goesOn = (last: UnusualDay, next: UnusualDay): boolean =>
  next.day === addDays(last.day, 1) &&
  isBelow(next) === isBelow(last) &&
  next.verdict?.verdict === last.verdict?.verdict;

/**
 * Joins consecutive days of one subscription that deviate in the same direction and have the same verdict.
 * Runs that ended last come first.
 */
export function unusualRuns(days: readonly UnusualDay[]): UnusualRun[] {
  const bySubscription = Map.groupBy(days, (one) => one.subscriptionId);
  const runs = [...bySubscription.values()].flatMap((own) =>
    own
      .toSorted((a, b) => (a.day < b.day ? -1 : 1))
      .reduce<[UnusualDay, ...UnusualDay[]][]>((found, one) => {
        const run = found.at(-1);
        const last = run?.at(-1);
        if (run && last && goesOn(last, one)) run.push(one);
        else found.push([one]);
        return found;
      }, []),
  );
  return runs
    .map((run): UnusualRun => ({ days: run, last: run.at(-1) ?? run[0] }))
    .toSorted((a, b) => (a.last.day === b.last.day ? 0 : a.last.day < b.last.day ? 1 : -1));
}
