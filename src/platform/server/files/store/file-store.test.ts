// One interface, two implementations: a folder, and a bucket of a real S3 server.
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { atFileEnd } from '#tests/support/clean-up.ts';
import { startBucket } from '#tests/support/s3.ts';
import { readText, writeText, type FileStore } from './file-store.ts';
import { openFiles } from './open-files.ts';
import { placeIn, s3PlaceOf, type FilesPlace } from './files-place.ts';
import { assertBucket, FilesUnavailable } from './s3-store.ts';

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'skytally-files-'));
  atFileEnd(async () => rmSync(folder, { recursive: true, force: true }));
  return folder;
};
const bucketAt = (url: string): FilesPlace & { kind: 's3' } => {
  const place = s3PlaceOf(url);
  if (place === undefined) throw new Error(`no place of files: ${url}`);
  return place;
};
async function* pieces(...all: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const piece of all) yield typeof piece === 'string' ? Buffer.from(piece) : piece;
}
async function bytesOf(files: FileStore, name: string): Promise<Buffer | undefined> {
  const content = await files.read(name);
  return content && buffer(content);
}

describe.each(['folder', 'bucket'] as const)('files in a %s', (kind) => {
  let place: FilesPlace;
  let files: FileStore;
  beforeAll(async () => {
    place = kind === 'folder' ? { kind: 'folder', path: newFolder() } : bucketAt((await startBucket()).url);
    files = await openFiles(place);
  });

  it('are read as written, listed by folder, and removed', async () => {
    expect(await files.read('packs/none.zip')).toBeUndefined();
    expect(await files.list('packs')).toEqual([]);
    expect(await files.write('packs/a.zip', pieces('hello ', '世界'))).toBe(12);
    await files.write('packs/b.zip', pieces());
    await files.write('backups/deep/er.age', pieces('x'));
    expect(await readText(files, 'packs/a.zip')).toBe('hello 世界');
    expect(await readText(files, 'packs/b.zip')).toBe('');
    expect(await files.list('packs')).toEqual([
      { name: 'packs/a.zip', bytes: 12 },
      { name: 'packs/b.zip', bytes: 0 },
    ]);
    expect(await (await openFiles(placeIn(place, 'backups'))).list('')).toEqual([
      { name: 'deep/er.age', bytes: 1 },
    ]);
    await writeText(files, 'packs/a.zip', 'another');
    await expect.poll(() => readText(files, 'packs/a.zip')).toBe('another');
    await files.remove(['packs/a.zip', 'packs/b.zip', 'packs/none.zip']);
    expect(await files.list('packs')).toEqual([]);
    expect(await readText(files, 'backups/deep/er.age')).toBe('x');
  });

  it('longer than one part of an upload are complete (40 MB)', async () => {
    const block = randomBytes(1024 * 1024);
    const written = await files.write('large.bin', pieces(...Array.from({ length: 40 }, () => block)));
    expect(written).toBe(40 * block.length);
    expect(
      (await bytesOf(files, 'large.bin'))?.equals(Buffer.concat(Array.from({ length: 40 }, () => block))),
    ).toBe(true);
  });

  it('whose source fails or that are stopped do not exist; an existing one of the same name is unchanged', async () => {
    await writeText(files, 'kept.txt', 'as it was');
    const failing = async function* (): AsyncGenerator<Uint8Array> {
      yield randomBytes(100_000);
      throw new Error('the source failed');
    };
    for (const name of ['kept.txt', 'half.txt']) {
      await expect(files.write(name, failing())).rejects.toThrow('the source failed');
      await expect(files.write(name, pieces('x'), AbortSignal.abort())).rejects.toThrow();
    }
    const stop = new AbortController();
    const stopping = async function* (): AsyncGenerator<Uint8Array> {
      yield randomBytes(100_000);
      stop.abort();
      yield randomBytes(100_000);
    };
    await expect(files.write('half.txt', stopping(), stop.signal)).rejects.toThrow();
    expect(await readText(files, 'kept.txt')).toBe('as it was');
    expect(await files.read('half.txt')).toBeUndefined();
  });

  it('are written concurrently, and each is complete', async () => {
    const texts = Array.from({ length: 20 }, (_, place) => `${place}`.repeat(50_000));
    await Promise.all(texts.map((text) => writeText(files, 'same.txt', text)));
    expect(texts).toContain(await readText(files, 'same.txt'));
  });

  it('have names that lead nowhere else', async () => {
    for (const name of ['../x', '/etc/passwd', 'a/../../x', 'a//b', '', '.', '..', 'a/', 'a\\b', 'a\0', 'ä'])
      for (const use of [
        () => writeText(files, name, 'x'),
        () => readText(files, name),
        () => files.remove([name]),
      ])
        await expect(use(), name).rejects.toThrow('no name of a stored file');
  });

  it('are returned byte by byte, for any content and split', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 3000 }), { maxLength: 5 }), async (content) => {
        await files.write('any.bin', pieces(...content));
        // The stand-in answers a moment before it has written over an earlier object.
        await expect.poll(() => bytesOf(files, 'any.bin')).toEqual(Buffer.concat(content));
      }),
      { numRuns: 30 },
    );
  });
});

