// Debian's PostgreSQL 15, for tests that need servers of their own.
import { spawnSync } from 'node:child_process';

export const serverPrograms = '/usr/lib/postgresql/15/bin';

/** The operating-system user for PostgreSQL when we are root, because it refuses to run as root. */
export function unprivileged(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string): number =>
    Number.parseInt(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout, 10);
  return { uid: idOf('-u'), gid: idOf('-g') };
}
