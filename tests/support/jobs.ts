// Runs a job of a feature now, as the queue would, and keeps the queue from running it beside a test.
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

/** Takes what waits of a job out of the queue, and waits for what the queue runs of it, so that nothing of it runs beside what follows. */
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
 * Keeps the queue from running a job beside a test, whatever asks for it under `key`: one that begins in a hundred years waits
 * there, and a second is not taken. The test runs the job itself.
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
