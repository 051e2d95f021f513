// What a test file has opened, wherever it was opened, is closed when the file ends.
const cleanUps: (() => unknown)[] = [];

/**
 * Does `cleanUp` when the running test file ends, the latest first. Unlike `afterAll` it may be called in hooks and
 * tests too: Vitest drops an `afterAll` that comes after a file was collected, and says nothing. Of a journey it is
 * done when the worker ends, which after a failure is at once: files end what they start by themselves too.
 */
export function atFileEnd(cleanUp: () => unknown): void {
  cleanUps.push(cleanUp);
}

/** Called by what sets a test file up. One that fails does not keep the others from their work. */
export async function closeWhatWasOpened(): Promise<void> {
  const errors: unknown[] = [];
  for (const cleanUp of cleanUps.splice(0).toReversed()) {
    try {
      await cleanUp();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, 'not everything that the file opened was closed');
}
