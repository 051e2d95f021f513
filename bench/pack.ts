// A month pack of many bills: how long it takes, and whether memory stays constant.
import { fill, closeOnce, makeServices } from './close.ts';
import { api, openDatabaseOf, residentMb, type BenchConsole } from './console.ts';
import { print } from './figures.ts';

const organizations = 2000;
const month = '2024-01';
const lookEveryMs = 100;

type Packs = {
  readonly items: readonly {
    readonly id: string;
    readonly state: string;
    readonly sizeBytes: number | null;
  }[];
};

/** Prints the figures of a pack. */
export async function benchPack(console: BenchConsole, admin: string): Promise<void> {
  const { pool, close } = await openDatabaseOf(console.dataDir, 2);
  await fill(pool, await makeServices(console, admin), organizations, [month]);
  await closeOnce(console, admin, month, organizations);
  await close();
  const before = residentMb(console.pid);
  const began = performance.now();
  await api(console.address, 'POST', '/admin/packs', { month }, admin);
  let most = 0;
  for (;;) {
    most = Math.max(most, residentMb(console.pid));
    const {
      items: [pack],
    } = (await api(console.address, 'GET', '/admin/packs', undefined, admin)) as unknown as Packs;
    if (pack?.state === 'done') {
      const seconds = (performance.now() - began) / 1000;
      print(`a pack of ${organizations} bills`, [seconds], 's');
      print('its bills', [organizations / seconds], 'bills/s');
      print('its size', [(pack.sizeBytes ?? 0) / 1024 ** 2], 'MB');
      print('resident memory that making it adds', [most - before], 'MB', { atMost: 64 });
      return;
    }
    if (pack && pack.state !== 'waiting' && pack.state !== 'running')
      throw new Error(`the pack is ${pack.state}`);
    await new Promise((done) => setTimeout(done, lookEveryMs));
  }
}
