// The error for a start that cannot proceed; its message tells the operator what is wrong and what to do.

/** Thrown during startup; the command line prints only `message` (no stack) and exits with status 1. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused';
}
