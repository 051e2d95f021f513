// Monitoring: the health of the console, its database, its messages and its jobs, and recent unexpected errors.
import * as z from 'zod/mini';
import { contract, noInput, route } from '#kernel/contract.ts';
import type { ErrorTable } from '#kernel/errors.ts';
import { instant, month, pageOf, pageQuery, text } from '#kernel/shape.ts';

/** `bad` needs an Admin now, `warning` soon; `off`: not configured. */
export const verdicts = ['good', 'warning', 'bad', 'off'] as const;
export type Verdict = (typeof verdicts)[number];
const verdict = z.enum(verdicts);

/** One minute of this process: percentages with one fraction digit, durations in milliseconds. */
const Reading = z.strictObject({
  at: instant,
  cpu: z.number(),
  memory: z.number(),
  disk: z.number(),
  requests: z.int(),
  failed: z.int(),
  slowestMs: z.number(),
  lagMs: z.number(),
});

/** The unsent messages of one kind. */
export const MessageQueue = z.strictObject({
  kind: z.string(),
  /** Due and not sent yet. */
  waiting: z.int(),
  /** When the oldest of them became due. */
  oldestDueAt: z.nullable(instant),
  /** How many of the waiting ones have failed at least once, and the last error. */
  failing: z.int(),
  lastError: z.nullable(z.string()),
  /** Failed permanently after many attempts. */
  parked: z.int(),
  verdict,
});
export type MessageQueue = z.output<typeof MessageQueue>;

export const JobState = z.strictObject({
  name: z.string(),
  /** A cron expression of five fields, in UTC; null: the job runs only when queued. */
  schedule: z.nullable(z.string()),
  waiting: z.int(),
  active: z.int(),
  /** How long the oldest waiting job has been ready to start. */
  waitedSeconds: z.int(),
  lastDoneAt: z.nullable(instant),
  lastFailedAt: z.nullable(instant),
  /** Permanently failed within the last 24 hours. */
  failed: z.int(),
  verdict,
});
export type JobState = z.output<typeof JobState>;

/** A console on this database that reported its state within the last hour. */
export const ConsoleState = z.strictObject({
  id: z.string(),
  host: z.string(),
  processId: z.int(),
  version: z.string(),
  address: z.string(),
  startedAt: instant,
  memoryBytes: z.number(),
  /** Live connections. */
  clients: z.int(),
  /** How long ago it reported; consoles report every 10 seconds. */
  heardSecondsAgo: z.number(),
  /** How far its machine's clock is ahead of the database's, in milliseconds; negative: behind. */
  clockAheadMs: z.int(),
  verdict,
});
export type ConsoleState = z.output<typeof ConsoleState>;

/** The replica that serves lists, statistics, exports and dashboards (DATABASE_READ_URL). */
const ReplicaState = z.strictObject({
  /** Why the primary serves reads instead; null while the replica does. */
  problem: z.nullable(z.enum(['away', 'late', 'other_database'])),
  /** How far it lags behind the primary, measured within the last second. */
  lagMs: z.int(),
  lagBytes: z.number(),
  /** Whether the address leads to the primary itself. */
  isPrimary: z.boolean(),
  /** Reads since the start that the replica served, and those that the primary served in its place. */
  answered: z.int(),
  passedOn: z.int(),
  verdict,
});

export const Monitoring = z.strictObject({
  asOf: instant,
  process: z.strictObject({
    version: z.string(),
    node: z.string(),
    host: z.string(),
    processId: z.int(),
    startedAt: instant,
    memoryBytes: z.number(),
    verdict,
  }),
  /** The last hour of this process, oldest minute first. */
  readings: z.array(Reading),
  database: z.strictObject({
    version: z.string(),
    isEmbedded: z.boolean(),
    bytes: z.number(),
    /** The duration of the simplest query. */
    answerMs: z.number(),
    connections: z.int(),
    mostConnections: z.int(),
    /** How long the oldest open transaction has been open. */
    longestSeconds: z.number(),
    /** The share of page reads served from memory, in percent; null when there were none. */
    cachePercent: z.nullable(z.number()),
    migrations: z.int(),
    lastMigration: z.string(),
    /**
     * The largest tables, including partitions and indexes; `rows` is the planner's estimate, 0 when there is
     * none.
     */
    tables: z.array(z.strictObject({ name: z.string(), bytes: z.number(), rows: z.number() })),
    /** The replica of this process; null without one. */
    replica: z.nullable(ReplicaState),
    verdict,
  }),
  /** All consoles on this database, in the order of their start. */
  consoles: z.array(ConsoleState),
  /** Whether connections go through a pooler. */
  isPooled: z.boolean(),
  /** Where files, backups and past usage events are stored; `problem` is why a place cannot be used now. */
  files: z.array(
    z.strictObject({
      use: z.enum(['files', 'backups', 'events']),
      place: z.string(),
      problem: z.nullable(z.string()),
      verdict,
    }),
  ),
  /**
   * Months of raw usage events that were moved from the database to files or ClickHouse; null when there are
   * none. `bytes` is the size of the files.
   */
  archive: z.nullable(
    z.strictObject({
      months: z.int(),
      since: month,
      until: month,
      events: z.int(),
      bytes: z.number(),
    }),
  ),
  live: z.strictObject({ clients: z.int(), subscriptions: z.int(), verdict }),
  lanes: z.array(MessageQueue),
  jobs: z.array(JobState),
  /** Unexpected errors within the last 24 hours. */
  faults: z.int(),
});
export type Monitoring = z.output<typeof Monitoring>;

export const errorSources = ['request', 'job'] as const;
export const UnexpectedError = z.strictObject({
  id: z.string(),
  at: instant,
  source: z.enum(errorSources),
  place: z.string(),
  requestId: z.nullable(z.string()),
  message: z.string(),
});
export type UnexpectedError = z.output<typeof UnexpectedError>;

const admin = { roles: ['Admin'] } as const;

export const monitoring = contract({
  monitoring: route({
    method: 'GET',
    path: '/admin/monitoring',
    access: admin,
    summary: 'Get monitoring',
    description: 'How this process, its database, messages, and jobs are doing.',
    input: noInput,
    output: Monitoring,
  }),
  listFaults: route({
    method: 'GET',
    path: '/admin/monitoring/faults',
    access: admin,
    summary: 'List errors',
    description:
      'Requests and jobs that failed because of an error in the console, newest first, kept for 30 days. `q` matches a request ID or part of the location.',
    input: z.strictObject({ ...pageQuery, source: z.optional(z.enum(errorSources)) }),
    output: pageOf(UnexpectedError),
  }),
  retryParked: route({
    method: 'POST',
    path: '/admin/monitoring/lanes/:kind/retry',
    access: admin,
    summary: 'Retry undelivered messages',
    description:
      'Resends messages that were given up. Each keeps its ID, so that recipients can recognize repeats.',
    input: z.strictObject({ kind: text(60) }),
    output: z.strictObject({ retried: z.int() }),
  }),
});

export const monitoringErrors = { 'monitoring.lane_unknown': 404 } as const satisfies ErrorTable;
