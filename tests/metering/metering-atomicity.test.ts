// Usage and its effects (quota notices, late usage, rejections, rollups) are recorded in one transaction or
// not at all.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import { sql } from 'kysely';
import { catalogue, type Quota } from '#features/selling/catalogue/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
import { createTestConsole, registerUser, setUp, type TestConsole } from '../support/console.ts';

let console: TestConsole;
let admin: string;
let key: string;
let sent = 0;
const september = '2026-09-20T00:00:00Z';

beforeAll(async () => {
  console = await createTestConsole(new Date('2026-10-10T00:00:00Z'));
  admin = await setUp(console);
  key = (await console.ok(identity.createApiKey, { name: 'gateway' }, { token: admin })).secret;
  await sql`create function refuse_write() returns trigger language plpgsql as 'begin raise exception ''planted''; end'`.execute(
    console.app.database.kysely,
  );
  // The source and both months exist and are cached, as for most events.
  const warm = await place();
  for (let round = 0; round < 3; round++) await send(eventOf(warm), eventOf(warm, { time: september }));
});

async function place(
  quota: Quota = { type: 'unlimited' },
  aggregation: 'sum' | 'unique_count' = 'sum',
): Promise<string> {
  const { organizationId } = await registerUser(console, `owner${++sent}@alone.example`, `Alone ${sent}`);
  const meter = {
    eventType: 'call',
    aggregation,
    unit: 'calls',
    ...(aggregation === 'unique_count' && { property: 'region' }),
  };
  const { id: serviceId } = await console.ok(
    catalogue.createService,
    {
      name: `Calls ${sent}`,
      type: 'API',
      category: 'Own',
      pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '2' },
      meter,
      quota,
    },
    { token: admin },
  );
  return (
    await console.ok(
      subscriptions.adminSubscribe,
      { organizationId: organizationId as Id<'org'>, serviceId, startedAt: new Date('2026-08-01T00:00:00Z') },
      { token: admin },
    )
  ).id;
}

type Sent = { readonly id?: string; readonly time?: string; readonly type?: string; readonly data?: object };
const eventOf = (
  subject: string,
  {
    id = `e${++sent}`,
    time = console.clock.now().toISOString(),
    type = 'call',
    data = { value: '10' },
  }: Sent = {},
): object => ({ specversion: '1.0', id, source: '/alone', type, subject, time, data });
const over = (events: readonly object[]) => ({
  token: key,
  body: JSON.stringify(events),
  headers: { 'content-type': 'application/cloudevents-batch+json' },
});
const send = (...events: object[]) => console.ok(usage.ingest, {}, over(events));
const status = async (...events: object[]): Promise<number> =>
  (await console.call(usage.ingest, {}, over(events))).status;
const stored = async (subject: string): Promise<number> =>
  (
    await sql<{ count: bigint }>`select count(*) from usage_event where subscription_id = ${subject}`.execute(
      console.app.database.kysely,
    )
  ).rows.map(({ count }) => Number(count))[0] ?? 0;
const summed = async (subject: string): Promise<string | undefined> =>
  (
    await sql<{ sum: string }>`select sum::text from usage_month where subscription_id = ${subject}`.execute(
      console.app.database.kysely,
    )
  ).rows[0]?.sum;

/** Runs `run` while inserts into a table fail. */
async function without(table: string, run: () => Promise<void>): Promise<void> {
  const name = sql.ref(table);
  await sql`create trigger planted before insert on ${name} for each row execute function refuse_write()`.execute(
    console.app.database.kysely,
  );
  try {
    await run();
  } finally {
    await sql`drop trigger planted on ${name}`.execute(console.app.database.kysely);
  }
}

describe('R-USE-03, R-USE-04: usage and its effects are recorded together', () => {
  const soft = { type: 'soft', limit: '10' } as const;
  it.each([
    ['a quota that is exceeded', 'notification', soft, {}],
    ['a closed month', 'late_usage', undefined, { time: september }],
    [
      'a property value that is new in its month',
      'usage_dimension_value',
      undefined,
      { data: { value: '10', region: 'tpe' } },
    ],
  ])('%s', async (_what, table, quota, event) => {
    const subject = await place(quota);
    const one = eventOf(subject, event);
    await without(table, async () => {
      expect(await status(one)).toBe(500);
      expect([await stored(subject), await summed(subject)]).toEqual([0, undefined]);
    });
    expect(await send(one)).toMatchObject({ accepted: 1, duplicates: 0 });
    expect([await stored(subject), await summed(subject)]).toEqual([1, '10']);
  });

  it('a rejected event beside others, a meter of distinct values, a correction', async () => {
    const [plain, distinct] = [await place(), await place(undefined, 'unique_count')];
    await send(eventOf(plain, { id: 'first' }));
    const batches = [
      ['rejected_event', [eventOf(plain), eventOf(plain, { data: { value: 'much' } })], plain],
      ['usage_distinct', [eventOf(distinct, { data: { value: '1', region: 'a' } })], distinct],
      ['usage_void', [eventOf(plain, { type: 'call.void', data: { source: '/alone', id: 'first' } })], plain],
    ] as const;
    for (const [table, events, subject] of batches) {
      const before = [await stored(subject), await summed(subject)];
      await without(table, async () => {
        expect(await status(...events)).toBe(500);
        expect([table, await stored(subject), await summed(subject)]).toEqual([table, ...before]);
      });
      expect(await status(...events)).toBe(202);
    }
  });
});

describe('R-USE-03: events without other effects', () => {
  it('are recorded with their rollups and live updates, or not at all', async () => {
    const subject = await place();
    await send(eventOf(subject));
    const one = eventOf(subject);
    for (const table of [
      'usage_key',
      'usage_hour',
      'usage_day',
      'usage_month',
      'usage_dimension_hour',
      'outbox',
    ]) {
      await without(table, async () => {
        expect(await status(one, eventOf(subject))).toBe(500);
        expect([table, await stored(subject), await summed(subject)]).toEqual([table, 1, '10']);
      });
    }
    expect(await send(one, one, eventOf(subject))).toMatchObject({ accepted: 2, duplicates: 1 });
    expect(await send(one, eventOf(subject))).toMatchObject({ accepted: 1, duplicates: 1 });
    expect([await stored(subject), await summed(subject)]).toEqual([4, '40']);
  });
});
