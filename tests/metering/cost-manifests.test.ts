// Folders in which AWS and Azure keep every run of an export, with a real console: only the newest complete
// run of each month counts.
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { costImports, type CostSource } from '#features/metering/cost-imports/contract.ts';
import { atFileEnd } from '../support/clean-up.ts';
import { adminAccount, createTestConsole, setUp, signIn, type TestConsole } from '../support/console.ts';
import { runFeatureJob, stopRepeating } from '../support/jobs.ts';

const begin = Date.parse('2024-10-05T12:00:00Z');
const minutes = (count: number): Date => new Date(begin + count * 60_000);
let console: TestConsole;
let admin: string;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'skytally-manifests-'));
  atFileEnd(() => rmSync(folder, { recursive: true, force: true }));
  console = await createTestConsole(new Date(begin), { IMPORT_DIR: folder });
  await stopRepeating(console.app);
  admin = await setUp(console);
});

/** Writes a file with a timestamp in minutes. */
function put(path: string, minute: number, content: string | Uint8Array): void {
  const full = join(folder, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, content);
  utimesSync(full, minutes(minute), minutes(minute));
}
const costs = (...amounts: readonly string[]): string =>
  [
    'BilledCost,BillingCurrency,BillingPeriodStart,BillingPeriodEnd,ChargePeriodStart,ChargeCategory,ProviderName,SubAccountId',
    ...amounts.map((each) => `${each},USD,2024-10-01,2024-11-01,2024-10-02,Usage,Cloud,1`),
  ].join('\n');
const make = (path: string): Promise<CostSource> =>
  console.ok(
    costImports.createCostSource,
    {
      name: path,
      place: { kind: 'folder', path },
      rules: [],
      selling: { costBasis: 'billed', sellBasis: 'cost', passesCredits: false, markUps: [] },
    },
    { token: admin },
  );
/** The cost of October after the console has read at a given minute, and its number of versions. */
async function costAt({ id }: CostSource, minute: number): Promise<unknown> {
  console.clock.set(minutes(minute));
  admin = await signIn(console, adminAccount.account, adminAccount.password);
  await sql`update cost_source set next_pull_at = ${minutes(minute)} where id = ${id}`.execute(
    console.app.database.kysely,
  );
  await runFeatureJob(console.app, 'cost-pulls');
  await runFeatureJob(console.app, 'cost-imports');
  const { periods, failure } = await console.ok(
    costImports.getCostSource,
    { sourceId: id },
    { token: admin },
  );
  expect(failure).toBeNull();
  return periods.map(({ cost, version }) => [cost[0]?.amount, version]);
}
const importsOf = async ({ id }: CostSource) =>
  (await console.ok(costImports.listCostImports, { sourceId: id, limit: 200 }, { token: admin })).items;

describe('Azure, which keeps the runs of a month side by side', () => {
  it('T-COST: only the newest complete run of a month counts, and one that is being written is not read', async () => {
    const month = 'azure/shop/20241001-20241031';
    const run = (id: string, part: number): string => `${month}/${id}/0-0/part_${part}_0001.csv`;
    const manifest = (...blobs: readonly string[]): string =>
      JSON.stringify({
        manifestVersion: '2024-04-01',
        blobCount: blobs.length,
        runInfo: { runId: '0-0', startDate: '2024-10-01T00:00:00' },
        blobs: blobs.map((blobName) => ({ blobName: `exports/${blobName}`, byteCount: 1 })),
      });
    put(run('202410030000', 0), -2000, costs('1'));
    put(`${month}/202410030000/0-0/manifest.json`, -1999, manifest(run('202410030000', 0)));
    put(run('202410040000', 0), -1000, costs('2', '0.5'));
    put(run('202410040000', 1), -1000, costs('3'));
    put(
      `${month}/202410040000/0-0/manifest.json`,
      -999,
      manifest(run('202410040000', 0), run('202410040000', 1)),
    );
    const source = await make('azure');
    expect(await costAt(source, 0)).toEqual([['5.5', 1]]);
    // The older run was never read; otherwise one of the two runs would be a version of the month.
    expect(await importsOf(source)).toMatchObject([{ state: 'applied', rows: 3 }]);
    // The next run has its first part and no manifest; then a manifest that names a missing part.
    put(run('202410050000', 0), 10, costs('7'));
    expect(await costAt(source, 20)).toEqual([['5.5', 1]]);
    put(
      `${month}/202410050000/0-0/manifest.json`,
      21,
      manifest(run('202410050000', 0), run('202410050000', 1)),
    );
    expect(await costAt(source, 30)).toEqual([['5.5', 1]]);
    put(run('202410050000', 1), 21, costs('0.25'));
    expect(await costAt(source, 40)).toEqual([['7.25', 2]]);
    expect(await costAt(source, 50)).toEqual([['7.25', 2]]);
    expect(await importsOf(source)).toHaveLength(2);
  });
});

describe('AWS, which overwrites the files of the previous run', () => {
  const data = (part: number): string => `aws/shop/data/BILLING_PERIOD=2024-10/shop-0000${part}.csv.gz`;
  const metadata = 'aws/shop/metadata/BILLING_PERIOD=2024-10/shop-Manifest.json';
  const manifest = (...parts: readonly number[]): string =>
    JSON.stringify({
      executionId: '1',
      dataFiles: parts.map((part) => `s3://bucket/${data(part)}`),
    });

  it('T-COST: files newer than their manifest wait for the next one; files that it no longer names do not count', async () => {
    put(data(1), 100, gzipSync(costs('1')));
    put(data(2), 100, gzipSync(costs('2')));
    put(metadata, 101, manifest(1, 2));
    const source = await make('aws');
    expect(await costAt(source, 110)).toEqual([['3', 1]]);
    // The next run has only one part. Half of it is written: together with the other half it would be a wrong
    // month.
    put(data(1), 120, gzipSync(costs('10')));
    expect(await costAt(source, 130)).toEqual([['3', 1]]);
    put(metadata, 131, manifest(1));
    expect(await costAt(source, 140)).toEqual([['10', 2]]);
  });

  it('T-COST: a folder whose manifests name nothing is read by file names', async () => {
    put('plain/shop-00001.csv', 0, costs('4'));
    put('plain/shop-00002.csv', 0, costs('4'));
    put('plain/manifest.json', 0, '{"name":"an app"}');
    expect(await costAt(await make('plain'), 150)).toEqual([['8', 1]]);
  });
});
