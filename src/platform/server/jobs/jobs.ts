// Long work: jobs on pg-boss, started in the transaction that asks for them, safe to repeat.
import { PgBoss, type Db } from 'pg-boss';
import type { Logger } from 'pino';
import type { Jobs, App } from '../unit-of-work/ctx.ts';
import { recordUnexpectedError } from '../monitoring/unexpected-errors.ts';
import type { DatabaseConnection } from '../database/embedded/listen-address.ts';

/** One kind of job. `run` may be repeated after a crash, so it takes up where it left off. */
export type Job = {
  readonly name: string;
  readonly run: (app: App, payload: never, signal: AbortSignal) => Promise<void>;
  /** A cron line in UTC, when it also runs by itself. */
  readonly schedule?: string;
  /** How many times a failing run is tried again. */
  readonly retryLimit?: number;
};

/** The database schema that pg-boss keeps its jobs in. */
export const jobSchema = 'job';
/** How a kind of job is queued. */
export const queueOf = (one: Job) =>
  ({ policy: 'short', retryLimit: one.retryLimit ?? 3, retryBackoff: true, expireInSeconds: 3600 }) as const;

/** Declares a job with the type of its payload. */
export function job<P extends object>(spec: {
  name: string;
  run: (app: App, payload: P, signal: AbortSignal) => Promise<void>;
  schedule?: string;
  retryLimit?: number;
}): Job {
  return spec as Job;
}

/** The jobs of one process: `send` works at once, workers run after {@link JobRunner.start}. */
export class JobRunner implements Jobs {
  readonly #boss: PgBoss;
  readonly #jobs: readonly Job[];
  readonly #log: Logger;

  constructor(where: DatabaseConnection | string, jobs: readonly Job[], log: Logger) {
    // Connections of its own: it reads numbers its own way, and long jobs must not take requests' connections.
    const connection = typeof where === 'string' ? { connectionString: where } : where;
    this.#boss = new PgBoss({
      ...connection,
      application_name: 'skytally jobs',
      max: 2,
      schema: jobSchema,
      superviseIntervalSeconds: 60,
    });
    this.#boss.on('error', (error) => log.error({ err: error }, 'job machine'));
    this.#jobs = jobs;
    this.#log = log;
  }

  /** Makes the queues and begins to work. */
  async start(app: App): Promise<void> {
    await this.#boss.start();
    for (const each of this.#jobs) {
      await this.#boss.createQueue(each.name, queueOf(each));
      await this.#boss.work(each.name, { pollingIntervalSeconds: 1 }, async (batch) => {
        for (const one of batch) {
          this.#log.info({ job: each.name, id: one.id }, 'job begins');
          await this.#run(app, each, one);
          this.#log.info({ job: each.name, id: one.id }, 'job ends');
        }
      });
      if (each.schedule) await this.#boss.schedule(each.name, each.schedule, {}, { tz: 'UTC' });
    }
  }

  async #run(
    app: App,
    { name, run }: Job,
    { data, signal }: { data: unknown; signal: AbortSignal },
  ): Promise<void> {
    try {
      await run(app, data as never, signal);
    } catch (error) {
      await recordUnexpectedError(app, { source: 'job', place: name, error });
      throw error;
    }
  }

  async send(name: string, payload: object, db: Db, key?: string): Promise<void> {
    await this.#boss.send(name, payload, { db, ...(key === undefined ? {} : { singletonKey: key }) });
  }

  /** Lets running jobs end (10 s at most), then stops. */
  async stop(): Promise<void> {
    await this.#boss.stop({ graceful: true, timeout: 10_000 });
  }
}

/** Leaves jobs without working on any: for a command beside the console, or while it does not run. Connects when it first has to. */
export class JobSender implements Jobs {
  readonly #boss: PgBoss;
  #started: Promise<unknown> | undefined;

  constructor(where: DatabaseConnection | string) {
    const connection = typeof where === 'string' ? { connectionString: where } : where;
    this.#boss = new PgBoss({
      ...connection,
      application_name: 'skytally command',
      max: 1,
      schema: jobSchema,
      supervise: false,
      schedule: false,
    });
    // A lost connection is reported where it is used.
    this.#boss.on('error', () => undefined);
  }

  /** `queue` is made when no console has made it yet. */
  async prepare(queue: Job): Promise<void> {
    this.#started ??= this.#boss.start();
    await this.#started;
    await this.#boss.createQueue(queue.name, queueOf(queue));
  }

  async send(name: string, payload: object, db?: Db, key?: string): Promise<void> {
    this.#started ??= this.#boss.start();
    await this.#started;
    await this.#boss.send(name, payload, {
      ...(db === undefined ? {} : { db }),
      ...(key === undefined ? {} : { singletonKey: key }),
    });
  }

  async stop(): Promise<void> {
    if (this.#started) await this.#boss.stop({ graceful: false });
  }
}
