// The real DuckDB for tests, where its package is installed (DUCKDB_PACKAGES names the folder; `.ci/run --all` installs it).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import * as z from 'zod/mini';

const packages = process.env['DUCKDB_PACKAGES'];
export const hasDuckdb = packages !== undefined;
const Rows = z.array(z.record(z.string(), z.unknown()));

/**
 * Runs a script in an empty in-memory database in a separate process; returns the rows of its last statement.
 * @throws Error with its output
 */
export async function askDuckdb(script: string): Promise<z.output<typeof Rows>> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'duckdb-run.mjs'), packages ?? ''], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  child.stdin.end(script);
  const [said, complaint] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Error(complaint);
  return z.parse(Rows, JSON.parse(said));
}
