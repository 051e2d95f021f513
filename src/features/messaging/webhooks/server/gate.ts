// Lets a few through at a time, in the order in which they came: hundreds of endpoints may be waited for, but the database is everybody's.

/** Runs what it is given, at most `most` at once. */
export function gateOf(most: number): <T>(run: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let free = most;
  return async (run) => {
    if (free > 0) free--;
    else await new Promise<void>((enter) => waiting.push(enter));
    try {
      return await run();
    } finally {
      // Who waits takes over the place; otherwise it is free again.
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}
