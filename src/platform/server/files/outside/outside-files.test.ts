// One interface, two implementations: a folder that the operator opened, and a bucket of a real S3 server.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { beforeAll, describe, expect, it } from 'vitest';
import { atFileEnd } from '#tests/support/clean-up.ts';
import { startBucket } from '#tests/support/s3.ts';
import { openOutside } from './open-outside.ts';
import type { OutsideAccess, OutsideFiles, OutsidePlace } from './outside-files.ts';

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'skytally-outside-'));
  atFileEnd(async () => rmSync(folder, { recursive: true, force: true }));
  return folder;
};
const put = (path: string, content: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
};
const never = new AbortController().signal;
const textOf = (files: OutsideFiles, name: string, maxBytes = 1_000_000): Promise<string> =>
  text(files.read(name, maxBytes, never));
const keys = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
async function newBucket(): Promise<{
  place: OutsidePlace & { kind: 's3' };
  client: S3Client;
  host: string;
}> {
  const endpoint = new URL((await startBucket()).url).searchParams.get('endpoint') ?? '';
  const client = new S3Client({ region: 'us-east-1', endpoint, forcePathStyle: true, credentials: keys });
  return {
    place: { kind: 's3', bucket: 'console-files', prefix: 'exports/', region: 'us-east-1', endpoint, keys },
    client,
    host: new URL(endpoint).host,
  };
}

// Names as in the clouds’ exports.
const names = ['a b/data.csv', 'BILLING_PERIOD=2024-09/part-0.csv', 'BILLING_PERIOD=2024-10/part-0.csv'];

