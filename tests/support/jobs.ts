// Runs a feature's job immediately, as the queue would, and prevents the queue from running it during a test.
import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import { required } from '#kernel/assert.ts';
import { features } from '#app/features.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';

/** Runs the job of that name once; throws what it throws. */
export function runFeatureJob(app: App, name: string, payload: object = {}): Promise<void> {
  const job = required(
    features.flatMap((feature) => feature.jobs).find((each) => each.name === name),
    `the job ${name}`,
  );
  return job.run(app, payload as never, new AbortController().signal);
}

/**
 * Stops the repetition of jobs that run every few seconds, so that none of them runs during a test. Waits for
 * current runs.
 */
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

/** Removes the schedule of a job, so that it does not run at the next full minute, in the middle of a test. */
export async function unschedule(app: App, name: string): Promise<void> {
  await sql`delete from job.schedule where name = ${name}`.execute(app.database.kysely);
}

/** Removes a job's queued runs, and waits for its current run, so that nothing of it runs during what follows. */
export async function drainJob(app: App, name: string): Promise<void> {
  await vi.waitFor(
    async () => {
      await sql`delete from job.job where name = ${name} and state <> 'active'`.execute(app.database.kysely);
      const { rows } = await sql`select from job.job where name = ${name}`.execute(app.database.kysely);
      expect(rows).toHaveLength(0);
    },
    { timeout: 20_000, interval: 50 },
  );
}

/**
 * Prevents the queue from running a job during a test, whatever enqueues it under `key`: a run that starts in
 * a hundred years is queued, and a second one is rejected. The test runs the job itself.
 */
export async function holdJob(app: App, name: string, key: string): Promise<void> {
  await unschedule(app, name);
  await drainJob(app, name);
  await unitOfWork(app, { actor: { kind: 'system', name: 'test' } }, async (ctx) => {
    await ctx.enqueue(name, {}, key);
    await sql`update job.job set start_after = now() + interval '100 years' where name = ${name}`.execute(
      ctx.db,
    );
  });
}
