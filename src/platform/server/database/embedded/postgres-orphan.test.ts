import { mkdir, readdir, readFile, watch, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  endOf,
  isAlive,
  killConsole,
  spawnConsole,
  startConsole,
} from '#tests/support/fixtures/console-processes.ts';
import { connect, embeddedLab, query } from '#tests/support/fixtures/embedded-lab.ts';

const lab = embeddedLab();

describe('a console killed by kill -9', () => {
  test('leaves its server behind; the next start stops it and finds every committed row', async () => {
    await lab.borrowDatabase();
    const killed = await startConsole(lab.dataDir);
    await query(killed.connection, 'create table entry (id int primary key)');
    const client = await connect(killed.connection);
    let acknowledged = 0;
    for (; acknowledged < 200; acknowledged += 1)
      await client.query('insert into entry values ($1)', [acknowledged]);
    await client.query('begin');
    await client.query('insert into entry values (-1)');
    client.on('error', () => {});
    await killConsole(killed);
    expect(isAlive(killed.postgresPid)).toBe(true);

    const next = await lab.start();
    expect(isAlive(killed.postgresPid)).toBe(false);
    expect(lab.warnings).toContain('stopping the database server that an earlier console left behind');
    expect(await query(next.connection, 'select count(*)::int as rows, min(id) as least from entry')).toEqual(
      [{ rows: acknowledged, least: 0 }],
    );
  });

  test('together with its server: committed data is recovered', async () => {
    await lab.borrowDatabase();
    const killed = await startConsole(lab.dataDir);
    await query(killed.connection, 'create table recovered as select generate_series(1, 500) as id');
    await killConsole(killed);
    process.kill(killed.postgresPid, 'SIGKILL');

    const next = await lab.start();
    expect(await query(next.connection, 'select count(*)::int as rows from recovered')).toEqual([
      { rows: 500 },
    ]);
  });

  test('during the creation of the database leaves nothing half done', async () => {
    const making = spawnConsole(lab.dataDir);
    await appearance(lab.dataDir, /^postgres\.making-[0-9a-f]+$/);
    await killConsole({ process: making });
    expect(await readdir(lab.dataDir)).not.toContain('postgres');

    const { connection } = await lab.start();
    expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect((await readdir(lab.dataDir)).toSorted()).toEqual(['console.lock', 'postgres']);
  });

  test('whose server is not visible here (another container): no second server is started', async () => {
    await lab.borrowDatabase();
    const killed = await startConsole(lab.dataDir);
    await killConsole(killed);
    const pidFile = join(lab.dataDir, 'postgres', 'postmaster.pid');
    const [, ...rest] = (await readFile(pidFile, 'utf8')).split('\n');
    await writeFile(pidFile, [String(await deadPid()), ...rest].join('\n'));
    await expect(lab.start()).rejects.toThrow(/cannot see \(another container, perhaps\) is using/);
    expect(isAlive(killed.postgresPid)).toBe(true);
  });
});

test('a stale process id that now belongs to another program is not taken for a server, nor killed', async () => {
  await lab.borrowDatabase();
  const pidFile = join(lab.dataDir, 'postgres', 'postmaster.pid');
  for (const pid of [process.pid, process.ppid, await deadPid()]) {
    await writeFile(pidFile, `${pid}\n${join(lab.dataDir, 'postgres')}\n1\n5432\n.\n\n  1  1\nready\n`);
    const { connection, stop } = await lab.start();
    expect(await query(connection, 'select 1 as one')).toEqual([{ one: 1 }]);
    await stop();
  }
  await writeFile(pidFile, '');
  await (await lab.start()).stop();
});

test('a server that exits by itself is reported once, and can be started again immediately', async () => {
  await lab.borrowDatabase();
  let report: ((end: unknown) => void) | undefined;
  const reported = new Promise((resolve) => {
    report = resolve;
  });
  const first = await lab.start({ onExit: (end) => report?.(end) });
  await query(first.connection, 'create table survivor as select 1 as one');
  process.kill(first.pid, 'SIGKILL');
  expect(await reported).toEqual({ status: null, signal: 'SIGKILL' });
  await first.stop();

  const second = await lab.start();
  expect(await query(second.connection, 'select one from survivor')).toEqual([{ one: 1 }]);
});

/** Resolves when a file of such a name is in `folder`, or appears there. */
async function appearance(folder: string, name: RegExp): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const enough = new AbortController();
  const changes = watch(folder, { signal: enough.signal });
  try {
    if ((await readdir(folder)).some((entry) => name.test(entry))) return;
    for await (const { filename } of changes) if (filename !== null && name.test(filename)) return;
  } finally {
    enough.abort();
  }
}

/** The number of a process that has just ended. */
async function deadPid(): Promise<number> {
  const child = spawnConsole(join(lab.root, 'nowhere'), { NODE_OPTIONS: '--bad-option' });
  await endOf(child);
  return child.pid ?? 0;
}