describe.each(['folder', 'bucket'] as const)('external files in a %s', (kind) => {
  let place: OutsidePlace;
  let access: OutsideAccess;
  beforeAll(async () => {
    if (kind === 'folder') {
      const importDir = newFolder();
      for (const name of names) put(join(importDir, 'exports', name), `in ${name} 世界`);
      put(join(importDir, 'other/secret.csv'), 'secret');
      place = { kind: 'folder', path: 'exports' };
      access = { importDir, privateHosts: [], mostFiles: 10 };
    } else {
      const bucket = await newBucket();
      for (const name of [...names.map((each) => `exports/${each}`), 'other/secret.csv'])
        await bucket.client.send(
          new PutObjectCommand({
            Bucket: 'console-files',
            Key: name,
            Body: `in ${name.slice(name.indexOf('/') + 1)} 世界`,
          }),
        );
      place = bucket.place;
      access = { importDir: undefined, privateHosts: [bucket.host], mostFiles: 10 };
    }
  });

  it('are listed by prefix, and read unchanged', async () => {
    const files = openOutside(place, access);
    const listed = await files.list('', never);
    expect(listed.map(({ name }) => name)).toEqual(names.toSorted());
    expect(listed.every(({ bytes, mark }) => bytes > 10 && mark !== '')).toBe(true);
    expect((await files.list('BILLING_PERIOD=2024-1', never)).map(({ name }) => name)).toEqual([names[2]]);
    expect(await files.list('none', never)).toEqual([]);
    for (const name of names) expect(await textOf(files, name)).toBe(`in ${name} 世界`);
    files.close();
  });

  it('that are missing, too long, or too many are reported as such', async () => {
    const files = openOutside(place, access);
    await expect(textOf(files, 'none.csv')).rejects.toMatchObject({ failure: 'not_found' });
    await expect(textOf(files, 'a b/data.csv', 5)).rejects.toMatchObject({ failure: 'too_large' });
    await expect(openOutside(place, { ...access, mostFiles: 2 }).list('', never)).rejects.toMatchObject({
      failure: 'too_many_files',
      detail: '2',
    });
    await expect(files.list('', AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped');
  });

  it('have names that lead nowhere else', async () => {
    const files = openOutside(place, access);
    for (const name of ['../other/secret.csv', '/etc/passwd', 'a b/../../other/secret.csv', 'a\\b', 'a\0b'])
      await expect(textOf(files, name), name).rejects.toMatchObject({ failure: 'path' });
  });
});

describe('an external folder', () => {
  it('is disabled while the operator allows none, and links out of the allowed one are not followed', async () => {
    const [importDir, elsewhere] = [newFolder(), newFolder()];
    put(join(elsewhere, 'secret.csv'), 'secret');
    put(join(importDir, 'in/own.csv'), 'own');
    symlinkSync(elsewhere, join(importDir, 'out'));
    symlinkSync(join(elsewhere, 'secret.csv'), join(importDir, 'in/linked.csv'));
    symlinkSync(join(importDir, 'in/own.csv'), join(importDir, 'in/inside.csv'));
    const access = { importDir, privateHosts: [], mostFiles: 10 };
    await expect(
      openOutside({ kind: 'folder', path: 'in' }, { ...access, importDir: undefined }).list('', never),
    ).rejects.toMatchObject({ failure: 'folders_closed' });
    await expect(openOutside({ kind: 'folder', path: 'out' }, access).list('', never)).rejects.toMatchObject({
      failure: 'path',
    });
    await expect(openOutside({ kind: 'folder', path: '..' }, access).list('', never)).rejects.toMatchObject({
      failure: 'path',
    });
    const files = openOutside({ kind: 'folder', path: 'in' }, access);
    await expect(textOf(files, 'linked.csv')).rejects.toMatchObject({ failure: 'path' });
    expect(await textOf(files, 'inside.csv')).toBe('own');
    expect((await files.list('', never)).map(({ name }) => name)).toEqual(['own.csv']);
  });
});

describe('an external bucket', () => {
  const usual = { kind: 's3', bucket: 'their-bucket', prefix: '', region: 'us-east-1', keys } as const;
  const access = { importDir: undefined, privateHosts: [], mostFiles: 10 };

  it('has a public endpoint, or one that the operator listed', async () => {
    for (const endpoint of [
      'http://169.254.169.254',
      'https://10.0.0.5',
      'https://localhost:9000',
      'ftp://x.example',
    ])
      expect(() => openOutside({ ...usual, endpoint }, access), endpoint).toThrow('address');
    // A name that resolves to a private network is rejected at lookup, although its text is fine.
    const { place, host } = await newBucket();
    const named = place.endpoint?.replace('127.0.0.1', 'localhost') ?? '';
    expect(() => openOutside({ ...place, endpoint: named }, access)).toThrow('address');
    expect(
      await openOutside(
        { ...place, endpoint: named },
        { ...access, privateHosts: [host.replace('127.0.0.1', 'localhost')] },
      ).list('', never),
    ).toEqual([]);
  });

  it('has a region and a name that cannot name another host', () => {
    for (const wrong of [{ region: 'x.evil.example/' }, { bucket: 'evil.example/x' }, { bucket: 'A' }])
      expect(() => openOutside({ ...usual, endpoint: null, ...wrong }, access)).toThrow('address');
  });

  it('is accessed only with its own keys: the console’s are never sent to it', async () => {
    const asked: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      asked.push(request.headers.authorization);
      response.writeHead(403, { 'content-type': 'application/xml' });
      response.end('<Error><Code>AccessDenied</Code></Error>');
    }).listen(0, '127.0.0.1');
    atFileEnd(async () => void server.close());
    await once(server, 'listening');
    const address = server.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    process.env['AWS_ACCESS_KEY_ID'] = 'CONSOLE';
    process.env['AWS_SECRET_ACCESS_KEY'] = 'CONSOLE';
    const endpoint = `http://127.0.0.1:${port}`;
    const opened = { ...access, privateHosts: [`127.0.0.1:${port}`] };
    for (const own of [null, keys])
      await expect(
        openOutside({ ...usual, endpoint, keys: own }, opened).list('', never),
      ).rejects.toMatchObject({ failure: 'credentials', detail: 'AccessDenied' });
    expect(asked[0]).toBeUndefined();
    expect(asked[1]).toContain('Credential=S3RVER/');
    expect(asked.join('')).not.toContain('CONSOLE');
  });
});
