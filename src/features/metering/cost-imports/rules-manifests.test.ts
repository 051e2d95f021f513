// Which run of an export counts, based on names and contents as AWS and Azure write them.
import { describe, expect, test } from 'vitest';
import type { NamedFile } from './rules-files.ts';
import { isManifest, namedPaths, partitionsOf, wholeRun } from './rules-manifests.ts';

const now = Date.parse('2024-10-05T12:00:00Z');
const file = (name: string, minutesOld: number): NamedFile => ({
  name,
  mark: `${name}@${minutesOld}`,
  bytes: 10,
  modifiedAt: new Date(now - minutesOld * 60_000),
});
const before = new Date(now - 2 * 60_000);

describe('manifests', () => {
  test.each([
    ['e/metadata/BILLING_PERIOD=2024-10/e-Manifest.json', true],
    ['a/20241001-20241031/202410041442/0-0/manifest.json', true],
    ['r/20241001-20241101/r-Manifest.json', true],
    ['r/20241001-20241101/r-RedshiftManifest.json', false],
    ['data/manifest.csv', false],
  ])('T-COST: %s is one: %s', (name, is) => expect(isManifest(file(name, 5))).toBe(is));

  test.each([
    ['{"executionId":"x","dataFiles":["s3://b/e/data/BILLING_PERIOD=2024-10/e-00001.csv.gz"]}', 1],
    [
      '{"assemblyId":"x","reportKeys":["r/20241001-20241101/x/r-1.csv.gz","r/20241001-20241101/x/r-2.csv.gz"]}',
      2,
    ],
    [
      '{"manifestVersion":"2024-04-01","blobCount":1,"blobs":[{"blobName":"c/part_0_0001.csv","byteCount":9}]}',
      1,
    ],
    ['{"dataFiles":[]}', undefined],
    ['{"name":"app","icons":["a.png"]}', undefined],
    ['{"blobs":[{"size":1}]}', undefined],
    ['not JSON', undefined],
  ])('T-COST: %s names files: %s', (text, count) => expect(namedPaths(text)?.length).toBe(count));

  test('T-COST: runs are grouped by export and billing period, newest first', () => {
    const found = partitionsOf([
      file('e/metadata/BILLING_PERIOD=2024-09/e-Manifest.json', 900),
      file('e/metadata/BILLING_PERIOD=2024-10/20241004T000000Z-1/e-Manifest.json', 90),
      file('e/metadata/BILLING_PERIOD=2024-10/20241005T000000Z-2/e-Manifest.json', 9),
      file('r/r/year=2024/month=10/r-Manifest.json', 100),
      file('r/r/year=2024/month=9/r-Manifest.json', 101),
      file('azure/x/20241001-20241031/202410041442/0-0/manifest.json', 50),
    ]);
    expect(found.map(({ root, period, manifests }) => [root, period, manifests.length])).toEqual([
      ['e', 'BILLING_PERIOD=2024-10', 2],
      ['azure/x', '20241001-20241031', 1],
      ['r/r', 'year=2024/month=10', 1],
      ['r/r', 'year=2024/month=9', 1],
      ['e', 'BILLING_PERIOD=2024-09', 1],
    ]);
  });
});

describe('a run of an export', () => {
  const partition = { root: 'e', period: 'BILLING_PERIOD=2024-10', manifests: [] };
  const part = 'e/data/BILLING_PERIOD=2024-10/e-00001.csv.gz';
  const paths = [`s3://bucket/exports/${part}`];
  const run = (manifest: number, ...files: NamedFile[]) =>
    wholeRun(
      partition,
      file('e/metadata/BILLING_PERIOD=2024-10/e-Manifest.json', manifest),
      paths,
      files,
      before,
    );

  test('T-COST: is complete when its files exist and are older than its manifest; its paths may start with a bucket and a prefix', () => {
    const whole = run(5, file(part, 6), file('e/data/BILLING_PERIOD=2024-10/left-00001.csv.gz', 6));
    expect(whole?.files.map(({ name }) => name)).toEqual([part]);
    expect(whole?.name).toBe('e/BILLING_PERIOD=2024-10');
  });
  test('T-COST: is not read while a file is missing, or within its first minute', () => {
    expect(run(5)).toBeUndefined();
    expect(run(5, file(`other/${part}`, 6))).toBeUndefined();
    expect(run(1, file(part, 6))).toBeUndefined();
    expect(run(5, file(part, 1))).toBeUndefined();
  });
  test('T-COST: is not read while the next one overwrites its files; after an hour they count as copied in another order', () => {
    expect(run(600, file(part, 10))).toBeUndefined();
    expect(run(600, file(part, 100))?.files).toHaveLength(1);
  });
  test('T-COST: is the same in a folder above or below the one named in the manifest', () => {
    const at = (name: string, root: string) =>
      wholeRun({ ...partition, root }, file('m', 5), [part], [file(name, 6)], before)?.files.length;
    expect(at(`copy/${part}`, 'copy/e')).toBe(1);
    expect(at('data/BILLING_PERIOD=2024-10/e-00001.csv.gz', '')).toBe(1);
  });
});
