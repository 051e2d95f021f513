// Exports of the audit log to real servers: a webhook that fails, responds late and loses its response, a
// syslog server over TCP and TLS, a bucket. The result is checked by the program that receivers are given.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTcp, type AddressInfo, type Socket } from 'node:net';
import { createServer as createTls } from 'node:tls';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { minuteMs } from '#kernel/durations.ts';
import { armFailPoints } from '#platform/server/fail-point.ts';
import { auditExports, type AuditExport, type Target } from '#features/messaging/audit-exports/contract.ts';
import { hasOpenssl, makeAuthority } from '../support/certificates.ts';
import { atFileEnd } from '../support/clean-up.ts';
import { adminAccount, createTestConsole, setUp, signIn, type TestConsole } from '../support/console.ts';
import { runFeatureJob, stopRepeating } from '../support/jobs.ts';
import { isSignedBy, type Received } from '../support/receiver.ts';
import { startBucket } from '../support/s3.ts';

type Sent = {
  readonly first: number;
  readonly last: number;
  readonly entries: readonly { readonly seq: number }[];
};
const checker = fileURLToPath(new URL('../../docs/operator/check-audit.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'skytally-audit-'));
atFileEnd(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
/** The exit code and output of the receivers’ program for some files. */
async function checked(
  contents: readonly (string | { readonly name: string; readonly content: string })[],
): Promise<{ readonly code: number; readonly said: string }> {
  const place = join(folder, String(++files));
  const names = contents.map((each, index) => {
    const { name, content } = typeof each === 'string' ? { name: `${index}.log`, content: each } : each;
    const path = `${place}-${name.replaceAll('/', '_')}`;
    writeFileSync(path, content);
    return path;
  });
  return promisify(execFile)(process.execPath, [checker, ...names]).then(
    ({ stdout }) => ({ code: 0, said: stdout.trim() }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      said: `${error.stdout}${error.stderr}`.trim(),
    }),
  );
}

let console: TestConsole;
let admin: string;
beforeAll(async () => {
  console = await createTestConsole(new Date('2026-11-20T10:00:00Z'), { PRIVATE_HOSTS: '127.0.0.1' });
  await stopRepeating(console.app);
  await setUp(console);
});
beforeEach(async () => {
  armFailPoints(console.app, undefined);
  await sql`delete from audit_export`.execute(console.app.database.kysely);
  admin = await signIn(console, adminAccount.account, adminAccount.password);
});

const made = async (
  target: Target,
  more: object = {},
): Promise<{ export: AuditExport; secret: string | null }> =>
  console.ok(
    auditExports.createAuditExport,
    { name: target.kind, target, start: 'beginning', ...more } as never,
    { token: admin },
  );
const now = ({ id: exportId }: AuditExport): Promise<AuditExport> =>
  console.ok(auditExports.getAuditExport, { exportId }, { token: admin });
const run = (): Promise<void> => runFeatureJob(console.app, 'audit-exports');
const later = (ms: number): void => console.clock.set(new Date(console.clock.now().getTime() + ms));
/** Writes this many entries. */
async function write(count: number): Promise<void> {
  await sql`select append_audit('aud_' || gen_random_uuid(), ${console.clock.now()}, 'system', 'test', 'costs.createCostSource', null, jsonb_build_object('each', n, 'name', '雲端「帳單」'), 'test') from generate_series(1, ${count}::int) n`.execute(
    console.app.database.kysely,
  );
}

async function listening(server: ReturnType<typeof createTcp>): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  atFileEnd(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** A receiver of webhooks; `answer` decides about each request. */
async function webhook(answer: (response: ServerResponse, place: number) => void) {
  const received: Received[] = [];
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    received.push({ path: request.url ?? '', headers, body: await text(request) });
    answer(response, received.length);
  };
  const server = createHttp((request, response) => void receive(request, response));
  atFileEnd(() => server.closeAllConnections());
  const port = await listening(server);
  return {
    received,
    target: { kind: 'webhook', url: `http://127.0.0.1:${port}/in` } as const,
    batches: (): Sent[] => received.map(({ body }) => JSON.parse(body) as Sent),
  };
}
const taken = (response: ServerResponse): void => void response.writeHead(204).end();

describe('audit exports to a webhook', () => {
  it('T-AUDX: deliver every entry in order, signed, and lost ones again; the receivers’ program confirms the result', async () => {
    await write(450);
    const refused = new Set([2, 3]);
    const receiver = await webhook((response, place) =>
      refused.has(place) ? void response.writeHead(503).end('not now') : taken(response),
    );
    const { export: one, secret } = await made(receiver.target);
    await run();
    // The first batch was acknowledged, the second was not.
    expect(await now(one)).toMatchObject({
      sentSeq: 200,
      failure: { code: 'refused', detail: '503' },
      failingSince: console.clock.now(),
    });
    const figures = await (await fetch(`${console.address}/metrics`)).text();
    const labels = `{export="${one.id}",name="webhook"}`;
    for (const figure of ['failing', 'sent_entry'])
      expect(figures).toContain(`audit_export_${figure}${labels} ${figure === 'failing' ? 1 : 200}`);
    expect(figures).toMatch(/^audit_export_waiting_entries\{[^}]+\} 25\d$/m);
    await run();
    expect(receiver.received).toHaveLength(2);
    later(minuteMs);
    await run();
    expect(receiver.received).toHaveLength(3);
    later(minuteMs);
    await run();
    const { waiting, failure, sentSeq } = await now(one);
    expect({ waiting, failure }).toEqual({ waiting: 0, failure: null });
    expect(receiver.received.every((each) => isSignedBy(secret ?? '', each))).toBe(true);
    const places = new Set(receiver.batches().flatMap(({ entries }) => entries.map(({ seq }) => seq)));
    expect([...places]).toEqual(Array.from({ length: sentSeq }, (_each, place) => place + 1));
    const { code, said } = await checked(receiver.received.map(({ body }) => body));
    expect({ code, said: said.slice(0, 40) }).toMatchObject({
      code: 0,
      said: expect.stringContaining(`same: entries 1 to ${sentSeq}`),
    });
  });

  it('T-AUDX: repeat the same entries after a kill between response and record, and none is missing', async () => {
    const receiver = await webhook(taken);
    const { export: one } = await made(receiver.target);
    let deaths = 0;
    armFailPoints(console.app, (point) => {
      if (point === 'audit-exports: sent' && ++deaths <= 2) throw new Error('killed');
    });
    for (let times = 0; times < 2; times++) {
      await expect(run()).rejects.toThrow('killed');
      // The claim of a dead process expires after a while.
      await run();
      later(3 * minuteMs);
    }
    await run();
    const [first, second, third] = receiver.batches();
    expect([second?.first, third?.first, second?.last, third?.last]).toEqual([
      first?.first,
      first?.first,
      first?.last,
      first?.last,
    ]);
    expect((await now(one)).waiting).toBe(0);
    expect(await checked(receiver.received.map(({ body }) => body))).toMatchObject({ code: 0 });
  });

  it('T-AUDX: accept a late response when it arrives, without delaying others', async () => {
    const waiting: ServerResponse[] = [];
    const slow = await webhook((response) => void waiting.push(response));
    const quick = await webhook(taken);
    const { export: one } = await made(slow.target, { start: 'now' });
    const { export: other } = await made(quick.target, { start: 'now' });
    const before = await now(one);
    const turn = run();
    await vi.waitFor(
      async () => {
        expect(waiting).toHaveLength(1);
        expect((await now(other)).waiting).toBe(0);
      },
      { timeout: 20_000 },
    );
    expect((await now(one)).sentSeq).toBe(before.sentSeq);
    waiting[0]?.writeHead(200).end();
    await turn;
    const after = await now(one);
    expect([after.waiting, slow.batches()[0]?.first]).toEqual([0, before.sentSeq + 1]);
  });

  it('T-AUDX: that are paused or redirected meanwhile count nothing as acknowledged', async () => {
    const waiting: ServerResponse[] = [];
    const old = await webhook((response) => void waiting.push(response));
    const { export: one } = await made(old.target);
    const turn = run();
    await vi.waitFor(() => expect(waiting).toHaveLength(1), { timeout: 20_000 });
    const next = await webhook(taken);
    await console.ok(
      auditExports.updateAuditExport,
      { exportId: one.id, version: one.version, target: next.target },
      { token: admin },
    );
    waiting[0]?.writeHead(200).end();
    await turn;
    expect((await now(one)).sentSeq).toBe(0);
    later(3 * minuteMs);
    await run();
    expect(next.batches()[0]?.first).toBe(1);
    expect((await now(one)).waiting).toBe(0);
  });
});

/** What a syslog server has read: messages by octet counting. */
function framesOf(content: Buffer): string[] {
  const found: string[] = [];
  for (let at = 0; at < content.length;) {
    const space = content.indexOf(' ', at);
    const octets = Number(content.toString('latin1', at, space));
    if (!/^[1-9]\d*$/.test(content.toString('latin1', at, space))) throw new Error('no count of octets');
    found.push(content.toString('utf8', space + 1, space + 1 + octets));
    at = space + 1 + octets;
  }
  return found;
}
const syslogAt = (port: number, more: object = {}) =>
  ({ kind: 'syslog', host: '127.0.0.1', port, isTls: false, authority: '', ...more }) as const;

describe('audit exports to syslog', () => {
  it('T-AUDX: have octet counting; a server that disconnects before it read everything has acknowledged nothing', async () => {
    const pieces: Buffer[] = [];
    let isHangingUp = true;
    const serve = (socket: Socket): void => {
      socket.on('error', () => undefined);
      if (isHangingUp) return void socket.once('data', () => socket.resetAndDestroy());
      socket.on('data', (piece: Buffer) => pieces.push(piece));
    };
    const port = await listening(createTcp(serve));
    const { export: one } = await made(syslogAt(port));
    await run();
    expect(await now(one)).toMatchObject({ sentSeq: 0, failure: { code: 'unreachable' } });
    isHangingUp = false;
    later(minuteMs);
    await run();
    const { sentSeq, waiting, failure } = await now(one);
    expect({ waiting, failure }).toEqual({ waiting: 0, failure: null });
    const messages = framesOf(Buffer.concat(pieces));
    expect(messages).toHaveLength(sentSeq);
    expect(messages[0]).toMatch(
      /^<110>1 2026-11-20T10:0\d:\d\d\.\d{6}Z \S+ skytally - \S+ \[audit@32473 seq="1" /,
    );
    expect(await checked([messages.join('\n')])).toMatchObject({
      code: 0,
      said: expect.stringContaining(`same: entries 1 to ${sentSeq}`),
    });
  });

  it.skipIf(!hasOpenssl)('T-AUDX: over TLS accept only a trusted certificate', async () => {
    const authority = makeAuthority();
    const { certificate: cert, key } = authority.server;
    const pieces: Buffer[] = [];
    const port = await listening(
      createTls({ cert, key }, (socket) => {
        socket.on('error', () => undefined);
        socket.on('data', (piece: Buffer) => pieces.push(piece));
      }),
    );
    const { export: stranger } = await made(syslogAt(port, { isTls: true }));
    const { export: one } = await made(syslogAt(port, { isTls: true, authority: authority.certificate }));
    await run();
    expect(await now(stranger)).toMatchObject({ sentSeq: 0, failure: { code: 'certificate' } });
    const { sentSeq, waiting } = await now(one);
    expect(waiting).toBe(0);
    expect(framesOf(Buffer.concat(pieces))).toHaveLength(sentSeq);
  });
});

describe('audit exports to a bucket', () => {
  let client: S3Client;
  let target: Target;
  beforeAll(async () => {
    const endpoint = new URL((await startBucket()).url).searchParams.get('endpoint') ?? '';
    client = new S3Client({
      region: 'us-east-1',
      endpoint,
      forcePathStyle: true,
      credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    });
    target = {
      kind: 'bucket',
      bucket: 'console-files',
      prefix: 'audit/',
      region: 'us-east-1',
      endpoint,
      accessKeyId: 'S3RVER',
    };
  });
  async function objects(): Promise<{ name: string; content: string }[]> {
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: 'console-files' }));
    return Promise.all(
      Contents.map(async ({ Key = '' }) => ({
        name: Key,
        content:
          (await (
            await client.send(new GetObjectCommand({ Bucket: 'console-files', Key }))
          ).Body?.transformToString()) ?? '',
      })),
    );
  }

  it('T-AUDX: contain the entries of a day when it is over, with their proof; written again they are the same object', async () => {
    const { export: one } = await made(target, { secretAccessKey: 'S3RVER' });
    await run();
    expect(await objects()).toEqual([]);
    expect((await now(one)).waiting).toBeGreaterThan(0);
    later(24 * 60 * minuteMs);
    admin = await signIn(console, adminAccount.account, adminAccount.password);
    let deaths = 0;
    armFailPoints(console.app, () => {
      if (++deaths === 1) throw new Error('killed');
    });
    await expect(run()).rejects.toThrow('killed');
    const before = await objects();
    later(3 * minuteMs);
    await run();
    const found = await objects();
    expect(found).toEqual(before);
    const { sentSeq } = await now(one);
    const place = String(sentSeq).padStart(12, '0');
    expect(found.map(({ name }) => name).toSorted()).toEqual([
      `audit/2026/11/20/audit-000000000001-${place}.manifest.json`,
      `audit/2026/11/20/audit-000000000001-${place}.ndjson`,
    ]);
    const [manifest, lines] = ['.manifest.json', '.ndjson'].map(
      (ending) => found.find(({ name }) => name.endsWith(ending))?.content ?? '',
    );
    expect(JSON.parse(manifest ?? '')).toMatchObject({
      format: 'skytally-audit/1',
      first: 1,
      last: sentSeq,
      count: sentSeq,
      sha256: createHash('sha256')
        .update(lines ?? '')
        .digest('hex'),
    });
    // Entries of today wait.
    await run();
    expect((await now(one)).waiting).toBeGreaterThan(0);
    const named = found.map(({ name, content }) => ({ name: name.split('/').at(-1) ?? '', content }));
    expect(await checkedTogether(named)).toMatchObject({ code: 0 });
    // One letter of one entry.
    const changed = named.map(({ name, content }) => ({
      name,
      content: name.endsWith('.ndjson')
        ? content.replace('"seq":7,"id":"aud_', '"seq":7,"id":"aux_')
        : content,
    }));
    expect(await checkedTogether(changed)).toMatchObject({
      code: 1,
      said: expect.stringMatching(
        /not the same at entry 1: .* differs from its manifest\nnot the same at entry 7: aux_\S+ was changed/,
      ),
    });
    // One entry less.
    const short = named.map(({ name, content }) => ({
      name,
      content: name.endsWith('.ndjson') ? content.replace(/\{"seq":9,.*\n/, '') : content,
    }));
    expect((await checkedTogether(short)).said).toContain('not the same at entry 9: missing up to 9');
  });

  it('T-AUDX: report rejections of the bucket, and need the key again for another bucket', async () => {
    const { export: one } = await made({ ...target, bucket: 'not-there' } as Target, {
      secretAccessKey: 'S3RVER',
    });
    expect(
      await console.ok(auditExports.testAuditExport, { exportId: one.id }, { token: admin }),
    ).toMatchObject({ failure: { code: 'not_found' } });
    const answer = await console.call(
      auditExports.updateAuditExport,
      { exportId: one.id, version: one.version, target },
      { token: admin },
    );
    expect(answer).toMatchObject({ status: 400, envelope: { errors: [{ field: 'secretAccessKey' }] } });
    await console.ok(
      auditExports.updateAuditExport,
      { exportId: one.id, version: one.version, target, secretAccessKey: 'S3RVER' },
      { token: admin },
    );
    expect(await console.ok(auditExports.testAuditExport, { exportId: one.id }, { token: admin })).toEqual({
      failure: null,
    });
    expect((await objects()).map(({ name }) => name)).toContain('audit/skytally-test.json');
  });
});
/** Files under their own names, in a separate folder. */
async function checkedTogether(named: readonly { readonly name: string; readonly content: string }[]) {
  const place = mkdtempSync(join(folder, 'named-'));
  for (const { name, content } of named) writeFileSync(join(place, name), content);
  const paths = readdirSync(place).map((name) => join(place, name));
  expect(paths.every((path) => readFileSync(path).length > 0)).toBe(true);
  return promisify(execFile)(process.execPath, [checker, ...paths]).then(
    ({ stdout }) => ({ code: 0, said: stdout.trim() }),
    (error: { code: number; stdout: string }) => ({ code: error.code, said: error.stdout.trim() }),
  );
}

