// Starts the whole console (database, features, jobs, live updates, pages) and stops it in order.
import type { Registry } from 'prom-client';
import type { FastifyInstance } from 'fastify';
import { allTexts } from '#platform/server/http/locales-http.ts';
import { createTranslator } from '#kernel/translate.ts';
import { startBroker } from '#platform/server/live/broker.ts';
import { developmentClock, systemClock, type Clock, type DevelopmentClock } from '#platform/server/clock.ts';
import type { Config } from '#platform/server/config.ts';
import { StartRefused } from '#platform/server/start-refused.ts';
import { unlessStopped } from '#platform/server/stop-signal.ts';
import { withWriteAdvice } from '#platform/server/write-advice.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { openDatabase } from '#platform/server/database/db.ts';
import { connectionConfig } from '#platform/server/database/other-database.ts';
import { databaseClock } from '#platform/server/database/store-database-clock.ts';
import { Replica } from '#platform/server/database/replica.ts';
import { startEmbeddedPostgres } from '#platform/server/database/embedded/embedded-postgres.ts';
import type { DatabaseConnection } from '#platform/server/database/embedded/listen-address.ts';
import { isOwnOrigin } from '#platform/server/http/admission.ts';
import { JobRunner } from '#platform/server/jobs/jobs.ts';
import type { Log } from '#platform/server/log.ts';
import { inboxSender, mailKind, mailSender } from '#platform/server/mail/mail.ts';
import { DevelopmentInbox } from '#platform/server/mail/mail-inbox.ts';
import { peerAddress } from '#platform/server/http/peer.ts';
import { migrationSources } from '#platform/server/database/migration-files.ts';
import { serveOperatorEndpoints } from '#platform/server/monitoring/operator-endpoints.ts';
import { OutboxSender, type Sender } from '#platform/server/live/outbox.ts';
import { servePages } from '#platform/server/http/pages.ts';
import { hasCode } from '#platform/server/system-error.ts';
import { startPresence } from '#platform/server/monitoring/presence.ts';
import { Vitals } from '#platform/server/monitoring/vitals.ts';
import { signInOrigins } from '#features/access/federation/server/index.ts';
import { hasAdmin } from '#features/access/identity/server/index.ts';
import { embedScript, portalPaths } from '#features/access/portal/contract.ts';
import { frameAncestors } from '#features/access/portal/server/index.ts';
import { cardEntryPath } from '#features/receivables/collection/contract.ts';
import { checkoutOrigins, entryOrigins } from '#features/receivables/gateways/server/index.ts';
import { setupToken } from '#features/operations/administration/server/index.ts';
import { resellerBrands } from '#features/selling/resale/server/index.ts';
import { addConnectorMetrics } from '#features/metering/connectors/server/index.ts';
import { addDataExportMetrics } from '#features/operations/data-exports/server/index.ts';
import { addAuditExportMetrics } from '#features/messaging/audit-exports/server/index.ts';
import { addEventStreamMetrics, stopEventStreams } from '#features/metering/event-streams/server/index.ts';
import { addReconciliationMetrics } from '#features/metering/reconciliation/server/index.ts';
import { featureOrder } from './feature-order.ts';
import { pageBrandOf } from './page-brand.ts';
import { serveDebug } from './debug.ts';
import { everyFeature } from './every-feature.ts';
import { featureSenders, sendersForReaders } from './senders.ts';
import { serveCalls } from './serve-calls.ts';
import { sandboxHost } from './sandboxes/host.ts';
import { serveSandboxes } from './sandboxes/serve-sandboxes.ts';
import { jobs } from './jobs.ts';
import { prepare } from './prepare.ts';
import { liveAdmission, liveReview } from './live-admission.ts';
import { waitsForReplica } from './replica-reads.ts';
import { outsideEventsPattern, takeOutsideMessage } from './outside-metering.ts';
import { eventHandlers } from './event-handlers.ts';
import { languageFolders } from './language-packs.ts';
import { namespaces } from './locales/namespaces.ts';
import { mayOpen } from './menu.ts';
import { pageAreas } from './page-areas.ts';

const poolSize = 16;

/** A running console. */
export type RunningConsole = {
  readonly app: App;
  readonly fastify: FastifyInstance;
  /** The address that users open: PUBLIC_URL, else the listening address. */
  readonly address: string;
  /** The address it listens on. */
  readonly listening: string;
  /** The one-time setup address; undefined once the console is set up. */
  readonly setupAddress: string | undefined;
  /**
   * Stops in order: accepts no new requests, finishes running ones, ends the jobs, and stops the database
   * last.
   */
  readonly stop: () => Promise<void>;
};

/**
 * Starts the console. `webDirectory` holds the built browser application; without it only the API is served.
 * `databaseLost` is called when the embedded database ends unexpectedly. `stop` stops the start at any moment:
 * the embedded database ends, and the start rejects with the signal's reason; the process must then exit.
 */
