// Rejected events: stored with their reason, corrected, sent again as by their key, or dismissed.
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import mqtt from 'mqtt';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import { required } from '#kernel/assert.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { rejections, type Rejected, type ReplayedChunk } from '#features/metering/rejections/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
import { features } from '#app/features.ts';
import {
  createTestConsole,
  registerUser,
  setUp,
  signIn,
  adminAccount,
  type TestConsole,
} from '../support/console.ts';

let console: TestConsole;
let admin: string;
let one: { token: string; organizationId: string };
let two: { token: string; organizationId: string };
let sub: { one: string; two: string };
let key: { platform: string; one: string };
let keyId: { platform: string; one: string };
let serviceId: Id<'svc'>;
const now = new Date('2024-09-20T00:00:00Z');

beforeAll(async () => {
  console = await createTestConsole(now);
  admin = await setUp(console);
  one = await registerUser(console, 'owner@one.example', 'One');
  two = await registerUser(console, 'owner@two.example', 'Two');
  serviceId = (
    await console.ok(
      catalogue.createService,
      {
        name: 'Calls',
        type: 'API',
        category: 'Own',
        pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '1' },
        meter: { eventType: 'call', aggregation: 'sum', unit: 'calls' },
      },
      { token: admin },
    )
  ).id;
  const subscribe = (organizationId: string) =>
    console.ok(
      subscriptions.adminSubscribe,
      { organizationId: organizationId as Id<'org'>, serviceId, startedAt: new Date('2024-08-31T16:00:00Z') },
      { token: admin },
    );
  sub = { one: (await subscribe(one.organizationId)).id, two: (await subscribe(two.organizationId)).id };
  const [platform, own] = [
    await console.ok(identity.createApiKey, { name: 'platform' }, { token: admin }),
    await console.ok(
      identity.createApiKey,
      { name: 'gateway one', organizationId: one.organizationId as Id<'org'> },
      { token: admin },
    ),
  ];
  key = { platform: platform.secret, one: own.secret };
  keyId = { platform: platform.key.id, one: own.key.id };
});
beforeEach(async () => {
  await sql`delete from rejected_event`.execute(db());
  await sql`delete from rejected_event_overflow`.execute(db());
});

const db = () => console.app.database.kysely;
let count = 0;
const event = (more: object = {}) => ({
  specversion: '1.0',
  id: `e${++count}`,
  source: '/s',
  type: 'call',
  subject: sub.one,
  time: '2024-09-10T00:00:00Z',
  data: { value: '3' },
  ...more,
});
const send = (events: readonly unknown[], secret = key.one) =>
  console.ok(
    usage.ingest,
    {},
    {
      token: secret,
      body: JSON.stringify(events),
      headers: { 'content-type': 'application/cloudevents-batch+json' },
    },
  );
const listed = async (input: Parameters<typeof list>[0] = {}) => (await list(input)).items;
const list = (input: object = {}, token = admin) =>
  console.ok(rejections.adminListRejected, input, { token });
const ownRejected = async (who = one) =>
  (await console.ok(rejections.listRejected, {}, { token: who.token })).items;
const only = (items: readonly Rejected[]): Rejected => {
  expect(items).toHaveLength(1);
  return required(items[0], 'the one');
};
const replay = (id: string, more?: unknown) =>
  console.ok(
    rejections.adminReplayRejected,
    { rejectedId: id as Id<'rej'>, ...(more === undefined ? {} : { event: more }) },
    { token: admin },
  );
const changeSchema = (dataSchema: Record<string, unknown> | null) =>
  console.ok(catalogue.updateService, { serviceId, dataSchema }, { token: admin });
const used = async (id: string): Promise<number> =>
  Number(
    (
      await sql<{
        sum: string;
      }>`select coalesce(sum(sum), 0)::text as sum from usage_month where subscription_id = ${id}`.execute(
        db(),
      )
    ).rows[0]?.sum,
  );

