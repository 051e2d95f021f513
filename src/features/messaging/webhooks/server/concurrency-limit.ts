// Limits concurrency in order of arrival: hundreds of endpoints may be awaited at once, but all features
// share the database connections.

/** Runs functions, at most `most` at once. */
export function concurrencyLimit(most: number): <T>(run: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let free = most;
  return async (run) => {
    if (free > 0) free--;
    else await new Promise<void>((enter) => waiting.push(enter));
    try {
      return await run();
    } finally {
      // The next waiting function takes over the slot.
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}
