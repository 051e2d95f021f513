// Event streams from files against a real console, database, folder and S3 server: each row counts once,
// whatever is written, rewritten or crashes.
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import { eventStreams, type EventStream } from '#features/metering/event-streams/contract.ts';
import { armFailPoints } from '#platform/server/fail-point.ts';
import { createTestConsole, type TestConsole } from '../support/console.ts';
import { runFeatureJob, stopRepeating } from '../support/jobs.ts';
import { meteredConsole } from '../support/metered-console.ts';
import { startBucket } from '../support/s3.ts';

const folder = mkdtempSync(join(tmpdir(), 'skytally-event-files-'));
const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);
let console: TestConsole;
let admin: string;
let sub: Id<'sub'>;
let bucket: { client: S3Client; endpoint: string };

beforeAll(async () => {
  const { url } = await startBucket();
  const endpoint = new URL(url).searchParams.get('endpoint') ?? '';
  bucket = {
    endpoint,
    client: new S3Client({
      region: 'us-east-1',
      endpoint,
      forcePathStyle: true,
      credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    }),
  };
  console = await createTestConsole(new Date(), {
    PRIVATE_HOSTS: new URL(endpoint).host,
    IMPORT_DIR: folder,
  });
  await stopRepeating(console.app);
  ({ admin, subscriptionId: sub } = await meteredConsole(console));
});
afterAll(() => {
  bucket.client.destroy();
  rmSync(folder, { recursive: true, force: true });
});
afterEach(async () => {
  armFailPoints(console.app, undefined);
  const { items } = await console.ok(eventStreams.listEventStreams, { limit: 100 }, { token: admin });
  for (const { id } of items)
    await console.ok(eventStreams.deleteEventStream, { streamId: id }, { token: admin });
});

const db = () => console.app.database.kysely;
const mapped = `{ "subject": "${'$SUB'}", "type": "call", "data": { "value": calls } }`;
const settings = (more: object) => ({
  name: 'Files',
  authority: '',
  options: { kind: 'files', region: '', endpoint: '' },
  credentials: { kind: 'none' },
  format: 'mapped',
  expression: mapped.replace('$SUB', sub),
  start: 'earliest',
  ...more,
});
const make = (more: object): Promise<EventStream> =>
  console.ok(eventStreams.createEventStream, settings(more) as never, { token: admin });
const get = ({ id }: EventStream): Promise<EventStream> =>
  console.ok(eventStreams.getEventStream, { streamId: id }, { token: admin });
const look = (): Promise<void> => runFeatureJob(console.app, 'event-streams');
const begin = async ({ id }: EventStream): Promise<void> => {
  await console.ok(eventStreams.startEventStream, { streamId: id }, { token: admin });
  await look();
};
/** Restarts the stream, so that files are listed immediately. */
const again = async (made: EventStream): Promise<void> => {
  await console.ok(eventStreams.pauseEventStream, { streamId: made.id }, { token: admin });
  await begin(made);
};
const until = (made: EventStream, expected: object): Promise<unknown> =>
  vi.waitFor(
    async () => {
      await look();
      expect(await get(made)).toMatchObject(expected);
    },
    { timeout: 40_000, interval: 200 },
  );
/** The metered events of a stream or of a source. */
async function metered(source: string): Promise<{ count: number; sum: number }> {
  const { rows } = await sql<{
    count: string;
    sum: string;
  }>`select count(*)::text as count, coalesce(sum(e.value), 0)::text as sum from usage_event e join usage_source s on s.id = e.source_id where s.source = ${source}`.execute(
    db(),
  );
  return { count: Number(rows[0]?.count), sum: Number(rows[0]?.sum) };
}
const own = ({ id }: EventStream): string => `/event-streams/${id}`;
const rejectedOf = async ({ id }: EventStream) =>
  (await console.ok(eventStreams.listRejectedMessages, { streamId: id, limit: 200 }, { token: admin })).items;
function write(name: string, content: string | Uint8Array, at: Date = minutesAgo(10)): void {
  mkdirSync(join(folder, name, '..'), { recursive: true });
  writeFileSync(join(folder, name), content);
  utimesSync(join(folder, name), at, at);
}
const table = (rows: number): string =>
  `calls,host\n${Array.from({ length: rows }, (_, place) => `${place + 1},h`).join('\n')}\n`;

