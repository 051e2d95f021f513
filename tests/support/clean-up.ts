// Closes what a test file has opened, wherever it was opened, when the file ends.
const cleanUps: (() => unknown)[] = [];

/**
 * Runs `cleanUp` when the current test file ends, latest first. Unlike `afterAll` it may also be called in
 * hooks and tests: Vitest silently drops an `afterAll` that comes after a file was collected. In journeys it
 * runs when the worker ends, which after a failure is at once; so files must also end what they start
 * themselves.
 */
export function atFileEnd(cleanUp: () => unknown): void {
  cleanUps.push(cleanUp);
}

/** Called by the setup of test files. A failing clean-up does not prevent the others. */
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