describe('I6: every rejected item of a metering call is stored with its reason', () => {
  it('unchanged, with the names of its objects, in the reader’s language', async () => {
    const bad = event({ data: { value: 'much', region: 'tpe' }, time: undefined });
    const { rejected } = await send([event(), bad, 5, { ...event(), id: '' }]);
    expect(rejected).toHaveLength(3);
    const items = await listed({ code: 'usage.value_no_decimal' });
    const rejection = only(items);
    expect(rejection).toMatchObject({
      organizationId: one.organizationId,
      organization: 'One',
      keyName: 'gateway one',
      times: 1,
      source: '/s',
      eventId: bad.id,
      type: 'call',
      subject: sub.one,
      state: 'open',
      isComplete: true,
      firstReceivedAt: now,
    });
    const detail = await console.ok(
      rejections.adminGetRejected,
      { rejectedId: rejection.id },
      { token: admin, language: 'zhTW' },
    );
    expect([detail.message, JSON.parse(detail.raw)]).toEqual([
      'data.value 必須是十進位數字（最多 12 位小數）。',
      JSON.parse(JSON.stringify(bad)),
    ]);
    expect((await console.ok(rejections.adminRejectedReasons, {}, { token: admin })).reasons).toEqual([
      { code: 'usage.event_malformed', count: 2 },
      { code: 'usage.value_no_decimal', count: 1 },
    ]);
  });

  it('the same event with the same reason increases a counter; with another reason it is another row', async () => {
    const bad = event({ data: { value: 'x' } });
    await send([bad, bad]);
    console.clock.advance(60_000);
    await send([bad]);
    const row = only(await listed());
    expect([row.times, row.lastReceivedAt.getTime() - row.firstReceivedAt.getTime()]).toEqual([3, 60_000]);
    await send([{ ...bad, type: 'other', data: { value: '1' } }]);
    expect(await listed()).toHaveLength(2);
    console.clock.set(now);
  });

  it('over MQTT as over HTTP', async () => {
    const client = await mqtt.connectAsync(`${console.address.replace('http', 'ws')}/mqtt`, {
      protocolVersion: 4,
      username: keyId.one,
      password: key.one,
      reconnectPeriod: 0,
    });
    await client.publishAsync('usage/events', JSON.stringify(event({ type: 'other' })), { qos: 1 });
    await client.endAsync(true);
    expect(only(await listed())).toMatchObject({ code: 'usage.event_type_unknown', keyName: 'gateway one' });
  });

  it('very long text is truncated, text that the database cannot store is escaped, and good items are not affected', async () => {
    const long = event({ data: { value: 'x', note: '長'.repeat(20_000) } });
    const strange = {
      ...event(),
      id: 'a\u0000b',
      source: '\ud800',
      data: { value: '1', ['k\u0000']: '\udfff' },
    };
    expect(await send([long, strange, event()])).toMatchObject({
      accepted: 1,
      rejected: [{ index: 0 }, { index: 1 }],
    });
    const rows = await listed();
    expect(rows.map((row) => [row.code, row.isComplete])).toEqual(
      expect.arrayContaining([
        ['usage.value_no_decimal', false],
        ['usage.event_malformed', true],
      ]),
    );
    const cut = required(
      rows.find((row) => !row.isComplete),
      'the cut one',
    );
    expect(
      await console.call(rejections.adminReplayRejected, { rejectedId: cut.id }, { token: admin }),
    ).toMatchObject({ status: 422, envelope: { code: 'rejections.incomplete' } });
    const whole = required(
      rows.find((row) => row.isComplete),
      'the strange one',
    );
    expect(
      JSON.parse(
        (await console.ok(rejections.adminGetRejected, { rejectedId: whole.id }, { token: admin })).raw,
      ),
    ).toEqual(strange);
  });

  it('a broken gateway fills only its own list; what exceeds it is counted, and other lists have room', async () => {
    const flood = (from: number) => Array.from({ length: 6000 }, (_, index) => ({ bad: from + index }));
    await send(flood(0));
    await send(flood(6000));
    await send([{ bad: 0 }]);
    await send([{ other: 1 }], key.platform);
    expect((await list({ limit: 1 })).total).toBe(10_001);
    expect((await console.ok(rejections.adminRejectedReasons, {}, { token: admin })).notKept).toBe(2000);
    expect((await console.ok(rejections.rejectedReasons, {}, { token: one.token })).notKept).toBe(2000);
    expect(
      await console.ok(rejections.dismissRejected, { code: 'usage.event_malformed' }, { token: one.token }),
    ).toEqual({ dismissed: 10_000 });
    await send([{ again: 1 }]);
    expect((await list({ limit: 1 })).total).toBe(2);
  });

  it('if the batch is rolled back, its rejections are, too', async () => {
    await sql`create function refuse_all() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`.execute(
      db(),
    );
    await sql`create trigger refuse_all before insert on usage_hour for each statement execute function refuse_all()`.execute(
      db(),
    );
    const answer = await console.call(
      usage.ingest,
      {},
      {
        token: key.one,
        body: JSON.stringify([event(), 5]),
        headers: { 'content-type': 'application/cloudevents-batch+json' },
      },
    );
    await sql`drop trigger refuse_all on usage_hour`.execute(db());
    expect([answer.status, (await list()).total]).toEqual([500, 0]);
  });

  it('rejections are deleted after 30 days', async () => {
    await send([event({ type: 'other' })]);
    const tidy = required(features.find((each) => each.name === 'rejections')?.jobs[0], 'the job');
    const run = () => tidy.run(console.app, {} as never, new AbortController().signal);
    console.clock.advance(30 * 86_400_000 - 1000);
    await run();
    expect((await sql`select 1 from rejected_event`.execute(db())).rows).toHaveLength(1);
    console.clock.advance(2000);
    await run();
    expect((await sql`select 1 from rejected_event`.execute(db())).rows).toHaveLength(0);
    console.clock.set(now);
  });
});

