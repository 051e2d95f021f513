// Uploads, downloads and sentences under attack (reliability.md, section 2.E), on a console over HTTP.
import { connect, type Socket } from 'node:net';
import { readdirSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { file, type Route } from '#kernel/contract.ts';
import { administration } from '#features/operations/administration/contract.ts';
import { features } from '#app/features.ts';
import { createTestConsole, setUp, type TestConsole } from '../support/console.ts';

let console: TestConsole;
let token: string;
let slow: Record<'head' | 'body' | 'upload' | 'picture' | 'honest', Promise<string>>;
const drips: NodeJS.Timeout[] = [];

/**
 * Sends the beginning of a request, then a byte every second; resolves to the response when the server has
 * closed the connection.
 */
function drip(
  beginning: string,
  drop: string | Buffer,
  end: (sent: number) => boolean = () => false,
): Promise<string> {
  const socket: Socket = connect(Number(new URL(console.address).port), '127.0.0.1');
  let received = '';
  let sent = 0;
  socket.write(beginning);
  const timer = setInterval(() => {
    if (end(++sent)) clearInterval(timer);
    if (!socket.destroyed) socket.write(drop);
  }, 1000);
  drips.push(timer);
  socket.on('data', (data) => (received += data.toString('latin1')));
  // The server closes while the test still writes, which is the expected result.
  socket.on('error', () => undefined);
  return new Promise((done) => socket.on('close', () => done(received)));
}

const secondsOfHonesty = 28;
const dropBytes = 64 * 1024;

beforeAll(async () => {
  console = await createTestConsole();
  token = await setUp(console);
  const host = `host: ${new URL(console.address).host}\r\n`;
  const bearer = `authorization: Bearer ${token}\r\n`;
  slow = {
    head: drip(`POST /api/user/login HTTP/1.1\r\n${host}`, 'x-a: b\r\n'),
    body: drip(
      `POST /api/user/login HTTP/1.1\r\n${host}content-type: application/json\r\ncontent-length: 1000\r\n\r\n{`,
      'a',
    ),
    upload: drip(
      `POST /api/admin/imports/focus HTTP/1.1\r\n${host}${bearer}content-type: text/csv\r\ncontent-length: 1000000\r\n\r\na`,
      'a',
    ),
    picture: drip(
      `PUT /api/user/avatar HTTP/1.1\r\n${host}${bearer}content-type: image/png\r\ncontent-length: 100000\r\n\r\n\x89PNG`,
      'a',
    ),
    honest: drip(
      `POST /api/admin/imports/focus HTTP/1.1\r\n${host}${bearer}content-type: text/csv\r\nconnection: close\r\ncontent-length: ${secondsOfHonesty * dropBytes}\r\n\r\n`,
      Buffer.alloc(dropBytes, 'a'),
      (sent) => sent === secondsOfHonesty,
    ),
  };
});
afterAll(() => drips.forEach((timer) => clearInterval(timer)));

const raw = (path: string, init: RequestInit = {}) => fetch(console.address + path, init);
const upload = (query: string, body = 'A,B\n1,2\n', type = 'text/csv') =>
  raw(`/api/admin/imports/focus${query}`, {
    method: 'POST',
    headers: { 'content-type': type, authorization: `Bearer ${token}` },
    body,
  });

describe('uploads', () => {
  it.each([
    '../../x',
    '..\\..\\x',
    '/etc/passwd',
    'CON',
    'NUL.csv',
    `${'n'.repeat(200)}`,
    'a\u202Evsc.exe',
    '%2e%2e%2fx',
    '\u0000.csv',
  ])('2.E-84 do not use a file name chosen by a client: %j', async (name) => {
    const before = readdirSync(console.app.config.dataDir, { recursive: true }).map(String).toSorted();
    const answer = await upload(`?fileName=${encodeURIComponent(name)}`);
    expect(answer.status).toBeLessThan(500);
    expect(readdirSync(console.app.config.dataDir, { recursive: true }).map(String).toSorted()).toEqual(
      before,
    );
  });
  it('2.E-84 reject a name of 300 letters', async () =>
    expect((await upload(`?fileName=${'n'.repeat(300)}`)).status).toBe(400));

  it('2.E-89 in multipart format are rejected without being read, even with a thousand parts', async () => {
    const form = new FormData();
    for (let part = 0; part < 1000; part++) form.append(`file${part}`, new Blob(['a,b']), `${part}.csv`);
    expect(
      (
        await raw('/api/admin/imports/focus', {
          method: 'POST',
          headers: { authorization: `Bearer ${token}` },
          body: form,
        })
      ).status,
    ).toBe(415);
    expect((await upload('', '{}', 'application/json')).status).toBe(415);
    expect((await upload('', '<svg onload="alert(1)"/>', 'image/svg+xml')).status).toBe(415);
  });
});

describe('downloads', () => {
  const downloads: [string, Route][] = features.flatMap(({ name, contract }) =>
    Object.entries(contract).flatMap(([verb, route]): [string, Route][] =>
      route.output === file && route.method === 'GET' && !route.path.includes(':')
        ? [[`${name}.${verb}`, route]]
        : [],
    ),
  );

  it('2.E-85 are attachments with a file name of the console, never opened in the page', async () => {
    const served: string[] = [];
    for (const [name, route] of downloads) {
      for (const query of ['', '?format=csv', '?format=xlsx', '?month=2024-09']) {
        const answer = await raw(`/api${route.path}${query}`, {
          headers: { authorization: `Bearer ${token}` },
        });
        expect(answer.status, name).toBeLessThan(500);
        if (answer.status !== 200) continue;
        served.push(name);
        expect(answer.headers.get('x-content-type-options'), name).toBe('nosniff');
        expect(answer.headers.get('content-disposition'), name).toMatch(/^attachment; filename="[\w.-]+"/);
        expect(answer.headers.get('content-security-policy'), name).toContain("default-src 'none'");
        await answer.body?.cancel();
      }
    }
    expect(new Set(served).size, served.join()).toBeGreaterThan(4);
  });
});

describe('a long file of the wrong kind', () => {
  it('is rejected after its first rows, without reading the rest', async () => {
    const answer = await upload('', `A,B\n${'1,2\n'.repeat(4_000_000)}`);
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
      422,
      'administration.import_columns_missing',
    ]);
  }, 15_000);
});

