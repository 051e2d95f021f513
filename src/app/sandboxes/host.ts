// The sandboxes that run in this process: started on first use, stopped when idle, and with the console.
import { rm } from 'node:fs/promises';
import pg from 'pg';
import { administer, withClient } from '#platform/server/database/other-database.ts';
import { openFiles } from '#platform/server/files/store/open-files.ts';
import { placeIn } from '#platform/server/files/store/files-place.ts';
import type { SandboxHost, SandboxPlace } from '#platform/server/sandbox-host.ts';
import type { App } from '#platform/server/unit-of-work/ctx.ts';
import { madeBy, ownRole, sandboxDatabases } from '#platform/server/database/store-sandbox-databases.ts';
import { folderOf, openSandbox, type RunningSandbox } from './open-sandbox.ts';

const restMs = 15 * 60_000;
const pollEveryMs = 30_000;

type Held = {
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

/** `main` returns the console, which is known only once it is created. */
export function sandboxHost(main: () => App): RunningSandboxes {
  const held = new Map<string, Held>();
  const ending = new AbortController();

  const letGo = async (database: string): Promise<void> => {
    const one = held.get(database);
    if (!one) return;
    held.delete(database);
    try {
      await (await one.running).stop();
    } catch (error) {
      main().log.warn({ err: error, database }, 'a sandbox did not stop in order');
    }
  };
  /** Another console has dropped the sandbox's database, so nothing of it may keep running here. */
  const forget = ({ id, database }: SandboxPlace): void => {
    main().log.info({ sandbox: id, database }, 'the database of a sandbox is no more; it stops here');
    void letGo(database);
  };
  const rests = setInterval(() => {
    for (const [database, { users, lastUsedMs }] of held)
      if (users === 0 && performance.now() - lastUsedMs > restMs) void letGo(database);
  }, pollEveryMs);
  rests.unref();

  const useRunning: RunningSandboxes['useRunning'] = async (place, run) => {
    ending.signal.throwIfAborted();
    let one = held.get(place.database);
    if (!one) {
      one = {
        place,
        running: openSandbox(main(), place, ending.signal, () => forget(place)),
        users: 0,
        lastUsedMs: performance.now(),
      };
      held.set(place.database, one);
      // A sandbox that was reset has abandoned its old database.
      for (const [database, other] of held)
        if (other.place.id === place.id && database !== place.database && other.users === 0)
          void letGo(database);
    }
    one.users += 1;
    try {
      const sandbox = await one.running;
      sandbox.forward(place.clockAt);
      return await run(sandbox);
    } catch (error) {
      // A sandbox that failed to start is started anew the next time.
      await one.running.catch(() => held.get(place.database) === one && held.delete(place.database));
      throw error;
    } finally {
      one.users -= 1;
      one.lastUsedMs = performance.now();
    }
  };

  return {
    useRunning,
    use: useRunning,
    createDatabase: async (database) => {
      const { where } = main().database;
      const name = pg.escapeIdentifier(database);
      await administer(where, `create database ${name} template template0 encoding 'UTF8'`);
      await withClient(where, async (client) => {
        await client.query(`comment on database ${name} is ${pg.escapeLiteral(await madeBy(client))}`);
      });
    },
    role: () => withClient(main().database.where, ownRole),
    dropDatabase: async (database) => {
      await letGo(database);
      const { config, database: own } = main();
      await administer(own.where, `drop database if exists ${pg.escapeIdentifier(database)} with (force)`);
      const folder = folderOf(database);
      if (config.files.kind === 's3') {
        const files = await openFiles(placeIn(config.files, folder));
        await files.remove((await files.list('')).map(({ name }) => name));
      }
      await rm(`${config.dataDir}/${folder}`, { recursive: true, force: true });
    },
    databases: () => withClient(main().database.where, sandboxDatabases),
    endSoon: () => ending.abort(new Error('the console stops')),
    stop: async () => {
      clearInterval(rests);
      await Promise.all([...held.keys()].map(letGo));
    },
  };
}
