// Lets starts and commands be stopped at any moment, without leaving behind what they started.

/**
 * Settles like `work`, unless `stop` is aborted first: then it calls `end` to end what `work` is busy with, and
 * rejects with the signal's reason. Nothing waits for the rest of `work`, nor reports how it ends.
 */
export async function unlessStopped<T>(
  stop: AbortSignal | undefined,
  work: Promise<T>,
  end: () => Promise<void>,
): Promise<T> {
  if (stop === undefined) return work;
  const stopped = Promise.withResolvers<undefined>();
  const onAbort = (): void => stopped.resolve(undefined);
  stop.addEventListener('abort', onAbort);
  if (stop.aborted) onAbort();
  try {
    const done = await Promise.race([work.then((value) => ({ value })), stopped.promise]);
    if (done !== undefined) return done.value;
    await end();
    throw stop.reason;
  } finally {
    stop.removeEventListener('abort', onAbort);
  }
}

/**
 * For commands: lets SIGINT and SIGTERM exit this process, which ends the database server that it has started;
 * their default would leave the server running. Returns a function that undoes it.
 */
export function exitOnSignals(): () => void {
  const exit = (_name: string, number: number): never => process.exit(128 + number);
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.on(signal, exit);
  return () => {
    for (const signal of signals) process.off(signal, exit);
  };
}
