// Which jobs run between two moments, according to their schedules.
import { hourMs, minuteMs } from '#kernel/durations.ts';
import { firstDue, lastDue } from './cron.ts';
import type { Job } from '#platform/server/jobs/jobs.ts';

/** A moment, and the jobs that run then, in the order of their declaration. */
export type Turn = { readonly at: Date; readonly jobs: readonly Job[] };

/**
 * The runs after `after` and until `until`: the first one of each job with a schedule. With `isLast`, also
 * its last one within the final hour, so that everything due before the clock stops is done.
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

/**
 * The first run of a job, after `after`, for something that is due at a moment; undefined when that is later
 * than `until`.
 */
export function turnFor(schedule: string, dueAt: Date, after: Date, until: Date): Date | undefined {
  return firstDue(schedule, new Date(Math.max(after.getTime(), dueAt.getTime() - minuteMs)), until);
}