describe('files in a folder', () => {
  it('T-ES: tables and JSON lines are read, compressed or not, each file once, and one that is still being written is not read', async () => {
    write('one/a.csv', table(3));
    write('one/b.csv.gz', gzipSync(table(2)));
    write('one/c.jsonl', '{"calls": "0.123456789012"}\n\n{"calls": 4}');
    write('one/d.ndjson.gz', gzipSync('{"calls": 5}\n'));
    write('one/new.csv', table(100), minutesAgo(1));
    write('one/_manifest.csv', table(100));
    write('one/readme.txt', table(100));
    const made = await make({ address: 'folder://one' });
    const preview = await console.ok(
      eventStreams.previewEventStream,
      { streamId: made.id },
      { token: admin },
    );
    expect(preview).toMatchObject({ failure: null });
    expect(preview.messages.length).toBeGreaterThan(0);
    await begin(made);
    await until(made, { messages: 8, events: 8, duplicates: 0, rejected: 0 });
    expect(await metered(own(made))).toEqual({ count: 8, sum: 6 + 3 + 0.123456789012 + 4 + 5 });
    // The same rows again, and with other times, count nothing.
    await again(made);
    write('one/a.csv', table(3), minutesAgo(5));
    await again(made);
    // A file counts as finished when nothing has changed for two minutes.
    write('one/new.csv', table(1), minutesAgo(3));
    await again(made);
    await until(made, { events: 9, duplicates: 0 });
    expect((await metered(own(made))).count).toBe(9);
  });

  it('T-ES: a file that grew counts only its new rows', async () => {
    write('grew/a.csv', table(3), minutesAgo(20));
    const made = await make({ address: 'folder://grew' });
    await begin(made);
    await until(made, { events: 3 });
    appendFileSync(join(folder, 'grew/a.csv'), '10,h\n');
    utimesSync(join(folder, 'grew/a.csv'), minutesAgo(4), minutesAgo(4));
    await again(made);
    await until(made, { events: 4, duplicates: 3 });
    expect(await metered(own(made))).toEqual({ count: 4, sum: 16 });
  });

  it('T-ES: unreadable rows are kept with their number, and do not stop the others', async () => {
    write('bad/a.csv', 'calls,host\n1,h\n2\nmany,h\n3,h\n');
    write('bad/b.jsonl', '{"calls": 1}\nno json\n{"calls": 2}\n');
    write('bad/c.csv.gz', gzipSync(table(2000)).subarray(0, 40));
    const made = await make({ address: 'folder://bad' });
    await begin(made);
    await until(made, { events: 4 });
    await vi.waitFor(async () => expect((await get(made)).rejected).toBeGreaterThanOrEqual(4), 20_000);
    const kept = (await rejectedOf(made)).map(({ position, code }) => [position, code]);
    expect(kept).toContainEqual(['a.csv:2', 'eventstreams.row_unreadable']);
    expect(kept.map(([position]) => position)).toEqual(expect.arrayContaining(['a.csv:3', 'b.jsonl:2']));
    expect(kept).toContainEqual(['b.jsonl:2', 'eventstreams.message_no_json']);
    expect(
      kept.some(
        ([position, code]) => position?.startsWith('c.csv.gz:') && code === 'eventstreams.row_unreadable',
      ),
    ).toBe(true);
    expect(await metered(own(made))).toEqual({ count: 4, sum: 7 });
  });

  it('T-ES: columns of CloudEvents become events, whose own ids are recognized in another file', async () => {
    const line = (id: string) => `${id},/meter,call,${sub},2`;
    write('ce/a.csv', `id,source,type,subject,data.value\n${line('f1')}\n${line('f2')}\n`);
    write('ce/b.csv', `id,source,type,subject,data.value\n${line('f2')}\n${line('f3')}\n`, minutesAgo(9));
    const made = await make({ address: 'folder://ce', format: 'cloudevents', expression: '' });
    await begin(made);
    await until(made, { messages: 4, events: 3, duplicates: 1, rejected: 0 });
    expect(await metered('/meter')).toEqual({ count: 3, sum: 6 });
  });

  it('T-ES: a process that dies before or after a part is recorded leaves each row counted once, and reading continues with the next part', async () => {
    write('dies/a.csv', table(1700));
    const made = await make({ address: 'folder://dies' });
    for (const place of ['event-streams: a batch was read', 'event-streams: a batch was recorded']) {
      let left = 2;
      armFailPoints(console.app, (name) => {
        if (name === place && --left === 0) throw new Error('died');
      });
      await again(made);
      // The dead reader may hold its lease a little longer, so a first attempt can find nothing to read.
      await vi.waitFor(
        async () => {
          await look();
          expect(left).toBeLessThanOrEqual(0);
        },
        { timeout: 50_000, interval: 200 },
      );
    }
    armFailPoints(console.app, undefined);
    await again(made);
    await until(made, { events: 1700, duplicates: 0, messages: 1700 });
    expect(await metered(own(made))).toEqual({ count: 1700, sum: (1700 * 1701) / 2 });
  }, 120_000);

  it('T-ES: “latest” skips only what existed when the stream started', async () => {
    write('late/a.csv', table(3));
    const made = await make({ address: 'folder://late', start: 'latest' });
    await begin(made);
    await until(made, { isConnected: true });
    write('late/b.csv', table(2), minutesAgo(3));
    await again(made);
    await until(made, { events: 2 });
    expect(await metered(own(made))).toEqual({ count: 2, sum: 3 });
  });

  it('T-ES: other folders and invalid addresses are rejected at their field', async () => {
    for (const address of ['folder://../x', 'folder:///etc', 's3://', 'file:///etc', 'https://example.com']) {
      const { envelope } = await console.call(
        eventStreams.createEventStream,
        settings({ address }) as never,
        { token: admin },
      );
      expect(envelope).toMatchObject({ isSuccess: false, errors: [{ field: 'address' }] });
    }
    const made = await make({ address: 'folder://missing' });
    await begin(made);
    await until(made, { failure: { code: 'not_found' } });
  });
});

describe('files in a bucket', () => {
  it('T-ES: are read with the stream’s own key, which is encrypted, and must be entered again for another address', async () => {
    await bucket.client.send(
      new PutObjectCommand({ Bucket: 'console-files', Key: 'usage/a.csv.gz', Body: gzipSync(table(3)) }),
    );
    const options = { kind: 'files', region: 'us-east-1', endpoint: bucket.endpoint };
    const made = await make({
      address: 's3://console-files/usage/',
      options,
      credentials: { kind: 'basic', user: 'S3RVER', password: 'S3RVER' },
    });
    console.clock.set(new Date(Date.now() + 3 * 60_000));
    await begin(made);
    await until(made, { events: 3, failure: null });
    expect(await metered(own(made))).toEqual({ count: 3, sum: 6 });
    const { version } = await get(made);
    const { envelope } = await console.call(
      eventStreams.updateEventStream,
      { streamId: made.id, version, address: 's3://other-bucket/' },
      { token: admin },
    );
    expect(envelope).toMatchObject({ errors: [{ field: 'credentials.kind' }] });
    expect(JSON.stringify(await get(made))).not.toContain('S3RVER');
  });
});
