// Ends the console together with the process that `npm start` put in between. On most systems that is a
// shell, which dies of the signal that npm forwards; the console would keep running with nobody waiting for
// it.
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { npmEnvironment } from '#platform/server/config.ts';
import { firstParent } from './first-parent.ts';

const lookMs = 500;

/**
 * Whether this process was started by npm through the `start` script of this folder's package. Only then does
 * the parent exist solely to wait for this process; a terminal, a supervisor, or a script that puts the
 * console in the background and exits would be the parent of npm.
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
 * Calls `ended` once when the parent process is gone. No system reports that in a way that Node exposes, so
 * it polls; on Windows the parent's id never changes, and `ended` is not called.
 */
export function whenParentEnds(ended: () => void): void {
  const looking = setInterval(() => {
    if (process.ppid === firstParent) return;
    clearInterval(looking);
    ended();
  }, lookMs);
  looking.unref();
}
