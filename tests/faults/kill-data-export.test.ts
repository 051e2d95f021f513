// A console that is killed in the middle of a nightly export leaves nothing that looks complete; the next
// export is complete, and removes the remains.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import pg from 'pg';
import type { DataExport } from '#features/operations/data-exports/contract.ts';
import { databaseOfProcesses } from '../support/closing.ts';
import {
  killProcess,
  makeDataDir,
  processApi as api,
  setUpProcess,
  signInProcess as signIn,
  startProcess,
} from '../support/process.ts';

it('T-DATAX: killed while writing, an export has no manifest; the next one is complete', async () => {
  const { url } = await databaseOfProcesses();
  const dataDir = makeDataDir();
  const root = join(dataDir, 'data-exports');
  const files = (): string[] =>
    existsSync(root)
      ? readdirSync(root, { recursive: true, withFileTypes: true })
          .filter((each) => each.isFile())
          .map((each) => join(each.parentPath, each.name).slice(root.length + 1))
      : [];
  const first = await startProcess(dataDir, url);
  const token = await setUpProcess(first);
  const gate = new pg.Client(url);
  await gate.connect();
  try {
    // The export pauses in the middle: tables that sort before licences are written, the others are not.
    await gate.query('begin');
    await gate.query('lock table licence in access exclusive mode');
    const { id } = await api(first, 'POST', '/admin/data-exports', undefined, token);
    await vi.waitFor(
      async () => {
        const { rowCount } = await gate.query(
          `select 1 from pg_locks where relation = 'licence'::regclass and not granted`,
        );
        expect(rowCount).toBe(1);
        // Its file is opened while the database is queried.
        expect(files().filter((name) => name.includes('licence'))).toHaveLength(1);
      },
      { timeout: 30_000, interval: 20 },
    );
    await killProcess(first);
    await gate.query('rollback');
    expect(files().filter((name) => name.endsWith('.csv.gz')).length).toBeGreaterThan(10);
    expect(files().filter((name) => /manifest\.json|latest\.json|licence/.test(name))).toEqual([
      expect.stringMatching(/licence\.csv\.gz\.[\da-f]{8}\.draft$/),
    ]);
    const [, killed = ''] = (files()[0] ?? '').split('/');

    // Another process gives it up after minutes; the time is moved back here.
    await gate.query(`update data_export set heard_at = heard_at - interval '10 minutes' where id = $1`, [
      id,
    ]);
    const second = await startProcess(dataDir, url);
    const again = await signIn(second);
    const { id: next } = await api(second, 'POST', '/admin/data-exports', undefined, again);
    const run = await vi.waitFor(
      async () => {
        const { items } = await api<{ items: DataExport[] }>(
          second,
          'GET',
          '/admin/data-exports',
          undefined,
          again,
        );
        expect(items.find((each) => each.id === id)).toMatchObject({
          state: 'failed',
          failure: { code: 'interrupted' },
        });
        const found = items.find((each) => each.id === next);
        expect(found?.state).toBe('done');
        return found;
      },
      { timeout: 60_000, interval: 100 },
    );
    const manifest = JSON.parse(
      readFileSync(join(root, 'runs', run?.folder ?? '', 'manifest.json'), 'utf8'),
    ) as { tables: { files: { file: string }[] }[] };
    const named = manifest.tables.flatMap((table) => table.files.map(({ file }) => file));
    expect(files()).toEqual(expect.arrayContaining(named));
    expect(named.some((name) => name.endsWith('tables/licence.csv.gz'))).toBe(true);
    await vi.waitFor(() => expect(files().filter((name) => name.includes(killed))).toEqual([]), {
      timeout: 20_000,
      interval: 50,
    });
  } finally {
    await gate.end();
  }
}, 180_000);