describe('manipulated entries', () => {
  it('T-AUDX: stop the export after an entry that was changed since it was sent, and the page shows that', async () => {
    const receiver = await webhook(taken);
    const { export: one } = await made(receiver.target, { start: 'now' });
    await run();
    const { sentSeq } = await now(one);
    const db = console.app.database.kysely;
    const plant = async (hash: string): Promise<void> => {
      await sql`alter table audit_log disable trigger audit_log_fixed`.execute(db);
      await sql`update audit_log set hash = decode(${hash}, 'hex') where seq = ${sentSeq}`.execute(db);
      await sql`alter table audit_log enable trigger audit_log_fixed`.execute(db);
    };
    const { rows } = await sql<{
      hash: string;
    }>`select encode(hash, 'hex') as hash from audit_log where seq = ${sentSeq}`.execute(db);
    await plant('00'.repeat(32));
    await write(1);
    const before = receiver.received.length;
    await run();
    expect(await now(one)).toMatchObject({ sentSeq, failure: { code: 'chain', detail: String(sentSeq) } });
    expect(receiver.received).toHaveLength(before);
    await plant(rows[0]?.hash ?? '');
    later(minuteMs);
    await run();
    expect(await now(one)).toMatchObject({ waiting: 0, failure: null });
  });

  it('T-AUDX: are detected by the receivers’ program: a changed entry, a duplicate number, a gap, and other files', async () => {
    const receiver = await webhook(taken);
    await made(receiver.target);
    await run();
    const body = receiver.received.map((each) => each.body).join('\n');
    expect((await checked([body.replace('"action":"', '"action":"x')])).said).toMatch(
      /^not the same at entry 1: aud_\S+ was changed/,
    );
    expect((await checked([body, body.replace('"action":"', '"action":"x')])).said).toContain(
      'two different entries have this number',
    );
    const lines = receiver.batches().flatMap(({ entries }) => entries.map((entry) => JSON.stringify(entry)));
    expect((await checked([[...lines.slice(0, 3), ...lines.slice(5)].join('\n')])).said).toBe(
      'not the same at entry 4: missing up to 5',
    );
    expect(await checked(['nothing'])).toMatchObject({ code: 2 });
    // In any order, and twice, they are the same.
    expect(await checked([lines.slice(3).join('\n'), lines.join('\n')])).toMatchObject({ code: 0 });
  });
});

