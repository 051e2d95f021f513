// A start on a disk that is full or cannot be written to: it says how to mend it, leaves no database server, and
// works once it is mended.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { startEmbeddedPostgres } from '#platform/server/database/embedded/embedded-postgres.ts';
import { silentLog } from '#platform/server/log.ts';
import { makeDataDir } from '../support/process.ts';

const root = resolve(import.meta.dirname, '../..');
const startConsole = `'${process.execPath}' --import ./tools/require-node.mjs src/app/cli/start.ts start`;
// Disks of a few megabytes need a user namespace, in which everybody may mount file systems in memory.
const disks = ['--user', '--map-root-user', '--mount', '--kill-child', 'sh', '-c'];
const canMount =
  process.platform === 'linux' && spawnSync('unshare', [...disks, 'mount -t tmpfs none /mnt']).status === 0;

describe.runIf(canMount)('a start', () => {
  let withDatabase: string;
  let folder: string;

  beforeAll(async () => {
    withDatabase = makeDataDir();
    const server = await startEmbeddedPostgres({
      dataDir: withDatabase,
      log: silentLog(),
      onExit: () => undefined,
      durable: false,
    });
    await server.stop();
    folder = join(makeDataDir(), 'disk');
    mkdirSync(folder);
  });

  /** What the commands print on a disk of that size at `$DISK`, with a database at `$DATABASE` to copy. */
  async function onDisk(size: string, commands: string): Promise<{ status: unknown; output: string }> {
    const { DATABASE_URL: _, ...environment } = process.env;
    const child = spawn('unshare', [...disks, `mount -t tmpfs -o size=${size} none "$DISK"; ${commands}`], {
      cwd: root,
      env: {
        ...environment,
        DISK: folder,
        DATABASE: withDatabase,
        DATA_DIR: folder,
        PORT: '0',
        LOG_LEVEL: 'info',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (bytes: Buffer) => {
        output += bytes.toString('utf8');
      });
    const [status] = (await once(child, 'close')) as unknown[];
    expect(output).not.toMatch(/\n\s+at /);
    return { status, output };
  }

  const space = `Free some space on the disk of `;
  const copy = 'cp -a "$DATABASE"/. "$DISK"; ';
  const fill = 'head -c 1G /dev/zero > "$DISK/fill" 2>/dev/null; ';

  it('on a disk too small for a database says that it is full', { timeout: 120_000 }, async () => {
    // The first has no room for an empty database, the other none for its tables.
    for (const size of ['20m', '50m']) {
      const { status, output } = await onDisk(size, `exec ${startConsole}`);
      expect(output, size).toContain(space + folder);
      expect(status, size).toBe(1);
    }
  });

  it(
    'on a disk that has become full says so, and works once there is space',
    { timeout: 120_000 },
    async () => {
      const untilUp = `${startConsole} > "$DISK/out" & until grep 'the console is up' "$DISK/out"; do kill -0 $! || exit 3; sleep 0.2; done; kill $!; wait $!`;
      const { status, output } = await onDisk(
        '250m',
        `${copy}${fill}${startConsole}; echo "status $?"; rm "$DISK/fill"; ${untilUp}`,
      );
      expect(output).toContain(space + folder);
      expect(output).toContain('status 1');
      expect(output).toContain('the console is up');
      expect(status).toBe(0);
    },
  );

  it('on a read-only disk asks for a writable one', { timeout: 120_000 }, async () => {
    const whole = await onDisk('250m', `${copy}mount -o remount,ro "$DISK"; exec ${startConsole}`);
    expect(whole.output).toContain(`Mount ${folder} so that the console can write to it`);
    expect(whole.status).toBe(1);
    const database = await onDisk(
      '250m',
      `${copy}mount --bind "$DISK/postgres" "$DISK/postgres"; mount -o remount,bind,ro "$DISK/postgres"; exec ${startConsole}`,
    );
    expect(database.output).toContain(`Mount ${folder} so that the console can write to it`);
    expect(database.status).toBe(1);
  });

  it(
    'in a folder that it may not write to names the user who must own it',
    { timeout: 120_000 },
    async () => {
      const { status, output } = await onDisk(
        '250m',
        `${copy}chmod -R a-w "$DISK/postgres"; exec ${startConsole}`,
      );
      expect(output).toContain(
        `${folder} and everything in it must belong to the user that runs the console`,
      );
      expect(status).toBe(1);
    },
  );
});
