// The sandboxes that run in this process: started on first use, stopped when idle, and with the console.
import { rm } from 'node:fs/promises';
import pg from 'pg';
import { administer, withClient } from '#platform/server/database/other-database.ts';
import { openFiles } from '#platform/server/files/store/open-files.ts';
import { placeIn } from '#platform/server/files/store/files-place.ts';
import type { SandboxHost, SandboxPlace } from '#platform/server/sandbox-host.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { folderOf, openSandbox, type RunningSandbox } from './open-sandbox.ts';
import { madeBy, ownRole, sandboxDatabases } from './store.ts';

const idleMs = 15 * 60_000;
const pollEveryMs = 30_000;

type OpenSandbox = {
  readonly place: SandboxPlace;
  readonly running: Promise<RunningSandbox>;
  users: number;
  lastUsedMs: number;
};

export type RunningSandboxes = SandboxHost<App> & {
  /** Like {@link SandboxHost.use}, for callers that need the sandbox's server. */
  readonly useRunning: <T>(place: SandboxPlace, run: (sandbox: RunningSandbox) => Promise<T>) => Promise<T>;
  /** Asks running work to end soon and prevents new work. */
  readonly endSoon: () => void;
  /** Stops all of them. */
  readonly stop: () => Promise<void>;
};

/** `mainApp` returns the console, which is known only once it is created. */
export function sandboxHost(mainApp: () => App): RunningSandboxes {
  const sandboxes = new Map<string, OpenSandbox>();
  const ending = new AbortController();

  const stopSandbox = async (database: string): Promise<void> => {
    const entry = sandboxes.get(database);
    if (!entry) return;
    sandboxes.delete(database);
    try {
      await (await entry.running).stop();
    } catch (error) {
      mainApp().log.warn({ err: error, database }, 'a sandbox did not stop in order');
    }
  };
  /** Another console has dropped the sandbox's database, so nothing of it may keep running here. */
  const stopDropped = ({ id, database }: SandboxPlace): void => {
    mainApp().log.info({ sandbox: id, database }, 'the database of a sandbox is no more; it stops here');
    void stopSandbox(database);
  };
  const idleCheck = setInterval(() => {
    for (const [database, { users, lastUsedMs }] of sandboxes)
      if (users === 0 && performance.now() - lastUsedMs > idleMs) void stopSandbox(database);
  }, pollEveryMs);
  idleCheck.unref();

  const useRunning: RunningSandboxes['useRunning'] = async (place, run) => {
    ending.signal.throwIfAborted();
    let entry = sandboxes.get(place.database);
    if (!entry) {
      entry = {
        place,
        running: openSandbox(mainApp(), place, ending.signal, () => stopDropped(place)),
        users: 0,
        lastUsedMs: performance.now(),
      };
      sandboxes.set(place.database, entry);
      // A sandbox that was reset has abandoned its old database.
      for (const [database, other] of sandboxes)
        if (other.place.id === place.id && database !== place.database && other.users === 0)
          void stopSandbox(database);
    }
    entry.users += 1;
    try {
      const sandbox = await entry.running;
      sandbox.forward(place.clockAt);
      return await run(sandbox);
    } catch (error) {
      // A sandbox that failed to start is started anew the next time.
      await entry.running.catch(
        () => sandboxes.get(place.database) === entry && sandboxes.delete(place.database),
      );
      throw error;
    } finally {
      entry.users -= 1;
      entry.lastUsedMs = performance.now();
    }
  };

  return {
    useRunning,
    use: useRunning,
    createDatabase: async (database) => {
      const { where } = mainApp().database;
      const name = pg.escapeIdentifier(database);
      await administer(where, `create database ${name} template template0 encoding 'UTF8'`);
      await withClient(where, async (client) => {
        await client.query(`comment on database ${name} is ${pg.escapeLiteral(await madeBy(client))}`);
      });
    },
    role: () => withClient(mainApp().database.where, ownRole),
    dropDatabase: async (database) => {
      await stopSandbox(database);
      const { config, database: own } = mainApp();
      await administer(own.where, `drop database if exists ${pg.escapeIdentifier(database)} with (force)`);
      const folder = folderOf(database);
      if (config.files.kind === 's3') {
        const files = await openFiles(placeIn(config.files, folder));
        await files.remove((await files.list('')).map(({ name }) => name));
      }
      await rm(`${config.dataDir}/${folder}`, { recursive: true, force: true });
    },
    databases: () => withClient(mainApp().database.where, sandboxDatabases),
    endSoon: () => ending.abort(new Error('the console stops')),
    stop: async () => {
      clearInterval(idleCheck);
      await Promise.all([...sandboxes.keys()].map(stopSandbox));
    },
  };
}
