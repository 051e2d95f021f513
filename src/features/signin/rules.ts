// Sign-in's decisions: how long somebody waits after failures. No clock, no database.

const freeFailures = 5;
const longestDelaySeconds = 900;

/** Seconds an account waits after its n-th failed sign-in in a row: nothing after the first four, then 2, 4, 8 … up to 15 minutes. */
export function delayAfterFailures(failures: number): number {
  return failures < freeFailures ? 0 : Math.min(longestDelaySeconds, 2 ** (failures - freeFailures + 1));
}
