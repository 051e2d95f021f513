// `#temporal` in the browser: browsers released before 2026 have no Temporal and load the polyfill before the
// first screen; the others do not load it.

/** Settled once calendar rules can be used. */
export const temporalLoaded: Promise<unknown> =
  'Temporal' in globalThis ? Promise.resolve() : import('temporal-polyfill/global');
