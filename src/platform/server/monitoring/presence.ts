// Announces this console to the other consoles on the database, every few seconds.
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { systemClock } from '../clock.ts';
import type { App } from '../unit-of-work/ctx.ts';
import { version } from '../version.ts';
import { forgetConsole, recordHeartbeat } from './store-console-processes.ts';

const everyMs = 10_000;

export type Presence = { readonly id: string; readonly stop: () => Promise<void> };

/** Starts announcing at once. If the database does not answer, the next attempt may succeed. */
export async function startPresence(app: App, listening: () => string): Promise<Presence> {
  const id = randomUUID();
  // The machine's own clock: its offset from the database's is worth knowing, even where tests move the
  // console's clock.
  const clock = systemClock();
  const startedAt = clock.now();
  const report = async (): Promise<void> => {
    try {
      await recordHeartbeat(
        app.database.kysely,
        {
          id,
          host: hostname(),
          processId: process.pid,
          version,
          address: listening(),
          startedAt,
          memoryBytes: process.memoryUsage.rss(),
          clients: app.vitals.live().clients,
        },
        clock.now(),
      );
    } catch (error) {
      app.log.warn({ err: error }, 'the other consoles could not be told that this one runs');
    }
  };
  let reporting = report();
  await reporting;
  const timer = setInterval(() => {
    reporting = report();
  }, everyMs);
  timer.unref();
  return {
    id,
    stop: async () => {
      clearInterval(timer);
      await reporting;
      await forgetConsole(app.database.kysely, id);
    },
  };
}
