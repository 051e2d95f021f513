// How long to wait before the live connection is tried again.

const longestMs = 60_000;

/**
 * The pause in ms after so many failures in a row: on average `firstMs` after none, then twice as long each time, up to a minute. Half of it is
 * random, so that thousands of pages do not come back in the same moment.
 */
export const pauseAfterMs = (failures: number, firstMs = 1000): number =>
  Math.min(firstMs * 2 ** failures, longestMs) * (0.5 + jitter());

const jitter = (): number => (crypto.getRandomValues(new Uint16Array(1))[0] ?? 0) / 65_535;