export async function startConsole(
  config: Config,
  options: {
    log: Log;
    clock?: Clock;
    webDirectory: Promise<string | undefined>;
    databaseLost: () => void;
    durable?: boolean;
    stop?: AbortSignal;
  },
): Promise<RunningConsole> {
  const { log } = options;
  const development = developmentClock();
  const clock = options.clock ?? (config.mode === 'development' ? development : systemClock());
  const embedded = config.databaseUrl
    ? undefined
    : await startEmbeddedPostgres({
        dataDir: config.dataDir,
        log,
        onExit: options.databaseLost,
        stop: options.stop,
        durable: options.durable,
      });
  try {
    const where: DatabaseConnection | string =
      embedded?.connection ?? config.databaseDirectUrl ?? config.databaseUrl ?? '';
    const starting = startOn(where, config, {
      ...options,
      clock,
      followsDatabase: embedded === undefined && options.clock === undefined && config.mode !== 'development',
      development: config.mode === 'development' ? development : undefined,
    });
    // A migration may take minutes; it is rolled back.
    const running = await unlessStopped(options.stop, starting, async () => embedded?.stop());
    return {
      ...running,
      stop: async () => {
        await running.stop();
        await embedded?.stop();
      },
    };
  } catch (error) {
    await embedded?.stop();
    throw embedded === undefined ? error : withWriteAdvice(error, config.dataDir);
  }
}

/**
 * Prepares an external database for this release, as a start does, and exits: run it as one job before
 * several consoles are replaced.
 * @throws StartRefused as a start does, and for the embedded database, which each start prepares itself.
 */
export async function prepareOutsideDatabase(config: Config, log: Log): Promise<void> {
  const where = config.databaseDirectUrl ?? config.databaseUrl;
  if (where === undefined)
    throw new StartRefused(
      'The embedded database is made ready by each start. Set DATABASE_URL, or run npm start.',
    );
  const database = await openDatabase(where, { max: 2, log });
  try {
    await prepare(config, database, { sources: migrationSources(featureOrder), clock: systemClock(), log });
  } finally {
    await database.close();
  }
}

/** Sends traces and metrics if a collector is configured. @returns a function that sends the rest and stops */
async function sendTelemetry(
  { telemetryUrl }: Config,
  metrics: Registry,
  options: { readonly log: Log; readonly clock: Clock },
): Promise<() => Promise<void>> {
  if (telemetryUrl === undefined) return async () => undefined;
  const { startTelemetry } = await import('#platform/server/monitoring/telemetry-export.ts');
  return startTelemetry(telemetryUrl, metrics, options);
}

