// Promises that React can read without suspending.

/**
 * Marks a promise as fulfilled in the way that React's `use` does, so that `use` reads it without suspending.
 * A component that suspends, even briefly, is hidden, and once React has shown a fallback, it delays the next
 * update by 300 ms.
 */
export const fulfilled = <T>(promise: Promise<T>, value: T): Promise<T> =>
  Object.assign(promise, { status: 'fulfilled', value });
