// The jobs of a console whose clock is moved: nothing begins by the calendar of the machine, and what was asked for runs one after the
// other, in the order in which it was asked, when somebody says so.
import { PgBoss, type Db } from 'pg-boss';
import type { Logger } from 'pino';
import * as z from 'zod/mini';
import type { App, Jobs } from '../unit-of-work/ctx.ts';
import type { DatabaseConnection } from '../database/embedded/listen-address.ts';
import { connectionConfig } from '../database/other-database.ts';
import { isDatabaseUnavailable } from '../database/unavailable.ts';
import { recordUnexpectedError } from '../monitoring/unexpected-errors.ts';
import { asError } from '../system-error.ts';
import { jobSchema, makeQueues, type Job } from './jobs.ts';

/** The kind of the job that waits longest of those that may begin. */
const nextKind = `select name from ${jobSchema}.job where state < 'active' and not blocked and start_after <= ${jobSchema}.job_now() order by created_on, id limit 1`;
const Kinds = z.array(z.object({ name: z.string() }));

export class StepJobs implements Jobs {
  readonly #boss: PgBoss;
  readonly #jobs: ReadonlyMap<string, Job>;
  readonly #log: Logger;
  #draining: Promise<void> = Promise.resolve();
  /** Whether something may wait: a look costs as much as what most turns do. */
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

  /** Makes the queues. */
  async start(): Promise<void> {
    await this.#boss.start();
    await makeQueues(this.#boss, this.#jobs.values());
  }

  async send(name: string, payload: object, db: Db, key?: string): Promise<void> {
    this.#isAsked = true;
    await this.#boss.send(name, payload, { db, ...(key === undefined ? {} : { singletonKey: key }) });
  }

  /** Has the next {@link drain} look also for what others have asked for, and what is to be tried again. */
  look(): void {
    this.#isAsked = true;
  }

  /** Runs what waits, and what that asks for, until nothing may begin. Calls at the same time follow each other. */
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
      // Another console was quicker.
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
 * Runs one job; its error is kept among those of its console, and answered. What needs the database that is away is no error of the job.
 * @throws when the database cannot be used
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