describe('an Admin’s settings of audit exports', () => {
  it.each<[Target, string, string]>([
    [{ kind: 'webhook', url: 'http://hooks.example.com/in' }, 'target.url', 'not_https'],
    [{ kind: 'webhook', url: 'https://10.0.0.1/in' }, 'target.url', 'not_public'],
    [syslogAt(514, { host: 'logs.example.com' }), 'target.host', 'not_https'],
    [syslogAt(514, { host: 'logs.example.com', isTls: true }), 'target.host', 'port'],
    [syslogAt(6514, { host: '169.254.169.254', isTls: true }), 'target.host', 'not_public'],
  ])('T-AUDX: %o is rejected at its field', async (target, field, issue) => {
    const answer = await console.call(
      auditExports.createAuditExport,
      { name: 'x', target, start: 'now' },
      { token: admin },
    );
    expect(answer).toMatchObject({
      status: 400,
      envelope: { errors: [{ field, code: `auditexports.address_${issue}` }] },
    });
  });

  it('T-AUDX: secrets are shown once, and are neither in responses nor in the audit log; every step is logged', async () => {
    const receiver = await webhook(taken);
    const { export: one, secret } = await made(receiver.target);
    expect(secret).toMatch(/^whsec_/);
    const result = await console.ok(auditExports.testAuditExport, { exportId: one.id }, { token: admin });
    expect(result).toEqual({ failure: null });
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({ type: 'audit.test' });
    const paused = await console.ok(
      auditExports.updateAuditExport,
      { exportId: one.id, version: one.version, isPaused: true },
      { token: admin },
    );
    await run();
    expect(receiver.received).toHaveLength(1);
    const list = await console.ok(auditExports.listAuditExports, {}, { token: admin });
    await console.ok(auditExports.deleteAuditExport, { exportId: one.id }, { token: admin });
    const { rows } = await sql<{
      action: string;
      detail: object;
    }>`select action, detail from audit_log where subject = ${one.id} order by seq`.execute(
      console.app.database.kysely,
    );
    expect(rows.map(({ action }) => action)).toEqual([
      'auditexports.createAuditExport',
      'auditexports.testAuditExport',
      'auditexports.updateAuditExport',
      'auditexports.deleteAuditExport',
    ]);
    expect(JSON.stringify([paused, list, rows])).not.toContain(secret?.slice(6, 30));
  });
});
