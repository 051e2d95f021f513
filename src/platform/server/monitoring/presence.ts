// Tells the other consoles on the database, every few seconds, that this one runs.
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { systemClock } from '../clock.ts';
import type { App } from '../unit-of-work/ctx.ts';
import { version } from '../version.ts';
import { forgetConsole, sayThatItRuns } from './store-console-processes.ts';

const everyMs = 10_000;

export type Presence = { readonly id: string; readonly stop: () => Promise<void> };

/** Begins at once. A database that does not answer is no reason to stop: the next time may be better. */
export async function startPresence(app: App, listening: () => string): Promise<Presence> {
  const id = randomUUID();
  // The machine's own clock, whose difference from the database's is worth knowing, also where tests move the console's.
  const clock = systemClock();
  const startedAt = clock.now();
  const say = async (): Promise<void> => {
    try {
      await sayThatItRuns(
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
  let saying = say();
  await saying;
  const timer = setInterval(() => {
    saying = say();
  }, everyMs);
  timer.unref();
  return {
    id,
    stop: async () => {
      clearInterval(timer);
      await saying;
      await forgetConsole(app.database.kysely, id);
    },
  };
}
