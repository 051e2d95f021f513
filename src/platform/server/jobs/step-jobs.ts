// The jobs of a console whose clock is moved by hand: no schedule starts a job; requested jobs run one after
// another, in the order of their requests, when {@link StepJobs.drain} is called.
import { PgBoss, type Db } from 'pg-boss';
import type { Logger } from 'pino';
import * as z from 'zod/mini';
import { asError } from '#kernel/errors.ts';
import type { App, Jobs } from '../unit-of-work/ctx.ts';
import type { DatabaseConnection } from '../database/embedded/listen-address.ts';
import { connectionConfig } from '../database/other-database.ts';
import { isDatabaseUnavailable } from '../database/unavailable.ts';
import { recordUnexpectedError } from '../monitoring/unexpected-errors.ts';
import { jobSchema, makeQueues, type Job } from './jobs.ts';

/** The kind of the ready job that was requested first. */
const nextKind = `select name from ${jobSchema}.job where state < 'active' and not blocked and start_after <= ${jobSchema}.job_now() order by created_on, id limit 1`;
const Kinds = z.array(z.object({ name: z.string() }));

export class StepJobs implements Jobs {
  readonly #boss: PgBoss;
  readonly #jobs: ReadonlyMap<string, Job>;
  readonly #log: Logger;
  #draining: Promise<void> = Promise.resolve();
  /** Whether a job may be waiting: polling costs as much as most drains do. */
  #isAsked = true;

  constructor(where: DatabaseConnection | string, jobs: readonly Job[], log: Logger) {
    this.#boss = new PgBoss({
      ...connectionConfig(where),
      application_name: 'skytally sandbox',
      max: 2,
      schema: jobSchema,
      supervise: false,
      schedule: false,
    });
    this.#boss.on('error', (error) => log.error({ err: error }, 'job machine of a sandbox'));
    this.#jobs = new Map(jobs.map((each) => [each.name, each]));
    this.#log = log;
  }

  /** Creates the queues. */
  async start(): Promise<void> {
    await this.#boss.start();
    await makeQueues(this.#boss, this.#jobs.values());
  }

  async send(name: string, payload: object, db: Db, key?: string): Promise<void> {
    this.#isAsked = true;
    await this.#boss.send(name, payload, { db, singletonKey: key });
  }

  /** Makes the next {@link drain} also check for jobs from other processes, and for retries. */
  look(): void {
    this.#isAsked = true;
  }

  /** Runs all waiting jobs, and the jobs that they request, until none is ready. Concurrent calls are serialized. */
  drain(app: App, signal: AbortSignal): Promise<void> {
    const after = this.#draining.catch(() => undefined).then(() => this.#drain(app, signal));
    this.#draining = after;
    return after;
  }

  async #drain(app: App, signal: AbortSignal): Promise<void> {
    while (this.#isAsked && !signal.aborted) {
      this.#isAsked = false;
      const [next] = z.parse(Kinds, (await this.#boss.getDb().executeSql(nextKind)).rows);
      if (!next) return;
      this.#isAsked = true;
      const job = this.#jobs.get(next.name);
      const found = await this.#boss.fetch(next.name);
      for (const { id, data } of found) {
        const error = job ? await runOnce(app, job, data, signal) : new Error('no such job');
        if (error === undefined) await this.#boss.complete(next.name, id);
        else await this.#boss.fail(next.name, id, { message: error.message });
      }
      // Another console took the job first.
      if (found.length === 0) return;
    }
  }

  async stop(): Promise<void> {
    await this.#draining.catch((error: unknown) =>
      this.#log.warn({ err: error }, 'a sandbox stopped while a job failed'),
    );
    await this.#boss.stop({ graceful: false });
  }
}

/**
 * Runs one job; an error is recorded among its console's errors, and returned. An unavailable database is not
 * an error of the job.
 * @throws when the database is unavailable
 */
export async function runOnce(
  app: App,
  { name, run }: Job,
  payload: unknown,
  signal: AbortSignal,
): Promise<Error | undefined> {
  try {
    await run(app, payload as never, signal);
    return undefined;
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    await recordUnexpectedError(app, { source: 'job', place: name, error });
    return asError(error);
  }
}
