// How long to wait before reconnecting the live connection.

const longestMs = 60_000;

/**
 * The pause in ms after consecutive failures: on average `firstMs` after none, then doubling up to a minute.
 * Half of it is random, so that thousands of pages do not reconnect at the same moment.
 */
export const pauseAfterMs = (failures: number, firstMs = 1000): number =>
  Math.min(firstMs * 2 ** failures, longestMs) * (0.5 + jitter());

const jitter = (): number => (crypto.getRandomValues(new Uint16Array(1))[0] ?? 0) / 65_535;
