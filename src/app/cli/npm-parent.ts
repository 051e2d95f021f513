// Ending with the process that `npm start` put before this one. On most systems that is a shell, which dies of the signal that npm passes
// on to it; the console would go on without anybody who waits for it.
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { npmEnvironment } from '#platform/server/config.ts';

const lookMs = 500;
/** The parent when this process began: it may have gone before the console is up. */
const firstParent = process.ppid;

/**
 * Whether the `start` script of this folder's package, run by npm, is what started this process. Only then is the parent a process that
 * lives for nothing but waiting for this one: a terminal, a supervisor, or a script that puts the console in the background and ends, is
 * the parent of npm.
 */
export function isStartedByNpm(root: string): boolean {
  const { script, manifest } = npmEnvironment();
  return (
    script === 'start' &&
    manifest !== undefined &&
    existsSync(manifest) &&
    realpathSync(manifest) === realpathSync(join(root, 'package.json'))
  );
}

/**
 * Calls `ended` once when the parent process has gone. No system tells a process of that in a way that Node knows of, so it looks now and
 * then; on Windows the parent's number stays, and nothing is called.
 */
export function whenParentEnds(ended: () => void): void {
  const looking = setInterval(() => {
    if (process.ppid === firstParent) return;
    clearInterval(looking);
    ended();
  }, lookMs);
  looking.unref();
}