describe('a folder', () => {
  it('is accessible to its owner only; files of a killed writer are removed, files still being written are kept', async () => {
    const folder = newFolder();
    const files = await openFiles({ kind: 'folder', path: join(folder, 'new') });
    await writeText(files, 'packs/a.zip', 'x');
    expect(statSync(join(folder, 'new/packs/a.zip')).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'new/packs')).mode & 0o777).toBe(0o700);
    for (const name of ['a.zip', 'b.zip', 'c.zip'])
      writeFileSync(join(folder, `new/packs/${name}.01234567.draft`), 'half');
    expect((await files.list('packs')).map(({ name }) => name)).toEqual(['packs/a.zip']);
    await files.removeUnfinished('packs', (name) => name !== 'packs/b.zip');
    expect(readdirSync(join(folder, 'new/packs')).toSorted()).toEqual(['a.zip', 'b.zip.01234567.draft']);
  });
});

describe('a bucket', () => {
  it('that is missing, rejects the keys or does not respond is reported with its name', async () => {
    const { url, stop } = await startBucket();
    await assertBucket(bucketAt(url));
    const missing = bucketAt(url.replace('console-files', 'other-files'));
    await expect(assertBucket(missing)).rejects.toMatchObject({ status: 404 });
    process.env['AWS_ACCESS_KEY_ID'] = 'SOMEBODY';
    try {
      await expect(assertBucket(bucketAt(url))).rejects.toMatchObject({ status: 403 });
      const files = await openFiles(bucketAt(url));
      for (const use of [() => writeText(files, 'a', 'x'), () => readText(files, 'a'), () => files.list('')])
        await expect(use()).rejects.toThrow(FilesUnavailable);
    } finally {
      process.env['AWS_ACCESS_KEY_ID'] = 'S3RVER';
    }
    await stop();
    const failure = await assertBucket(bucketAt(url)).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(FilesUnavailable);
    expect(failure).toMatchObject({ status: undefined, code: 'FILES' });
    expect((failure as Error).message).toContain('s3://console-files/one');
  });

  it.each([
    ['s3://bucket', { bucket: 'bucket', prefix: '', region: 'us-east-1', endpoint: undefined }],
    ['s3://a-bucket/in/here/', { bucket: 'a-bucket', prefix: 'in/here/' }],
    [
      's3://bucket/x?endpoint=https://minio.internal:9000&region=eu-central-1',
      { endpoint: 'https://minio.internal:9000', region: 'eu-central-1' },
    ],
  ])('is named by %s', (url, place) => expect(s3PlaceOf(url)).toMatchObject(place));

  it.each([
    'bucket',
    'https://bucket',
    's3://',
    's3://B_ucket',
    's3://key:secret@bucket',
    's3://bucket/a b',
    's3://bucket?endpont=https://x',
    's3://bucket?endpoint=ftp://x',
    's3://bucket?endpoint=https://me:secret@x',
    's3://bucket#x',
  ])('is not named by %s', (url) => expect(s3PlaceOf(url)).toBeUndefined());
});