describe('sending rejected events again', () => {
  it('counts a corrected event once, whoever sends it and how often', async () => {
    const bad = event({ data: { value: 'three' } });
    await send([bad]);
    const { id } = only(await listed());
    const before = await used(sub.one);
    expect(await replay(id, { ...bad, data: { value: 'drei' } })).toMatchObject({
      outcome: 'rejected',
      code: 'usage.value_no_decimal',
    });
    expect(only(await listed()).state).toBe('open');
    const mended = { ...bad, data: { value: '3' } };
    expect(await replay(id, mended)).toEqual({ outcome: 'accepted', code: null, message: null });
    expect((await used(sub.one)) - before).toBe(3);
    expect(
      await console.call(rejections.adminReplayRejected, { rejectedId: id }, { token: admin }),
    ).toMatchObject({ status: 409, envelope: { code: 'rejections.replayed_already' } });
    expect(await send([mended])).toMatchObject({ duplicates: 1 });
    expect((await used(sub.one)) - before).toBe(3);
    const detail = await console.ok(rejections.adminGetRejected, { rejectedId: id }, { token: admin });
    expect([detail.state, JSON.parse(detail.repaired ?? '')]).toEqual(['replayed', mended]);
    // A gateway that keeps sending the bad event changes nothing.
    await send([bad]);
    expect((await list()).total).toBe(0);
  });

  it('ten times concurrently sends an event once', async () => {
    const bad = event({ data: { value: 'x' } });
    await send([bad]);
    const { id } = only(await listed());
    const before = await used(sub.one);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        console.call(
          rejections.adminReplayRejected,
          { rejectedId: id, event: { ...bad, data: { value: '7' } } },
          { token: admin },
        ),
      ),
    );
    expect([answers.filter((each) => each.status === 200).length, (await used(sub.one)) - before]).toEqual([
      1, 7,
    ]);
  });

  it('shows the new reason when it is rejected again', async () => {
    await changeSchema({ required: ['region'] });
    const bad = event();
    await send([bad]);
    const { id } = only(await listed());
    await changeSchema({ required: ['zone'] });
    expect(await replay(id)).toMatchObject({
      outcome: 'rejected',
      message: expect.stringContaining('zone') as string,
    });
    expect(only(await listed()).message).toContain('zone');
    // Sent again by its gateway, it updates the same row.
    await send([bad]);
    expect(only(await listed())).toMatchObject({ id, times: 2 });
    await changeSchema(null);
  });

  it('uses the time of receipt for an event without a time', async () => {
    const bad = event({ type: 'call.v2' });
    await send([{ ...bad, time: undefined }]);
    const { id } = only(await listed());
    console.clock.set(new Date('2024-10-02T00:00:00Z'));
    admin = await signIn(console, adminAccount.account, adminAccount.password);
    expect(await replay(id, { ...bad, type: 'call', time: undefined })).toMatchObject({
      outcome: 'accepted',
    });
    const { rows } = await sql<{
      time: Date;
    }>`select time from usage_event where event_id = ${bad.id}`.execute(db());
    expect(rows[0]?.time).toEqual(now);
    console.clock.set(now);
    admin = await signIn(console, adminAccount.account, adminAccount.password);
  });

  it('works for all of one reason in chunks, once the cause is fixed; a repeat finds nothing, and events that are still wrong stay', async () => {
    await changeSchema({ required: ['region'] });
    const before = await used(sub.one);
    await send(
      Array.from({ length: 450 }, (_, index) => event({ data: { value: index < 430 ? '1' : 'x' } })),
    );
    await send([event({ subject: sub.two })], key.platform);
    expect((await console.ok(rejections.rejectedReasons, {}, { token: one.token })).reasons).toEqual([
      { code: 'usage.data_schema', count: 430 },
      { code: 'usage.value_no_decimal', count: 20 },
    ]);
    await changeSchema(null);
    const chunks: unknown[] = [];
    let after: Id<'rej'> | null | undefined;
    do {
      const chunk: ReplayedChunk = await console.ok(
        rejections.replayReason,
        { code: 'usage.data_schema', ...(after ? { after } : {}) },
        { token: one.token },
      );
      chunks.push([chunk.accepted, chunk.rejected, chunk.left]);
      after = chunk.next;
    } while (after !== null);
    expect([chunks, (await used(sub.one)) - before]).toEqual([
      [
        [200, 0, 230],
        [200, 0, 30],
        [30, 0, 0],
      ],
      430,
    ]);
    expect(
      await console.ok(rejections.replayReason, { code: 'usage.data_schema' }, { token: one.token }),
    ).toEqual({ accepted: 0, duplicates: 0, rejected: 0, next: null, left: 0 });
    expect(
      await console.ok(rejections.replayReason, { code: 'usage.value_no_decimal' }, { token: one.token }),
    ).toMatchObject({ accepted: 0, rejected: 20, next: null });
    expect((await console.ok(rejections.adminRejectedReasons, {}, { token: admin })).reasons).toEqual([
      { code: 'usage.value_no_decimal', count: 20 },
      { code: 'usage.data_schema', count: 1 },
    ]);
  });

  it('is still possible after dismissing; dismissing some needs their ids, dismissing many a reason', async () => {
    await send([event({ data: { value: 'x' } }), event({ type: 'a' }), event({ type: 'b' })]);
    expect(await console.call(rejections.adminDismissRejected, {}, { token: admin })).toMatchObject({
      status: 400,
    });
    const [row] = await listed({ code: 'usage.value_no_decimal' });
    expect(
      await console.ok(
        rejections.adminDismissRejected,
        { ids: [required(row, 'a row').id] },
        { token: admin },
      ),
    ).toEqual({ dismissed: 1 });
    expect(
      await console.ok(
        rejections.adminDismissRejected,
        { code: 'usage.event_type_unknown', type: 'a' },
        { token: admin },
      ),
    ).toEqual({ dismissed: 1 });
    expect([(await list()).total, (await list({ state: 'dismissed' })).total]).toEqual([1, 2]);
    expect(await replay(required(row, 'a row').id, event())).toMatchObject({ outcome: 'accepted' });
  });
});

