// Background jobs on pg-boss: enqueued in the transaction that requests them, and safe to repeat.
import { setTimeout as sleep } from 'node:timers/promises';
import { SpanKind } from '@opentelemetry/api';
import { PgBoss, type Db } from 'pg-boss';
import type { Logger } from 'pino';
import type { Jobs, App } from '../unit-of-work/ctx.ts';
import { traced } from '../monitoring/telemetry.ts';
import { recordUnexpectedError } from '../monitoring/unexpected-errors.ts';
import { connectionConfig } from '../database/other-database.ts';
import { keepAliveAfterMs } from '../database/pool.ts';
import { isDatabaseUnavailable } from '../database/unavailable.ts';
import type { DatabaseConnection } from '../database/embedded/listen-address.ts';
import type { JobKind } from './job-kind.ts';

/** One kind of job. */
export type Job = JobKind<App>;

/** The database schema in which pg-boss stores its jobs. */
export const jobSchema = 'job';
/** The queue options of a kind of job. */
export const queueOf = (one: Job) =>
  ({
    policy: 'short',
    retryLimit: one.retryLimit ?? 3,
    retryBackoff: true,
    expireInSeconds: 3600,
    // Jobs that run thousands of times a day are not kept for a week.
    ...(one.everySeconds !== undefined && { deleteAfterSeconds: 3600 }),
  }) as const;

/**
 * Creates the queues of `jobs` that do not exist yet; existing ones are unchanged. `createQueue` would leave
 * them unchanged too, but takes a lock and a transaction for each of some seventy queues at every start.
 */
export async function makeQueues(boss: PgBoss, jobs: Iterable<Job>): Promise<void> {
  const made = new Set((await boss.getQueues()).map(({ name }) => name));
  for (const each of jobs) if (!made.has(each.name)) await boss.createQueue(each.name, queueOf(each));
}

/** Declares a job with the type of its payload. */
export function job<P extends object>(
  spec: Omit<Job, 'run'> & {
    readonly run: (app: App, payload: P, signal: AbortSignal) => Promise<void>;
  },
): Job {
  return spec as Job;
}

const pollEveryMs = 1000;
// In case the poll for all workers failed, each worker also polls by itself.
const ownPollSeconds = 60;
/**
 * How often a job that lost its database is restarted here; a job that crashes the database itself must not
 * do so forever.
 */
const maxReruns = 3;
/** The maximum lifetime of pg-boss's connections, so that none stays with a former primary. */
const connectionSeconds = 60;
/** The kinds that have a job ready to run: one statement instead of some forty a second by the individual workers. */
const readyKinds = `select distinct name from ${jobSchema}.job where state < 'active' and not blocked and start_after <= ${jobSchema}.job_now()`;

// pg-boss passes these to its pool, but its types omit them.
const lastingConnections = {
  keepAlive: true,
  keepAliveInitialDelayMillis: keepAliveAfterMs,
  maxLifetimeSeconds: connectionSeconds,
};

/** The jobs of one process: `send` works immediately, workers run after {@link JobRunner.start}. */
export class JobRunner implements Jobs {
  readonly #boss: PgBoss;
  readonly #jobs: readonly Job[];
  readonly #log: Logger;
  readonly #isScheduled: boolean;
  /** The worker of each kind, by the name of the kind. */
  readonly #workers = new Map<string, string>();
  #pollTimer: NodeJS.Timeout | undefined;
  #polling: Promise<void> | undefined;

