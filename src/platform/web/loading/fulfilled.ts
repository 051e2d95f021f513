// Promises that React reads at once when they are kept.

/**
 * Marks a promise that is kept the way React's `use` does itself, so that it is read without suspending. A part that suspends, even for
 * a moment, is hidden; and once React has shown what stands in for a part, it holds back whatever comes next for 300 ms.
 */
export const fulfilled = <T>(promise: Promise<T>, value: T): Promise<T> =>
  Object.assign(promise, { status: 'fulfilled', value });