describe('2.C: access to rejected events', () => {
  it('a member sees and corrects what their own organization’s keys sent, and nothing that the platform or others sent', async () => {
    await send([event({ type: 'x' })]);
    // The platform’s gateway meters for this organization; its members must not correct or dismiss that,
    // because they would change their own usage.
    await send(
      [
        event({ type: 'w' }),
        event({ type: 'y', subject: sub.two }),
        event({ type: 'z', subject: 'sub_none' }),
      ],
      key.platform,
    );
    expect([(await ownRejected()).map((row) => row.type), await ownRejected(two)]).toEqual([['x'], []]);
    const [own] = await ownRejected();
    const platformSent = required(
      (await listed({ organizationId: one.organizationId })).find((row) => row.type === 'w'),
      'what the platform sent',
    );
    const { id } = required(own, 'a row');
    for (const call of [
      (rejectedId: Id<'rej'>, token: string) =>
        console.call(rejections.getRejected, { rejectedId }, { token }),
      (rejectedId: Id<'rej'>, token: string) =>
        console.call(
          rejections.replayRejected,
          { rejectedId, event: event({ data: { value: '-9' } }) },
          { token },
        ),
    ]) {
      expect(await call(id, two.token)).toMatchObject({ status: 404 });
      expect(await call(platformSent.id, one.token)).toMatchObject({ status: 404 });
    }
    expect(await console.call(rejections.dismissRejected, { ids: [id] }, { token: two.token })).toMatchObject(
      { status: 404 },
    );
    expect(
      await console.ok(
        rejections.dismissRejected,
        { code: 'usage.event_type_unknown' },
        { token: two.token },
      ),
    ).toEqual({ dismissed: 0 });
    expect(await listed({ organizationId: one.organizationId })).toHaveLength(2);
  });

  it('2.C-46 a batch with foreign ids changes nothing', async () => {
    await send([event({ type: 'x' })]);
    await send([event({ type: 'w' })], key.platform);
    const [own, platformSent] = [
      only(await ownRejected()),
      required(
        (await list()).items.find((row) => row.type === 'w'),
        'what the platform sent',
      ),
    ];
    expect(
      await console.call(
        rejections.dismissRejected,
        { ids: [own.id, platformSent.id] },
        { token: one.token },
      ),
    ).toMatchObject({ status: 404, envelope: { code: 'rejections.not_found' } });
    expect((await list()).total).toBe(2);
    expect(
      await console.ok(rejections.dismissRejected, { ids: [own.id, own.id] }, { token: one.token }),
    ).toEqual({ dismissed: 1 });
  });

  it('a correction cannot write what its key could not', async () => {
    const bad = event({ type: 'x' });
    await send([bad]);
    const { id } = only(await ownRejected());
    const before = await used(sub.two);
    const elsewhere = { ...bad, type: 'call', subject: sub.two };
    expect(
      await console.ok(rejections.replayRejected, { rejectedId: id, event: elsewhere }, { token: one.token }),
    ).toMatchObject({ outcome: 'rejected', code: 'usage.subscription_unknown' });
    expect(await replay(id, elsewhere)).toMatchObject({
      outcome: 'rejected',
      code: 'usage.subscription_unknown',
    });
    await sql`delete from rejected_event`.execute(db());
    await send([bad], key.platform);
    expect(await used(sub.two)).toBe(before);
    expect(await replay(only((await list()).items).id, { ...elsewhere, id: 'to-two' })).toMatchObject({
      outcome: 'accepted',
    });
    expect(await used(sub.two)).toBe(before + 3);
  });
});

