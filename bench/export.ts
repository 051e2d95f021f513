// Exports of 100,000 users: what the first and the later ones add to a console's resident memory (reliability.md 2.E-93), and that every row arrives.
import { randomBytes } from 'node:crypto';
import { encodeId } from '../src/kernel/ids.ts';
import { readSheet } from '../src/platform/server/spreadsheet-read.ts';
import { api, openDatabaseOf, removeData, residentMb, setUpBench, startBenchConsole, type BenchConsole } from './console.ts';
import { print } from './figures.ts';

const people = 100_000;
/** The header and all people, the Admin among them. */
const lines = people + 1;
const laterExports = 3;
const lookEveryMs = 20;
const restMs = 3000;
const sheetBounds = { mostRows: 2 * people, mostColumns: 100, mostBytes: 1024 ** 3 };

/** Prints the growth for each format, each on a process of its own that has exported nothing before. */
export async function benchExport(): Promise<void> {
  const first = await startBenchConsole();
  try {
    const admin = await setUpBench(first);
    await fill(first);
    await first.stop();
    for (const format of ['csv', 'xlsx'] as const) {
      const console = await startBenchConsole(first.dataDir);
      try {
        await measure(console, admin, format);
      } finally {
        await console.stop();
      }
    }
  } finally {
    removeData(first.dataDir);
  }
}

async function fill({ address, dataDir }: BenchConsole): Promise<void> {
  await api(address, 'POST', '/user/register', { email: 'owner@bench.example', name: 'Owner', password: 'a long enough passphrase', organization: 'Bench', agreeToTerms: true });
  const { pool, close } = await openDatabaseOf(dataDir, 1);
  // Two are there: the Admin and the owner.
  const ids = Array.from({ length: people - 2 }, () => encodeId('usr', Date.now(), randomBytes(10)));
  await pool.query(`insert into app_user (id, account, name, role, organization_id, language, created_at) select id, id || '@bench.example', 'Bench ' || id, 'User', (select id from organization limit 1), 'zhTW', now() - make_interval(secs => row_number() over ()) from unnest($1::text[]) as id`, [ids]);
  await pool.query('analyze app_user');
  await close();
}

async function measure(console: BenchConsole, admin: string, format: 'csv' | 'xlsx'): Promise<void> {
  // Whoever exports has looked at the list.
  await api(console.address, 'GET', '/admin/users?limit=25', undefined, admin);
  await new Promise((done) => setTimeout(done, restMs));
  const before = residentMb(console.pid);
  const grown: number[] = [];
  const seconds: number[] = [];
  for (let turn = 0; turn <= laterExports; turn++) {
    const began = performance.now();
    const { most, file } = await exported(console, admin, format);
    seconds.push((performance.now() - began) / 1000);
    grown.push(most - before);
    const found = format === 'csv' ? file.toString('utf8').split('\r\n').length - 1 : (await readSheet(file, sheetBounds)).length;
    if (found !== lines) throw new Error(`${format}: ${found} rows of ${lines}`);
  }
  print(`${format}: the first export adds to ${before.toFixed(0)} MB resident`, grown.slice(0, 1), 'MB', { atMost: 50 });
  print(`${format}: resident at the most over that, the next ${laterExports}`, grown.slice(1), 'MB', { atMost: 50 });
  print(`${format}: rows, header included, in each`, [lines], 'rows');
  print(`${format}: time`, seconds, 's');
}

/** One export, with the most memory the console had meanwhile. */
async function exported({ address, pid }: BenchConsole, admin: string, format: string): Promise<{ most: number; file: Buffer }> {
  let most = 0;
  const look = setInterval(() => {
    most = Math.max(most, residentMb(pid));
  }, lookEveryMs);
  try {
    const answer = await fetch(`${address}/api/admin/users/export?format=${format}`, { headers: { authorization: `Bearer ${admin}` } });
    if (!answer.ok) throw new Error(`export: ${answer.status} ${await answer.text()}`);
    const file = Buffer.from(await answer.arrayBuffer());
    return { file, most: Math.max(most, residentMb(pid)) };
  } finally {
    clearInterval(look);
  }
}
