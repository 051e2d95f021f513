// Starts a sandbox's console inside this process: on its own database, without listening, without scheduled
// jobs, and with all outbound calls blocked.
import { connectionTo } from '#platform/server/database/other-database.ts';
import { openDatabase } from '#platform/server/database/db.ts';
import type { Config } from '#platform/server/config.ts';
import type { Clock } from '#platform/server/clock.ts';
import { placeIn } from '#platform/server/files/store/files-place.ts';
import { StepJobs } from '#platform/server/jobs/step-jobs.ts';
import { mailKind } from '#platform/server/mail/mail.ts';
import { OutboxSender, type Sender } from '#platform/server/live/outbox.ts';
import { withCallsClosed } from '#platform/server/outbound/closed-calls.ts';
import { hasCode } from '#platform/server/system-error.ts';
import { Vitals } from '#platform/server/monitoring/vitals.ts';
import type { OpenSandbox, SandboxCall, SandboxPlace } from '#platform/server/sandbox-host.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { everyFeature } from '../every-feature.ts';
import { eventHandlers } from '../event-handlers.ts';
import { jobs } from '../jobs.ts';
import { prepare } from '../prepare.ts';
import { serveCalls } from '../serve-calls.ts';
import { featureSenders, outwardKinds, sendersForReaders } from '../senders.ts';
import type { FastifyInstance } from 'fastify';

const poolSize = 5;
const pollEveryMs = 1000;

/** A running sandbox console, and the means to stop it. */
export type RunningSandbox = OpenSandbox<App> & {
  readonly fastify: FastifyInstance;
  readonly stop: () => Promise<void>;
};

/** The folder of a sandbox's files and secrets, within the console's data directory or bucket. */
export const folderOf = (database: string): string => `sandboxes/${database}`;

/** The settings of a sandbox: those of its console, without anything that leads to another server. */
export function sandboxConfig(config: Config, { id, database }: SandboxPlace, address: string): Config {
  return {
    ...config,
    mode: config.mode === 'test' ? 'test' : 'production',
    sandboxId: id,
    publicUrl: address,
    dataDir: `${config.dataDir}/${folderOf(database)}`,
    files: placeIn(config.files, folderOf(database)),
    backupFiles: placeIn(config.files, `${folderOf(database)}/backups`),
    backupBeforeUpgrade: false,
    databaseUrl: undefined,
    databaseDirectUrl: undefined,
    databaseReadUrl: undefined,
    setupToken: undefined,
    google: undefined,
    oidc: undefined,
    stripe: undefined,
    ecpay: undefined,
    eInvoices: { ecpayApiBase: undefined, ezpayApiBase: undefined },
    sms: undefined,
    smtpUrl: undefined,
    importDir: undefined,
    mqttUrl: undefined,
    eventsUrl: undefined,
    telemetryUrl: undefined,
    privateHosts: [],
    webhookLoopback: false,
  };
}

/** A clock that stands still and never goes back. */
function standingClock(at: Date): Clock & { readonly forward: (to: Date) => void } {
  let now = at.getTime();
  return {
    now: () => new Date(now),
    forward: (to) => {
      now = Math.max(now, to.getTime());
    },
  };
}

/** Sends nothing: the messages stay where they are stored. */
const keeper: Sender = { atOnce: 16, send: async () => undefined, keepsContent: true };

/**
 * Starts a sandbox's console, whose database exists and may be empty. `gone` is called when the database no
 * longer exists, because another console deleted or reset the sandbox.
 */
export async function openSandbox(
  main: App,
  place: SandboxPlace,
  ending: AbortSignal,
  gone: () => void,
): Promise<RunningSandbox> {
  return withCallsClosed(() => start(main, place, ending, gone));
}

async function start(
  main: App,
  place: SandboxPlace,
  ending: AbortSignal,
  gone: () => void,
): Promise<RunningSandbox> {
  const address = `${main.address()}/sandbox/${place.id}`;
  const config = sandboxConfig(main.config, place, address);
  const log = main.log.child({ sandbox: place.id });
  const clock = standingClock(place.clockAt);
  const where = connectionTo(main.database.where, place.database);
  const database = await openDatabase(where, { max: poolSize, log });
  const stepJobs = new StepJobs(where, jobs, log);
  const stopping = new AbortController();
  const signal = AbortSignal.any([stopping.signal, ending]);
  try {
    const prepared = await prepare(config, database, { sources: main.migrations, clock, log });
    const app: App = {
      config,
      address: () => address,
      log,
      clock,
      database,
      migrations: main.migrations,
      files: prepared.files,
      backupFiles: prepared.backupFiles,
      secrets: prepared.secrets,
      jobs: stepJobs,
      eventHandlers,
      translate: main.translate,
      brands: main.brands,
      pageAreas: main.pageAreas,
      mayOpen: main.mayOpen,
      vitals: new Vitals(config.dataDir, clock, log),
      wakeOutbox: () => outbox.wake(),
    };
    const senders = sendersForReaders(app, {
      ...featureSenders(app),
      ...Object.fromEntries([mailKind, ...outwardKinds].map((kind) => [kind, keeper])),
    });
    const outbox = new OutboxSender({ db: database.kysely, senders, log, clock });
    const fastify = await serveCalls(
      app,
      everyFeature({ jobs: () => jobs, kinds: () => Object.keys(senders) }),
    );
    fastify.addHook('onSend', (_request, reply, _payload, done) => {
      // Programs authenticate with a key; a browser at the console must not get signed in to a sandbox.
      reply.removeHeader('set-cookie');
      reply.header('x-sandbox', place.id);
      done();
    });
    await stepJobs.start();
    await fastify.ready();
    await outbox.start();
    const drain = (): Promise<void> => withCallsClosed(() => stepJobs.drain(app, signal));
    const pollTimer = setInterval(() => {
      stepJobs.look();
      void drain().catch((error: unknown) => {
        if (!isGone(error))
          return log.warn({ err: error }, 'could not look for the jobs of a sandbox; the next look follows');
        clearInterval(pollTimer);
        gone();
      });
    }, pollEveryMs);
    pollTimer.unref();
    return {
      app,
      jobs,
      fastify,
      signal,
      forward: clock.forward,
      within: (run) => withCallsClosed(run),
      drain,
      call: (asked) => withCallsClosed(() => callInside(fastify, asked)),
      stop: async () => {
        clearInterval(pollTimer);
        stopping.abort(new Error('the sandbox stops'));
        await fastify.close();
        await stepJobs.stop();
        await outbox.stop();
        await database.close();
      },
    };
  } catch (error) {
    await stepJobs.stop().catch(() => undefined);
    await database.close();
    throw error;
  }
}

/** The database does not exist (PostgreSQL's 3D000). */
const isGone = (error: unknown): boolean => hasCode(error, '3D000');

async function callInside(
  fastify: FastifyInstance,
  { method, path, bearer, body }: SandboxCall,
): Promise<unknown> {
  const answer = await fastify.inject({
    method,
    url: `/api${path}`,
    headers: bearer === undefined ? {} : { authorization: `Bearer ${bearer}` },
    ...(body === undefined ? {} : { payload: body }),
  });
  if (answer.statusCode >= 300)
    throw new Error(`${method} ${path} in a sandbox was answered ${answer.statusCode}: ${answer.payload}`);
  return answer.json<{ data: unknown }>().data;
}
