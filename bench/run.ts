// npm run bench [-- start pricing ingest ingest-single event-size statistics close close-terms charges pack pdf rehearsal list export
// catalogue archive sign-in entitlement live web]: figures of this machine. Quote ratios and medians, not single times.
import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { benchArchive } from './archive.ts';
import { benchCatalogue } from './catalogue.ts';
import { benchCharges } from './charges.ts';
import { benchClose, benchCloseLong } from './close.ts';
import { benchCloseTerms } from './close-terms.ts';
import { api, removeData, residentMb, setUpBench, startBenchConsole, type BenchConsole } from './console.ts';
import { benchEntitlement } from './entitlement.ts';
import { benchEventSize } from './event-size.ts';
import { benchExport } from './export.ts';
import { print } from './figures.ts';
import { benchIngest } from './ingest.ts';
import { benchIngestLong } from './ingest-long.ts';
import { benchSingle } from './ingest-single.ts';
import { benchList } from './list.ts';
import { benchLive } from './live.ts';
import { benchPack } from './pack.ts';
import { benchPdf } from './pdf.ts';
import { benchPricing } from './pricing.ts';
import { benchRehearsal } from './rehearsal.ts';
import { benchSignIn } from './sign-in.ts';
import { benchStatistics } from './statistics.ts';

const all = [
  'web',
  'start',
  'pricing',
  'ingest',
  'ingest-single',
  'event-size',
  'statistics',
  'close',
  'close-terms',
  'charges',
  'pack',
  'pdf',
  'rehearsal',
  'list',
  'export',
  'catalogue',
  'archive',
  'sign-in',
  'entitlement',
  'live',
] as const;
const chosen = process.argv.slice(2).length > 0 ? process.argv.slice(2) : [...all];

process.stdout.write(
  `${cpus().length} × ${cpus()[0]?.model}, ${Math.round(totalmem() / 1024 ** 3)} GiB, Node ${process.version}\n`,
);

/** Start on an empty directory and on an existing one, and the memory of an idle console. */
async function benchStart(): Promise<void> {
  const empty: number[] = [];
  const existing: number[] = [];
  const idle: number[] = [];
  for (let round = 0; round < 3; round++) {
    const dataDir = mkdtempSync(join(tmpdir(), 'skytally-bench-'));
    const first = await startBenchConsole(dataDir);
    empty.push(first.startedInMs);
    await first.stop();
    const second = await startBenchConsole(dataDir);
    existing.push(second.startedInMs);
    await new Promise((done) => setTimeout(done, 3000));
    idle.push(residentMb(second.pid));
    await second.stop();
    removeData(dataDir);
  }
  print('start to first 200, empty directory', empty, 'ms', { atMost: 5000 });
  print('start to first 200, existing database', existing, 'ms', { atMost: 1000 });
  print('console idle, resident', idle, 'MB', { atMost: 150 });
}

async function onConsole(bench: (console: BenchConsole, admin: string) => Promise<void>): Promise<void> {
  const console = await startBenchConsole();
  try {
    await bench(console, await setUpBench(console));
    print('console after the load, resident', [residentMb(console.pid)], 'MB');
  } finally {
    await console.stop();
    removeData(console.dataDir);
  }
}

for (const name of chosen) {
  process.stdout.write(`\n${name}\n`);
  if (name === 'web') execFileSync(process.execPath, ['tools/build-web.ts'], { stdio: 'inherit' });
  else if (name === 'start') await benchStart();
  else if (name === 'pricing') benchPricing();
  else if (name === 'ingest') await onConsole(benchIngest);
  else if (name === 'ingest-long') await onConsole(benchIngestLong);
  else if (name === 'event-size') await onConsole(benchEventSize);
  else if (name === 'ingest-single') await onConsole(benchSingle);
  else if (name === 'statistics') await benchStatistics();
  else if (name === 'charges') await benchCharges();
  else if (name === 'close') await onConsole(benchClose);
  else if (name === 'close-terms') await onConsole(benchCloseTerms);
  else if (name === 'pack') await onConsole(benchPack);
  else if (name === 'pdf') await onConsole(benchPdf);
  else if (name === 'close-long') await onConsole(benchCloseLong);
  else if (name === 'export') await benchExport();
  else if (name === 'rehearsal') await onConsole(benchRehearsal);
  else if (name === 'archive') await benchArchive();
  else if (name === 'catalogue') await onConsole(benchCatalogue);
  else if (name === 'sign-in') await onConsole(benchSignIn);
  else if (name === 'entitlement') await onConsole(benchEntitlement);
  else if (name === 'live') await onConsole(benchLive);
  else if (name === 'list')
    await onConsole(async (console, admin) => {
      await api(console.address, 'POST', '/user/register', {
        email: 'owner@bench.example',
        name: 'Owner',
        password: 'a long enough passphrase',
        organization: 'Bench',
        agreeToTerms: true,
      });
      await benchList(console, admin);
    });
  else throw new Error(`no benchmark ${name}; there are ${all.join(', ')}, ingest-long and close-long`);
}