/** Starts the console on an existing database. */
export async function startOn(
  where: DatabaseConnection | string,
  config: Config,
  options: {
    log: Log;
    clock: Clock;
    /** Whether to use the database's clock, which several consoles share; otherwise `clock` is used. */
    followsDatabase?: boolean;
    development?: DevelopmentClock;
    webDirectory: Promise<string | undefined>;
  },
): Promise<RunningConsole> {
  const { log } = options;
  const primary = await openDatabase(where, {
    max: poolSize,
    log,
    pooler: config.databaseDirectUrl === undefined ? undefined : config.databaseUrl,
  });
  const migrations = migrationSources(featureOrder);
  const follower =
    options.followsDatabase === true ? await databaseClock(options.clock, primary.pool, log) : undefined;
  const clock = follower ?? options.clock;
  const closing = async (error: unknown): Promise<never> => {
    await follower?.stop();
    await primary.close();
    throw error;
  };
  const prepared = await prepare(config, primary, { sources: migrations, clock, log }).catch(closing);
  const replica =
    config.databaseReadUrl === undefined
      ? undefined
      : await Replica.open(config.databaseReadUrl, primary.pool, log).catch(closing);
  const database = { ...primary, ...(replica && { replica }) };
  // Tests move a console's clock and run jobs explicitly: schedules would close months that they are looking
  // at.
  const jobRunner = new JobRunner(where, jobs, log, { isScheduled: config.mode !== 'test' });
  // Known only after listening: port 0 selects any free port.
  let port = config.port;
  const listening = (): string =>
    `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
  const address = (): string => config.publicUrl ?? listening();
  const vitals = new Vitals(config.dataDir, clock, log);
  const sandboxes = sandboxHost(() => app);
  const app: App = {
    config,
    address,
    log,
    clock,
    database,
    migrations,
    ...prepared,
    jobs: jobRunner,
    eventHandlers,
    translate: createTranslator(allTexts(namespaces, languageFolders)),
    brands: resellerBrands,
    pageAreas,
    mayOpen,
    vitals,
    wakeOutbox: () => outbox.wake(),
    sandboxes,
  };
  const inbox = new DevelopmentInbox();
  const senders = sendersOf(app, inbox);
  const outbox = new OutboxSender({ db: database.kysely, senders, log, clock });

  const all = everyFeature({ jobs: () => jobs, kinds: () => Object.keys(senders) });
  const fastify = await serveCalls(app, all);
  serveSandboxes(fastify, app, sandboxes);
  const metrics = serveOperatorEndpoints(fastify, app);
  addFeatureMetrics(metrics, app);
  if (options.development) serveDebug(fastify, app, options.development, inbox);
  const webDirectory = await options.webDirectory;
  if (webDirectory)
    await servePages(fastify, {
      directory: webDirectory,
      origins: { ...signInOrigins(config), form: checkoutOrigins(config) },
      originsOf: (path) => (path === cardEntryPath ? entryOrigins(config) : undefined),
      ancestors: async ({ pathname, searchParams }) =>
        pathname === portalPaths.embed ? frameAncestors(app, searchParams.get('link') ?? undefined) : [],
      brandOf: pageBrandOf(app),
      scripts: [embedScript],
    });

  const stopTelemetry = await sendTelemetry(config, metrics, { log, clock });
  await listen(fastify, config).catch(closing);
  port = portOf(fastify);
  const broker = await startBroker({
    server: fastify.server,
    connection: connectionConfig(where),
    log,
    admit: liveAdmission(app),
    review: liveReview(app),
    ...(replica && {
      late: { isLate: waitsForReplica, caughtUp: () => replica.caughtUp() },
    }),
    addressOf: peerAddress(config.trustProxy),
    // A client without an Origin header is not a browser; live-admission.ts accepts only API keys from it.
    originAllowed: async (request) =>
      request.headers.origin === undefined ||
      (await isOwnOrigin(app, request.headers.host ?? '', request.headers.origin)),
  });
  const outsideBroker =
    config.mqttUrl === undefined
      ? undefined
      : (await import('#platform/server/live/outside-broker.ts')).readOutsideBroker({
          url: config.mqttUrl,
          connection: connectionConfig(where),
          pattern: outsideEventsPattern,
          take: takeOutsideMessage(app),
          log,
        });
  vitals.live = () => ({ clients: broker.clients(), subscriptions: broker.subscriptions() });
  vitals.start();
  const presence = await startPresence(app, listening);
  await prepared.recordUpgrade(app);
  await outbox.start();
  await jobRunner.start(app);

  const open = !(await hasAdmin(database.kysely));
  return {
    app,
    fastify,
    address: address(),
    listening: listening(),
    setupAddress: open ? `${address()}/system/initialization?token=${setupToken(app)}` : undefined,
    stop: async () => {
      vitals.stop();
      await presence.stop();
      await outsideBroker?.close();
      await stopEventStreams(app);
      await broker.close();
      sandboxes.endSoon();
      await fastify.close();
      await jobRunner.stop();
      await sandboxes.stop();
      await outbox.stop();
      // Some of the last metrics are read from the database.
      await stopTelemetry();
      await replica?.close();
      await follower?.stop();
      await database.close();
    },
  };
}

/** Adds the metrics of features. */
function addFeatureMetrics(metrics: Registry, app: App): void {
  addConnectorMetrics(metrics, app);
  addEventStreamMetrics(metrics, app);
  addAuditExportMetrics(metrics, app);
  addReconciliationMetrics(metrics, app);
  addDataExportMetrics(metrics, app);
}

/** The senders of all kinds of outbox messages: e-mail, and those of the features. */
function sendersOf(app: App, inbox: DevelopmentInbox): Readonly<Record<string, Sender>> {
  const mails = mailSenderOf(app, inbox);
  return sendersForReaders(app, { ...(mails && { [mailKind]: mails }), ...featureSenders(app) });
}

function mailSenderOf(
  { config: { smtpUrl, mailFrom, mode }, clock }: App,
  inbox: DevelopmentInbox,
): Sender | undefined {
  if (smtpUrl !== undefined) return mailSender(smtpUrl, mailFrom);
  return mode === 'development' ? inboxSender(inbox, mailFrom, () => clock.now()) : undefined;
}

/** @throws StartRefused when the settings select an address that this machine or its user does not have. */
async function listen(fastify: FastifyInstance, { host, port }: Config): Promise<void> {
  try {
    await fastify.listen({ host, port });
  } catch (error) {
    const advice = hasCode(error, 'EADDRINUSE')
      ? 'Another program is using this port; perhaps another console. End it, or set PORT to another port.'
      : hasCode(error, 'EACCES')
        ? 'This user may not listen on it. Set PORT to a port of 1024 or above.'
        : hasCode(error, 'EADDRNOTAVAIL', 'ENOTFOUND')
          ? 'It is no address of this machine. Correct HOST.'
          : undefined;
    if (advice === undefined) throw error;
    throw new StartRefused(`The console cannot listen on port ${port} of ${host}. ${advice}`, {
      cause: error,
    });
  }
}

function portOf(fastify: FastifyInstance): number {
  const address = fastify.server.address();
  return typeof address === 'object' && address ? address.port : 0;
}
