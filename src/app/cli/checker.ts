// Runs the independent checker on a database or a month pack.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { childEnvironment } from '#platform/server/config.ts';
import type { DatabaseConnection } from '#platform/server/database/embedded/listen-address.ts';
import { exitFailed } from './program.ts';

const checker = resolve(import.meta.dirname, '../../../verify/verify.ts');

/**
 * Runs the checker with these arguments and returns its exit status: 0 everything is right, 1 something is
 * not, 2 it could not check.
 */
export async function check(words: readonly string[], where?: DatabaseConnection | string): Promise<number> {
  const place: Record<string, string> =
    where === undefined
      ? {}
      : typeof where === 'string'
        ? { DATABASE_URL: where }
        : {
            PGHOST: where.host,
            PGPORT: String(where.port),
            PGUSER: where.user,
            PGDATABASE: where.database,
            ...(where.password !== undefined && { PGPASSWORD: where.password }),
          };
  const child = spawn(process.execPath, [checker, ...words], {
    env: { ...childEnvironment(), ...place },
    stdio: 'inherit',
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? exitFailed;
}
