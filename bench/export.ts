// Exports of 100,000 users: what the first and later ones add to a console's resident memory (reliability.md
// 2.E-93), and whether every row arrives.
import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';
import { encodeId } from '../src/kernel/ids.ts';
import {
  api,
  openDatabaseOf,
  removeData,
  residentMb,
  setUpBench,
  startBenchConsole,
  type BenchConsole,
} from './console.ts';
import { print } from './figures.ts';

const people = 100_000;
/** The header and all users, including the Admin. */
const lines = people + 1;
const laterExports = 3;
const rounds = 3;
const lookEveryMs = 20;
const restMs = 5000;

/**
 * Prints the growth for each format; each of {@link rounds} rounds uses a new process that has exported
 * nothing before.
 */
export async function benchExport(): Promise<void> {
  const first = await startBenchConsole();
  try {
    const admin = await setUpBench(first);
    await fill(first);
    await first.stop();
    for (const format of ['csv', 'xlsx'] as const) {
      const taken: Figures[] = [];
      for (let round = 0; round < rounds; round++) {
        const console = await startBenchConsole(first.dataDir);
        try {
          taken.push(await measure(console, admin, format));
        } finally {
          await console.stop();
        }
      }
      print(`${format}: rows, header included, in each`, [lines], 'rows');
      print(
        `${format}: resident before`,
        taken.map((each) => each.atFirst),
        'MB',
      );
      print(
        `${format}: the first export of a process adds`,
        taken.map((each) => each.first),
        'MB',
        { atMost: 50 },
      );
      print(
        `${format}: each later one adds to what is resident then`,
        taken.flatMap((each) => each.later),
        'MB',
        { atMost: 50 },
      );
      print(
        `${format}: ${laterExports + 1} of them together`,
        taken.map((each) => each.total),
        'MB',
      );
      print(
        `${format}: time of one`,
        taken.flatMap((each) => each.seconds),
        's',
      );
    }
  } finally {
    removeData(first.dataDir);
  }
}

async function fill({ address, dataDir }: BenchConsole): Promise<void> {
  await api(address, 'POST', '/user/register', {
    email: 'owner@bench.example',
    name: 'Owner',
    password: 'a long enough passphrase',
    organization: 'Bench',
    agreeToTerms: true,
  });
  const { pool, close } = await openDatabaseOf(dataDir, 1);
  // Two exist already: the Admin and the owner.
  const ids = Array.from({ length: people - 2 }, () => encodeId('usr', Date.now(), randomBytes(10)));
  await pool.query(
    `insert into app_user (id, account, name, role, organization_id, language, created_at) select id, id || '@bench.example', 'Bench ' || id, 'User', (select id from organization limit 1), 'zhTW', now() - make_interval(secs => row_number() over ()) from unnest($1::text[]) as id`,
    [ids],
  );
  await pool.query('analyze app_user');
  await close();
}

/** Megabytes of a process, and durations of its exports. */
type Figures = {
  readonly atFirst: number;
  readonly first: number;
  readonly later: readonly number[];
  readonly total: number;
  readonly seconds: readonly number[];
};

async function measure(console: BenchConsole, admin: string, format: 'csv' | 'xlsx'): Promise<Figures> {
  // As a user does who looks at the list before exporting it.
  await api(console.address, 'GET', '/admin/users?limit=25', undefined, admin);
  await new Promise((done) => setTimeout(done, restMs));
  const atFirst = residentMb(console.pid);
  const memoryGrowth: number[] = [];
  const seconds: number[] = [];
  let highest = 0;
  for (let round = 0; round <= laterExports; round++) {
    const before = residentMb(console.pid);
    const began = performance.now();
    const { most, file } = await exported(console, admin, format);
    seconds.push((performance.now() - began) / 1000);
    memoryGrowth.push(most - before);
    highest = Math.max(highest, most);
    const found = format === 'csv' ? file.toString('utf8').split('\r\n').length - 1 : await rowsOfSheet(file);
    if (found !== lines) throw new Error(`${format}: ${found} rows of ${lines}`);
  }
  const [first = 0, ...later] = memoryGrowth;
  return { atFirst, first, later, total: highest - atFirst, seconds };
}

/** Rows of a workbook's sheet. They are counted instead of read, because an import would refuse so many. */
async function rowsOfSheet(file: Buffer): Promise<number> {
  const archive = await fromBufferPromise(file, { lazyEntries: true });
  for await (const entry of archive.eachEntry())
    if (entry.fileName === 'xl/worksheets/sheet1.xml')
      return (await text(await archive.openReadStreamPromise(entry))).split('<row ').length - 1;
  throw new Error('the workbook has no sheet');
}

/** One export, with the console's highest memory during it. */
async function exported(
  { address, pid }: BenchConsole,
  admin: string,
  format: string,
): Promise<{ most: number; file: Buffer }> {
  let most = 0;
  const look = setInterval(() => {
    most = Math.max(most, residentMb(pid));
  }, lookEveryMs);
  try {
    const answer = await fetch(`${address}/api/admin/users/export?format=${format}`, {
      headers: { authorization: `Bearer ${admin}` },
    });
    if (!answer.ok) throw new Error(`export: ${answer.status} ${await answer.text()}`);
    const file = Buffer.from(await answer.arrayBuffer());
    return { file, most: Math.max(most, residentMb(pid)) };
  } finally {
    clearInterval(look);
  }
}
