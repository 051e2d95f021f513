// Long work: jobs on pg-boss, started in the transaction that asks for them, safe to repeat.
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

/** The database schema that pg-boss keeps its jobs in. */
export const jobSchema = 'job';
/** How a kind of job is queued. */
export const queueOf = (one: Job) =>
  ({
    policy: 'short',
    retryLimit: one.retryLimit ?? 3,
    retryBackoff: true,
    expireInSeconds: 3600,
    // What ran thousands of times a day is not kept for a week.
    ...(one.everySeconds !== undefined && { deleteAfterSeconds: 3600 }),
  }) as const;

/**
 * Makes the queues of `jobs` that no start has made yet. One that is there stays as it was made, as `createQueue` leaves it too; but that
 * takes a lock and a transaction for each of some seventy, at every start.
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

const lookEveryMs = 1000;
// A worker looks by itself as well, for when the look for all of them failed.
const ownLookSeconds = 60;
/** How often a job that lost its database begins anew here; one that brings it down itself must not do so for ever. */
const maxReruns = 3;
/** A connection of the job machine is replaced after so long, so that none stays with a server that is the primary no more. */
const connectionSeconds = 60;
/** Kinds with a job that may begin: one statement where each worker's own would be some forty a second. */
const readyKinds = `select distinct name from ${jobSchema}.job where state < 'active' and not blocked and start_after <= ${jobSchema}.job_now()`;

// The job machine passes these to its pool, though its types do not tell.
const lastingConnections = {
  keepAlive: true,
  keepAliveInitialDelayMillis: keepAliveAfterMs,
  maxLifetimeSeconds: connectionSeconds,
};

/** The jobs of one process: `send` works at once, workers run after {@link JobRunner.start}. */
export class JobRunner implements Jobs {
  readonly #boss: PgBoss;
  readonly #jobs: readonly Job[];
  readonly #log: Logger;
  readonly #isScheduled: boolean;
  /** The worker of each kind, by its name. */
  readonly #workers = new Map<string, string>();
  #looks: NodeJS.Timeout | undefined;
  #look: Promise<void> | undefined;

  /** With `isScheduled` false nothing begins by the calendar, only what is sent and what follows itself. */
  constructor(
    where: DatabaseConnection | string,
    jobs: readonly Job[],
    log: Logger,
    { isScheduled = true }: { isScheduled?: boolean } = {},
  ) {
    // Connections of its own: it reads numbers its own way, and long jobs must not take requests' connections.
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

  /** Makes the queues and begins to work. */
  async start(app: App): Promise<void> {
    await this.#boss.start();
    await makeQueues(this.#boss, this.#jobs);
    for (const each of this.#jobs) {
      const worker = await this.#boss.work(
        each.name,
        { pollingIntervalSeconds: ownLookSeconds },
        async (batch) => {
          for (const one of batch) {
            // Of what runs every few seconds only failures are worth a line.
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
    this.#looks = setInterval(() => {
      this.#look ??= this.#wakeWorkers().finally(() => (this.#look = undefined));
    }, lookEveryMs);
  }

  /** Notes when each kind begins by the calendar, where a former start has not: reading and storing them all takes a tenth of a start. */
  async #setCalendar(): Promise<void> {
    const known = new Map((await this.#boss.getSchedules()).map((one) => [one.name, one]));
    for (const { name, schedule, everySeconds } of this.#jobs) {
      // A run that could not leave the next one is followed by that of the minute.
      const wanted = schedule ?? (everySeconds === undefined ? undefined : '* * * * *');
      const found = known.get(name);
      if (wanted === undefined || (found?.cron === wanted && found.timezone === 'UTC')) continue;
      await this.#boss.schedule(name, wanted, {}, { tz: 'UTC' });
    }
  }

  /** Sends the workers of all jobs that may begin to fetch them. One that is busy fetches again as soon as it is done. */
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

  /** Leaves the next run of a job that runs every few seconds; one that waits already, of whichever process, is enough. */
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
   * Runs a job, and once more when the database comes back that it lost. Left to the job machine, it would count as running
   * until it expires: without a database nobody can say that it failed.
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
    await this.#boss.send(name, payload, { db, ...(key === undefined ? {} : { singletonKey: key }) });
  }

  /** Lets running jobs end (10 s at most), then stops. */
  async stop(): Promise<void> {
    clearInterval(this.#looks);
    await this.#look;
    await this.#boss.stop({ graceful: true, timeout: 10_000 });
  }
}

/** Resolves when the database takes writes again. @throws the signal's reason when the job is to end. */
async function databaseIsBack(app: App, signal: AbortSignal): Promise<void> {
  for (;;) {
    await sleep(lookEveryMs, undefined, { signal });
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

/** Leaves jobs without working on any: for a command beside the console, or while it does not run. Connects when it first has to. */
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
