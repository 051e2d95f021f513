// Runs a job of a feature now, as the queue would, and keeps the queue from running it beside a test.
import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import { required } from '#kernel/assert.ts';
import { features } from '#app/features.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';

/** Runs the job of that name once; throws what it throws. */
export function runFeatureJob(app: App, name: string, payload: object = {}): Promise<void> {
  const job = required(
    features.flatMap((feature) => feature.jobs).find((each) => each.name === name),
    `the job ${name}`,
  );
  return job.run(app, payload as never, new AbortController().signal);
}

/** Ends the repetitions of jobs that run every few seconds, so that none of them works beside a test. Runs that are under way end first. */
export async function stopRepeating(app: App): Promise<void> {
  const names = features
    .flatMap((feature) => feature.jobs)
    .filter(({ everySeconds }) => everySeconds !== undefined)
    .map(({ name }) => name);
  const db = app.database.kysely;
  await vi.waitFor(
    async () => {
      await sql`delete from job.job where name = any(${names}::text[]) and state <> 'active'`.execute(db);
      const { rows } = await sql`select from job.job where name = any(${names}::text[])`.execute(db);
      expect(rows).toHaveLength(0);
    },
    { timeout: 20_000, interval: 50 },
  );
}

/** Ends the schedule of a job, so that no full minute runs it beside a test. */
export async function unschedule(app: App, name: string): Promise<void> {
  await sql`delete from job.schedule where name = ${name}`.execute(app.database.kysely);
}
