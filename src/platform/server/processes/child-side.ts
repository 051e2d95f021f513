// The child's side of the processes that the console starts.
import { Worker } from 'node:worker_threads';

/**
 * Makes the process exit with the console, rather than on a signal to the whole process group, which would
 * interrupt its work.
 */
export function endWithConsole(): void {
  process.on('disconnect', () => process.exit());
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
}

/**
 * Like {@link endWithConsole}, but also works when the main thread is blocked: a worker thread notices that
 * the console is gone.
 */
export function obeyConsole(): void {
  endWithConsole();
  new Worker(new URL('./child-watch.ts', import.meta.url)).unref();
}
