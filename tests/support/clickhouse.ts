// The real ClickHouse engine for tests, where its package is installed (CHDB_PACKAGES names the folder;
// `.ci/run --all` installs it).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { atFileEnd } from './clean-up.ts';

const packages = process.env['CHDB_PACKAGES'];
export const hasClickhouse = packages !== undefined;

/**
 * Starts an empty server for the calling test file. `url` is the value for EVENTS_URL; `stop` ends it before
 * the file does.
 */
export async function startClickhouse(): Promise<{
  readonly url: string;
  readonly stop: () => Promise<void>;
}> {
  const folder = mkdtempSync(join(tmpdir(), 'skytally-clickhouse-'));
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'clickhouse-server.mjs'), packages ?? '', folder],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  atFileEnd(async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  });
  for await (const port of createInterface({ input: child.stdout }))
    return {
      url: `clickhouse://console:${encodeURIComponent('the password of ClickHouse')}@127.0.0.1:${port}/events`,
      stop,
    };
  throw new Error('ClickHouse did not start');
}
