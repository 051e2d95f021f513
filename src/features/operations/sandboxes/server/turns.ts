// Which jobs have their turn between two moments, by the schedules that they declare.
import { firstDue, lastDue } from '#platform/server/jobs/calendar.ts';
import type { Job } from '#platform/server/jobs/jobs.ts';

/** A moment, and the jobs whose turn it is, in the order in which they are declared. */
export type Turn = { readonly at: Date; readonly jobs: readonly Job[] };

const minuteMs = 60_000;
const hourMs = 3_600_000;

/**
 * The turns after `after`, `until` at the latest: of each job with a schedule its first. With `isLast` its last of the final hour as well, so
 * that what comes due before the clock stands still is done when it does.
 */
export function turnsOf(
  jobs: readonly Job[],
  after: Date,
  until: Date,
  { isLast = false }: { isLast?: boolean } = {},
): Turn[] {
  const found = new Map<number, Job[]>();
  const add = (job: Job, at: Date | undefined): void => {
    if (!at) return;
    const known = found.get(at.getTime()) ?? [];
    if (!known.includes(job)) found.set(at.getTime(), [...known, job]);
  };
  for (const job of jobs) {
    if (job.schedule === undefined) continue;
    add(job, firstDue(job.schedule, after, until));
    if (isLast)
      add(job, lastDue(job.schedule, new Date(Math.max(after.getTime(), until.getTime() - hourMs)), until));
  }
  return [...found]
    .sort(([a], [b]) => a - b)
    .map(([at, each]) => ({ at: new Date(at), jobs: jobs.filter((job) => each.includes(job)) }));
}

/** The first turn of a job for something that is due at a moment, after `after`; undefined when that is later than `until`. */
export function turnFor(schedule: string, dueAt: Date, after: Date, until: Date): Date | undefined {
  return firstDue(schedule, new Date(Math.max(after.getTime(), dueAt.getTime() - minuteMs)), until);
}
