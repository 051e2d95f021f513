// Collects the data of the monitoring page in one answer.
import { hostname } from 'node:os';
import { asError } from '#kernel/errors.ts';
import { seenConsoles } from '#platform/server/monitoring/store-console-processes.ts';
import type { App, Ctx } from '#platform/server/unit-of-work/ctx.ts';
import { mailKind } from '#platform/server/mail/mail.ts';
import type { Job } from '#platform/server/jobs/jobs.ts';
import { credentialsHidden } from '#platform/server/log.ts';
import { version } from '#platform/server/version.ts';
import type { ConsoleState, JobState, MessageQueue, Monitoring } from '../contract.ts';
import { archiveTotals, assertClickhouse } from '#features/metering/usage/server/index.ts';
import {
  consoleVerdict,
  databaseVerdict,
  jobVerdict,
  processVerdict,
  queueVerdict,
  replicaVerdict,
  worst,
} from '../rules.ts';
import { countUnexpectedErrors, databaseNow, jobsNow, messageQueueStates } from './store.ts';

/** The console's jobs and message kinds, passed in by the app. */
export type ConsoleParts = { readonly jobs: () => readonly Job[]; readonly kinds: () => readonly string[] };

const emptyQueue = { waiting: 0, oldestDueAt: null, failing: 0, lastError: null, parked: 0 };
const noJob = { waiting: 0, active: 0, waitedSeconds: 0, lastDoneAt: null, lastFailedAt: null, failed: 0 };

async function messageQueues(ctx: Ctx, consoleParts: ConsoleParts): Promise<MessageQueue[]> {
  const sent = consoleParts.kinds();
  const found = new Map((await messageQueueStates(ctx)).map((queue) => [queue.kind, queue]));
  // E-mail is listed even without an SMTP server, because it matters that no mail is sent.
  const kinds = [...new Set([mailKind, ...sent, ...found.keys()])].toSorted();
  return kinds.map((kind) => {
    const queue = { ...emptyQueue, ...found.get(kind), kind };
    return { ...queue, verdict: queueVerdict({ ...queue, isOn: sent.includes(kind) }, ctx.now) };
  });
}

async function jobs(ctx: Ctx, consoleParts: ConsoleParts): Promise<JobState[]> {
  const found = await jobsNow(ctx);
  return consoleParts.jobs().map(({ name, schedule }) => {
    const state = found.get(name) ?? noJob;
    return { name, schedule: schedule ?? null, ...state, verdict: jobVerdict(state) };
  });
}

async function consoles(ctx: Ctx): Promise<ConsoleState[]> {
  const seen = await seenConsoles(ctx.db);
  // The console that started last runs the newest release.
  const newest = seen.at(-1)?.version ?? version;
  return seen.map((one) => ({ ...one, verdict: consoleVerdict(one, newest) }));
}

async function filePlaces({ files, backupFiles, config: { eventsUrl } }: App): Promise<Monitoring['files']> {
  const places = [
    { use: 'files', place: files.place, check: files.check },
    { use: 'backups', place: backupFiles.place, check: backupFiles.check },
    ...(eventsUrl === undefined
      ? []
      : [
          {
            use: 'events',
            place: credentialsHidden(eventsUrl),
            check: () => assertClickhouse(eventsUrl),
          } as const,
        ]),
  ] as const;
  return Promise.all(
    places.map(async ({ use, place, check }) => {
      const problem = await check().then(
        () => null,
        (error: unknown) => asError(error).message,
      );
      return { use, place, problem, verdict: problem === null ? 'good' : 'bad' } as const;
    }),
  );
}

function replicaState({ database }: App): Monitoring['database']['replica'] {
  const now = database.replica?.now();
  return now === undefined ? null : { ...now, verdict: replicaVerdict(now) };
}

/** Creates the API call. */
export function monitoringOf(consoleParts: ConsoleParts): (ctx: Ctx) => Promise<Monitoring> {
  return async (ctx) => {
    const readings = [...ctx.app.vitals.readings()];
    const database = await databaseNow(ctx);
    const live = ctx.app.vitals.live();
    const replica = replicaState(ctx.app);
    return {
      asOf: ctx.now,
      process: {
        version,
        node: process.version,
        host: hostname(),
        processId: process.pid,
        startedAt: ctx.app.vitals.startedAt,
        memoryBytes: process.memoryUsage.rss(),
        verdict: processVerdict(readings.at(-1)),
      },
      readings,
      database: {
        ...database,
        isEmbedded: ctx.app.config.databaseUrl === undefined,
        replica,
        verdict: worst(databaseVerdict(database), replica?.verdict ?? 'good'),
      },
      consoles: await consoles(ctx),
      isPooled: ctx.app.config.databaseDirectUrl !== undefined,
      files: await filePlaces(ctx.app),
      archive: await archiveTotals(ctx.db),
      live: { ...live, verdict: 'good' },
      lanes: await messageQueues(ctx, consoleParts),
      jobs: await jobs(ctx, consoleParts),
      faults: await countUnexpectedErrors(ctx),
    };
  };
}