  /**
   * If `isScheduled` is false, no job starts by its schedule, only jobs that are sent and jobs that repeat
   * themselves.
   */
  constructor(
    where: DatabaseConnection | string,
    jobs: readonly Job[],
    log: Logger,
    { isScheduled = true }: { isScheduled?: boolean } = {},
  ) {
    // Separate connections: pg-boss parses numbers its own way, and long jobs must not take connections from
    // requests.
    this.#boss = new PgBoss({
      ...connectionConfig(where),
      application_name: 'skytally jobs',
      max: 2,
      ...lastingConnections,
      schema: jobSchema,
      superviseIntervalSeconds: 60,
      schedule: isScheduled,
    });
    this.#boss.on('error', (error) => log.error({ err: error }, 'job machine'));
    this.#jobs = jobs;
    this.#log = log;
    this.#isScheduled = isScheduled;
  }

  /** Creates the queues and starts the workers. */
  async start(app: App): Promise<void> {
    await this.#boss.start();
    await makeQueues(this.#boss, this.#jobs);
    for (const each of this.#jobs) {
      const worker = await this.#boss.work(
        each.name,
        { pollingIntervalSeconds: ownPollSeconds },
        async (batch) => {
          for (const one of batch) {
            // For jobs that run every few seconds, only failures are worth logging.
            const level = each.everySeconds === undefined ? 'info' : 'debug';
            this.#log[level]({ job: each.name, id: one.id }, 'job begins');
            try {
              await this.#run(app, each, one);
            } finally {
              await this.#again(each);
            }
            this.#log[level]({ job: each.name, id: one.id }, 'job ends');
          }
        },
      );
      this.#workers.set(each.name, worker);
      await this.#again(each);
    }
    if (this.#isScheduled) await this.#setCalendar();
    this.#pollTimer = setInterval(() => {
      this.#polling ??= this.#wakeWorkers().finally(() => (this.#polling = undefined));
    }, pollEveryMs);
  }

  /**
   * Stores the schedules that an earlier start has not stored: rewriting all of them takes a tenth of the
   * startup time.
   */
  async #setCalendar(): Promise<void> {
    const known = new Map((await this.#boss.getSchedules()).map((one) => [one.name, one]));
    for (const { name, schedule, everySeconds } of this.#jobs) {
      // If a run cannot queue its successor, the one of the next minute takes over.
      const wanted = schedule ?? (everySeconds === undefined ? undefined : '* * * * *');
      const found = known.get(name);
      if (wanted === undefined || (found?.cron === wanted && found.timezone === 'UTC')) continue;
      await this.#boss.schedule(name, wanted, {}, { tz: 'UTC' });
    }
  }

  /** Makes the workers of all kinds with ready jobs fetch them. A busy worker fetches again as soon as it is done. */
  async #wakeWorkers(): Promise<void> {
    try {
      const { rows } = await this.#boss.getDb().executeSql(readyKinds);
      for (const { name } of rows as readonly { name: string }[]) {
        const worker = this.#workers.get(name);
        if (worker !== undefined) this.#boss.notifyWorker(worker);
      }
    } catch (error) {
      this.#log.warn({ err: error }, 'could not look for jobs; the next look follows');
    }
  }

  /** Queues the next run of a job that runs every few seconds, unless any process has one queued already. */
  async #again({ name, everySeconds }: Job): Promise<void> {
    if (everySeconds === undefined) return;
    await this.#boss.send(name, {}, { startAfter: everySeconds, singletonKey: 'every' });
  }

  async #run(
    app: App,
    { name, run }: Job,
    { data, signal }: { data: unknown; signal: AbortSignal },
  ): Promise<void> {
    try {
      await this.#runThroughOutages(
        app,
        name,
        async () => traced(`job ${name}`, { kind: SpanKind.CONSUMER }, () => run(app, data as never, signal)),
        signal,
      );
    } catch (error) {
      await recordUnexpectedError(app, { source: 'job', place: name, error });
      throw error;
    }
  }

  /**
   * Runs a job, and runs it again when the database that it lost is back. Left to pg-boss, the job would
   * count as running until it expires, because without a database its failure cannot be recorded.
   */
  async #runThroughOutages(
    app: App,
    name: string,
    run: () => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    for (let reruns = 0; ; reruns++) {
      try {
        await run();
        return;
      } catch (error) {
        if (!isDatabaseUnavailable(error) || reruns >= maxReruns) throw error;
        this.#log.warn({ err: error, job: name }, 'job lost the database; it begins anew when that is back');
        await databaseIsBack(app, signal);
      }
    }
  }

  async send(name: string, payload: object, db: Db, key?: string): Promise<void> {
    await this.#boss.send(name, payload, { db, singletonKey: key });
  }

  /** Waits for running jobs (10 s at most), then stops. */
  async stop(): Promise<void> {
    clearInterval(this.#pollTimer);
    await this.#polling;
    await this.#boss.stop({ graceful: true, timeout: 10_000 });
  }
}

/** Resolves when the database accepts writes again. @throws the signal's reason when the job is to end. */
async function databaseIsBack(app: App, signal: AbortSignal): Promise<void> {
  for (;;) {
    await sleep(pollEveryMs, undefined, { signal });
    try {
      const { rows } = await app.database.pool.query<{ isStandby: boolean }>(
        'select pg_is_in_recovery() as "isStandby"',
      );
      if (rows[0]?.isStandby === false) return;
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
    }
  }
}

/**
 * Enqueues jobs without running any: for a command alongside the console, or while it is not running.
 * Connects on first use.
 */
export class JobSender implements Jobs {
  readonly #boss: PgBoss;
  #started: Promise<unknown> | undefined;

  constructor(where: DatabaseConnection | string) {
    this.#boss = new PgBoss({
      ...connectionConfig(where),
      application_name: 'skytally command',
      max: 1,
      schema: jobSchema,
      supervise: false,
      schedule: false,
    });
    // A lost connection is reported by the call that uses it.
    this.#boss.on('error', () => undefined);
  }

  /** Creates `queue` if no console has created it yet. */
  async prepare(queue: Job): Promise<void> {
    this.#started ??= this.#boss.start();
    await this.#started;
    await this.#boss.createQueue(queue.name, queueOf(queue));
  }

  async send(name: string, payload: object, db?: Db, key?: string): Promise<void> {
    this.#started ??= this.#boss.start();
    await this.#started;
    await this.#boss.send(name, payload, { db, singletonKey: key });
  }

  async stop(): Promise<void> {
    if (this.#started) await this.#boss.stop({ graceful: false });
  }
}
