// What a process beside the console does for its part.
import { Worker } from 'node:worker_threads';

/** The process ends with the console, and not by a signal to the whole process group, which would interrupt its work. */
export function endWithConsole(): void {
  process.on('disconnect', () => process.exit());
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
}

/** As {@link endWithConsole}, also when the work never lets go: then a thread notices that the console is gone. */
export function obeyConsole(): void {
  endWithConsole();
  new Worker(new URL('./child-watch.ts', import.meta.url)).unref();
}
