// The error of a start that must not go on, whose message tells the operator what is wrong and what to do.

/** Thrown while starting; the command line prints `message` alone (no stack) and exits with status 1. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused';
}
