// PgBouncer in transaction mode in front of the tests' database server: each transaction may run on another
// server connection.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { vi } from 'vitest';
import type { DatabaseConnection } from '#platform/server/database/embedded/listen-address.ts';
import { atFileEnd } from './clean-up.ts';
import { addressOf, partsOf } from './database.ts';
import { freePort } from './ports.ts';

/** Whether PgBouncer is installed. */
export const hasPgbouncer = spawnSync('pgbouncer', ['--version']).status === 0;

const configuration = resolve(import.meta.dirname, '../../deploy/pgbouncer.ini');

/**
 * The configuration that operators get, with another database, port and number of connections, and without a
 * password file.
 */
function settingsFor(
  where: DatabaseConnection | string,
  {
    port,
    connectQuery,
    connections,
  }: { port: number; connectQuery: string | undefined; connections: number },
): string {
  const { host, port: serverPort, user, password, database } = partsOf(where);
  const changes: readonly (readonly [RegExp, string])[] = [
    [
      /^skytally = \S+ \S+ \S+/m,
      `${database} = host=${host} port=${serverPort} dbname=${database} user=${user} password='${password}'`,
    ],
    [/^listen_port = .*/m, `listen_port = ${port}`],
    [/^auth_type = .*\nauth_file = .*/m, 'auth_type = any'],
    [/^default_pool_size = .*/m, `default_pool_size = ${connections}`],
    ...(connectQuery === undefined
      ? []
      : [[/connect_query='.*'$/m, `connect_query='${connectQuery}'`] as const]),
  ];
  return changes.reduce(
    (text, [line, instead]) => {
      if (!line.test(text)) throw new Error(`${configuration} has no line ${String(line)}`);
      return text.replace(line, () => instead);
    },
    readFileSync(configuration, 'utf8'),
  );
}

/** Starts it for the calling test file and returns the settings of a console behind it. */
export async function startPooler(
  where: DatabaseConnection | string,
  { connectQuery, connections = 6 }: { connectQuery?: string; connections?: number } = {},
): Promise<{ DATABASE_URL: string; DATABASE_DIRECT_URL: string }> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'skytally-pooler-'));
  chmodSync(folder, 0o755);
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(file, settingsFor(where, { port, connectQuery, connections }));
  // It refuses to run as root.
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const child = spawn('pgbouncer', ['-q', file], { stdio: ['ignore', 'ignore', 'inherit'], ...nobody });
  atFileEnd(async () => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  await vi.waitFor(
    async () => {
      const socket = connect(port, '127.0.0.1');
      try {
        await once(socket, 'connect');
      } finally {
        socket.destroy();
      }
    },
    { timeout: 10_000, interval: 20 },
  );
  return {
    DATABASE_URL: `postgres://${partsOf(where).user}@127.0.0.1:${port}/${partsOf(where).database}`,
    DATABASE_DIRECT_URL: addressOf(where),
  };
}