describe('a full disk', () => {
  it('2.E-90 is reported as such, and nothing of the upload is stored', async () => {
    const rows = async (): Promise<unknown> =>
      (await sql`select count(*) as imports from import`.execute(console.app.database.kysely)).rows;
    const db = console.app.database.kysely;
    const before = await rows();
    // PostgreSQL’s own error for a full disk, at the last write of the upload.
    await sql`create function full_disk() returns trigger language plpgsql as $$ begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$`.execute(
      db,
    );
    await sql`create trigger full_disk after insert on import for each row execute function full_disk()`.execute(
      db,
    );
    const answer = await upload('?fileName=first.csv', readFileSync('demo-data/focus-sample.csv', 'utf8'));
    await sql`drop trigger full_disk on import`.execute(db);
    expect(answer.status).toBe(507);
    expect(await answer.json()).toMatchObject({ isSuccess: false, code: 'platform.no_space' });
    expect(await rows()).toEqual(before);
    expect(
      (await upload('?fileName=again.csv', readFileSync('demo-data/focus-sample.csv', 'utf8'))).status,
    ).toBe(202);
  });
});

describe('locale files', () => {
  const up = [
    '../../src/',
    '..%2f',
    '%2e%2e/',
    '%2e%2e%2f',
    '..%5c',
    '..\\',
    '%252e%252e%252f',
    '..;/',
    '....//',
    '%c0%ae%c0%ae/',
    '..%00/',
    '%2e%2e%5c',
    '../../src/',
  ];
  const paths = [
    ...up.map((step) => `/locales/${step}${step}etc/passwd.json`),
    ...up.map((step) => `/locales/zhTW/${step}${step}package.json`),
    '/locales//etc/passwd.json',
    '/locales/zhTW//etc/passwd.json',
    '/locales/zhTW/%00.json',
    '/locales/zhTW/app.json%00',
    '/locales/zhTW/app.json.map',
    '/locales/ZHTW/app.json',
    '/locales/zh-TW/app.json',
    '/locales/__proto__/app.json',
    '/locales/zhTW/__proto__.json',
    '/locales/zhTW/constructor.json',
    '/locales/constructor/app.json',
    '/locales/zhTW/toString.json',
    '/locales/zhTW/hasOwnProperty.json',
    '/locales/zhTW/.json',
    '/locales/zhTW/__proto__+constructor.json',
    '/locales/__proto__+constructor/app.json',
    '/locales/zhTW/..+..%2f..%2fpackage.json',
  ];
  it.each(paths)('2.E-100 and 101 no other file is served as %s', async (path) => {
    // An HTTP client would normalise the path.
    const socket = connect(Number(new URL(console.address).port), '127.0.0.1');
    socket.write(
      `GET ${path} HTTP/1.1\r\nhost: ${new URL(console.address).host}\r\nconnection: close\r\n\r\n`,
    );
    let received = '';
    for await (const part of socket) received += String(part);
    expect(received).toMatch(/^HTTP\/1\.1 (404|400) /);
    expect(received).not.toMatch(/root:|"dependencies"/);
  });
  it('2.E-100 rejects forty path traversals', () => expect(paths.length).toBeGreaterThanOrEqual(40));

  it('2.E-103 are not loaded from elsewhere, and in development nothing outside the tables is written', async () => {
    expect(
      (
        await raw('/locales/add/zhTW/app', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{}',
        })
      ).status,
    ).toBe(404);
    const development = await createTestConsole(undefined, { NODE_ENV: 'development' });
    const add = (body: string) =>
      fetch(`${development.address}/locales/add/zhTW/app`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
    expect((await add('{"menu.lost":"x"}')).status).toBe(200);
    for (const body of ['{"__proto__":{"polluted":true}}', '{"constructor":{"prototype":{"polluted":true}}}'])
      expect((await add(body)).status).toBe(400);
    expect((await add(JSON.stringify({ a: 'x'.repeat(9000) }))).status).toBe(413);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe('slow clients', () => {
  it.each(['head', 'body'] as const)(
    '2.E-88 a %s that is sent byte by byte is cut off',
    async (which) => expect(await slow[which]).toMatch(/^HTTP\/1\.1 408 /),
    60_000,
  );
  it(
    '2.E-88 an upload that is sent byte by byte is cut off',
    async () => expect(await slow.upload).toMatch(/^HTTP\/1\.1 408 /),
    60_000,
  );
  it(
    '2.E-88 a picture that is sent byte by byte is cut off',
    async () => expect(await slow.picture).toMatch(/^HTTP\/1\.1 408 /),
    60_000,
  );
  it('2.E-88 an upload on a slow but steady connection is read to its end', async () => {
    // The content is not a valid file; it only matters that it was read and answered.
    expect(await slow.honest).toMatch(/^HTTP\/1\.1 (422|202) /);
    expect((await console.call(administration.listImports, {}, { token })).status).toBe(200);
  }, 60_000);
});