describe('lists of rejected events', () => {
  it('are paged by keys, searched, and sorted by frequency', async () => {
    await send([
      ...Array.from({ length: 30 }, (_, index) => event({ type: 'x', id: `page-${index}` })),
      ...Array.from({ length: 3 }, () => ({ ...event({ type: 'x' }), id: 'often' })),
    ]);
    const first = await list({ limit: 25 });
    const rest = await list({ limit: 25, cursor: first.nextCursor ?? '' });
    expect([
      first.total,
      first.items.length,
      rest.items.length,
      new Set([...first.items, ...rest.items].map((row) => row.id)).size,
    ]).toEqual([31, 25, 6, 31]);
    expect((await listed({ sort: '-times', limit: 1 }))[0]).toMatchObject({ eventId: 'often', times: 3 });
    expect((await listed({ q: 'page-2' })).map((row) => row.eventId).toSorted()).toEqual([
      'page-2',
      ...Array.from({ length: 10 }, (_, index) => `page-2${index}`),
    ]);
  });

  it('are exported as a file with each event unchanged, and no cell that runs as a formula', async () => {
    await send([event({ type: 'x', id: '=1+1' })]);
    const file = await console.ok(
      rejections.adminExportRejected,
      { format: 'csv', language: 'enUS' },
      { token: admin },
    );
    const rows: string[][] = parse(new TextDecoder().decode(file.body as Uint8Array), { bom: true });
    expect([rows[0]?.[5], rows[1]?.[5], rows[1]?.[7]]).toEqual([
      'Reason',
      'No meter of the subscription counts events of this type.',
      "'=1+1",
    ]);
    expect(JSON.parse(rows[1]?.[12] ?? '')).toMatchObject({ id: '=1+1' });
    const sheet = await console.ok(rejections.exportRejected, { format: 'xlsx' }, { token: one.token });
    expect((sheet.body as Uint8Array).length).toBeGreaterThan(1000);
  });
});
