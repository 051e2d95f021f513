// Months of raw events that are moved to files: lists still show them, nothing is lost, and an interrupted
// run continues.
import { gunzipSync, gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { hourMs } from '#kernel/durations.ts';
import { storeSetting } from '#platform/server/unit-of-work/settings.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { monitoring } from '#features/operations/monitoring/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
import {
  archiveEvents,
  eventRetentionMonths,
  forgetEventIds,
  moveArchives,
  usageFeature,
} from '#features/metering/usage/server/index.ts';
import { foundBy } from '../../verify/test-found.ts';
import { addressOf } from '../support/database.ts';
import { hasClickhouse, startClickhouse } from '../support/clickhouse.ts';
import { archiveMonth } from '#features/metering/usage/server/archive-events.ts';
import { createTestConsole, registerUser, setUp, type TestConsole } from '../support/console.ts';

const month = '2024-09' as BillingMonth;
const start = Date.parse('2024-09-01T00:00:00Z');
const [april, may, june, july, august] = ['2024-04', '2024-05', '2024-06', '2024-07', '2024-08'].map((each) =>
  Date.parse(`${each}-01T00:00:00Z`),
) as [number, number, number, number, number];
/** With a retention of one month, September is past it. */
const now = new Date('2024-12-10T00:00:00Z');
const never = new AbortController().signal;

let console: TestConsole;
let admin: string;
let key: string;
let customers = 0;

type Customer = { readonly token: string; readonly email: string; readonly subscription: Id<'sub'> };

/** A console that archives events of past months as `environment` says. */
async function begin(environment: Readonly<Record<string, string>>): Promise<void> {
  console = await createTestConsole(now, environment);
  admin = await setUp(console);
  key = (await console.ok(identity.createApiKey, { name: 'gateway' }, { token: admin })).secret;
}

// A failed test must not affect the others.
afterEach(() => keep({ months: 0 }));

const db = () => console.app.database.kysely;

async function customer(): Promise<Customer> {
  const name = `a${++customers}`;
  const email = `owner@${name}.example`;
  const { organizationId, token } = await registerUser(console, email, name);
  const { id: serviceId } = await console.ok(
    catalogue.createService,
    {
      name: `Requests ${name}`,
      type: 'API',
      category: 'Own',
      pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '2' },
      meter: { eventType: 'use', aggregation: 'sum', unit: 'units' },
    },
    { token: admin },
  );
  const { id } = await console.ok(
    subscriptions.adminSubscribe,
    { organizationId: organizationId as Id<'org'>, serviceId, startedAt: new Date('2024-01-01T00:00:00Z') },
    { token: admin },
  );
  return { token, email, subscription: id };
}

type Wire = Readonly<Record<string, unknown>>;
const eventOf = (subject: string, id: string, time: number | null, data: Wire = {}): Wire => ({
  specversion: '1.0',
  id,
  source: '/gateways/1',
  type: 'use',
  subject,
  ...(time !== null && { time: new Date(time).toISOString() }),
  data: { value: '1', ...data },
});

async function send(events: readonly Wire[]): Promise<string> {
  const response = await fetch(`${console.address}/api/usage/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/cloudevents-batch+json' },
    body: JSON.stringify(events),
  });
  const { data } = (await response.json()) as {
    data: { accepted: number; duplicates: number; rejected: { code: string }[] };
  };
  return [`${data.accepted}+${data.duplicates}`, ...data.rejected.map(({ code }) => code)].join(' ');
}

/** All pages of a list of events, and its total. */
async function listed(
  { subscription, token }: Customer,
  query: Readonly<Record<string, unknown>> = {},
): Promise<{ items: unknown[]; total: number }> {
  const items: unknown[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await console.ok(
      usage.events,
      { subscriptionId: subscription, limit: 7, ...query, ...(cursor && { cursor }) },
      { token },
    );
    items.push(...page.items);
    if (page.nextCursor === null) return { items, total: page.total };
    cursor = page.nextCursor;
  }
}

/** Sets the retention of events, and runs the nightly job. */
async function keep({
  months,
  archived = true,
  forgotten = false,
}: {
  months: number;
  archived?: boolean;
  forgotten?: boolean;
}) {
  await storeSetting(db(), eventRetentionMonths, months, console.clock.now(), 'test');
  await storeSetting(db(), archiveEvents, archived, console.clock.now(), 'test');
  await storeSetting(db(), forgetEventIds, forgotten, console.clock.now(), 'test');
}
const runJob = () => usageFeature.jobs[0]?.run(console.app, {} as never, never);

const storedIn = async (one: Customer): Promise<number> =>
  (
    await sql`select from usage_event where subscription_id = ${one.subscription} and time < '2024-10-01'`.execute(
      db(),
    )
  ).rows.length;

/**
 * Events with difficult text for files of tables: commas, quotes, formulas, several scripts, equal times,
 * values with many digits.
 */
const hardEvents = ({ subscription }: Customer): Wire[] => [
  eventOf(subscription, 'a,b', start + hourMs, { region: 'tpe,khh', value: '0.000000000001' }),
  eventOf(subscription, '"quoted"', start + hourMs, { region: '"', note: 'line\nbreak' }),
  eventOf(subscription, '=1+1', start + hourMs, { region: "'=1+1" }),
  eventOf(subscription, '事件一', start + hourMs + 1, { region: '台北' }),
  eventOf(subscription, '\u{1F600}', start + 2 * hourMs, { region: 3 }),
  eventOf(subscription, '\uFF0Dfull', start + 2 * hourMs, { region: true }),
  eventOf(subscription, 'minus', start + 3 * hourMs, { value: '-4.5', region: null }),
  eventOf(subscription, 'whole', start + 3 * hourMs, { value: '123456789012345' }),
  eventOf(subscription, 'october', Date.parse('2024-10-02T00:00:00Z'), { region: 'tpe,khh' }),
  ...Array.from({ length: 5 }, (_, index) =>
    eventOf(subscription, `july-${index}`, Date.parse('2024-07-03T00:00:00Z'), { region: 'r1' }),
  ),
  ...Array.from({ length: 30 }, (_, index) =>
    eventOf(subscription, `n${index}`, start + (index % 9) * hourMs, {
      region: `r${index % 4}`,
      value: String(index),
    }),
  ),
];

const questions: readonly Readonly<Record<string, unknown>>[] = [
  {},
  { from: '2024-09-01', to: '2024-09-01' },
  { from: '2024-08-01', to: '2024-10-31' },
  { start: new Date(start + hourMs), end: new Date(start + 3 * hourMs) },
  { limit: 200 },
  { apiKeyId: 'platform' },
  { apiKeyId: 'none' },
  ...['"tpe,khh"', '"\\""', '3', 'true', '"r1"', 'none', '"not there"'].map((value) => ({
    property: 'region',
    value,
  })),
  { property: 'region', value: 'none', from: '2024-09-01', to: '2024-09-30' },
  { dimension: 'region', value: '"3"' },
  { dimension: 'region', value: 'r2' },
];

describe.each(hasClickhouse ? ['files', 'ClickHouse'] : ['files'])('months of raw events in %s', (place) => {
  beforeAll(async () => {
    await begin(place === 'files' ? {} : { EVENTS_URL: (await startClickhouse()).url });
  });

  it('show the same lists of events, groups and totals as before, page by page', async () => {
    const [one, other] = [await customer(), await customer()];
    const events = hardEvents(one);
    expect(await send(events)).toBe(`${events.length}+0`);
    expect(await send([eventOf(other.subscription, 'theirs', start + hourMs, {})])).toBe('1+0');
    expect(
      await send([{ ...eventOf(one.subscription, 'back', null), type: 'use.void', data: { id: 'n3' } }]),
    ).toBe('1+0');
    const before = await Promise.all(questions.map((question) => listed(one, question)));
    expect(before[0]?.items).toHaveLength(events.length + 1);
    const figures = await console.ok(usage.statistics, { month }, { token: one.token });

    await keep({ months: 1 });
    // Parts of ten events: one subscription’s are in several files, and two subscriptions’ in one.
    expect(await archiveMonth(console.app, '2024-07' as BillingMonth, never, 10)).toBe(true);
    expect(await archiveMonth(console.app, month, never, 10)).toBe(true);
    expect(await storedIn(one)).toBe(0);
    for (const [index, question] of questions.entries())
      expect(await listed(one, question), JSON.stringify(question)).toEqual(before[index]);
    expect((await listed(other)).items).toMatchObject([{ id: 'theirs', voided: false }]);
    expect({
      ...(await console.ok(usage.statistics, { month }, { token: one.token })),
      asOf: null,
    }).toEqual({
      ...figures,
      asOf: null,
    });
    expect((await console.ok(monitoring.monitoring, {}, { token: admin })).archive).toMatchObject({
      months: 2,
      since: '2024-07',
      until: month,
      events: events.length + 1,
    });
    const where = new pg.Client(addressOf(console.app.database.where));
    await where.connect();
    try {
      expect(await foundBy(where)).toEqual([]);
      // Fewer in files than are known: some were lost.
      await where.query(
        `update usage_archive_part set event_count = event_count - 1 where number = 1 and name like '%2024-09%'`,
      );
      expect(await foundBy(where)).toEqual([expect.stringContaining('events: archive_incomplete 2024-09')]);
      await where.query(
        `update usage_archive_part set event_count = event_count + 1 where number = 1 and name like '%2024-09%'`,
      );
    } finally {
      await where.end();
    }
  });

  it('find values beyond the separately counted ones as before', async () => {
    const one = await customer();
    const events = Array.from({ length: 230 }, (_, index) =>
      eventOf(one.subscription, `v${index}`, august + index * 1000, { request: `id-${index}` }),
    );
    expect(await send(events)).toBe('230+0');
    const question = { property: 'request', value: 'other' };
    const before = await listed(one, question);
    expect(before.items).toHaveLength(30);
    await keep({ months: 1 });
    await runJob();
    expect(await storedIn(one)).toBe(0);
    expect(await listed(one, question)).toEqual(before);
  });

  it('take no late events any more, even if the operator then keeps events for longer', async () => {
    const one = await customer();
    const first = eventOf(one.subscription, 'first', april);
    expect(await send([first, eventOf(one.subscription, 'third', april + 2)])).toBe('2+0');
    await keep({ months: 1 });
    await runJob();
    await keep({ months: 0 });
    // Hours are recomputed from the events in the database, so an hour must never be in two places.
    expect(await send([eventOf(one.subscription, 'second', april + 1), first])).toBe('0+1 usage.too_old');
    expect(await storedIn(one)).toBe(0);
    for (const limit of [1, 2])
      expect((await listed(one, { limit })).items).toMatchObject([{ id: 'third' }, { id: 'first' }]);
  });
});

describe('files of raw events', () => {
  beforeAll(() => begin({}));

  it('continue with the next part after an interruption, without losing events that arrived meanwhile', async () => {
    const one = await customer();
    expect(
      await send(
        Array.from({ length: 25 }, (_, index) => eventOf(one.subscription, `s${index}`, may + index)),
      ),
    ).toBe('25+0');
    const { items } = await listed(one);
    const stopped = new AbortController();
    const { files } = console.app;
    const written: string[] = [];
    const app = {
      ...console.app,
      files: {
        ...files,
        write: async (...args: Parameters<typeof files.write>) => {
          written.push(args[0]);
          const bytes = await files.write(...args);
          if (written.length === 1) stopped.abort();
          return bytes;
        },
      },
    };
    expect(await archiveMonth(app, '2024-05' as BillingMonth, stopped.signal, 10)).toBe(false);
    expect(await storedIn(one)).toBe(25);
    // Its position in the order is in a part that is already written.
    await sql`insert into usage_event (source_id, event_id, subscription_id, time, value, received_at)
      select source_id, 'late', subscription_id, ${new Date(may)}, 1, ${now} from usage_event where subscription_id = ${one.subscription} limit 1`.execute(
      db(),
    );
    await expect(archiveMonth(app, '2024-05' as BillingMonth, never, 10)).rejects.toThrow('it begins anew');
    expect(await storedIn(one)).toBe(26);
    expect(await archiveMonth(app, '2024-05' as BillingMonth, never, 10)).toBe(true);
    expect(await storedIn(one)).toBe(0);
    const after = await listed(one);
    expect(after.items).toHaveLength(26);
    expect(after.items).toEqual(expect.arrayContaining(items));
    expect(written.length - new Set(written).size).toBeGreaterThan(0);
  });

  it.each([
    ['missing', june, async (name: string) => console.app.files.remove([name])],
    [
      'changed',
      july,
      async (name: string) => {
        const pieces: Uint8Array[] = [];
        for await (const piece of (await console.app.files.read(name)) ?? []) pieces.push(piece);
        const text = gunzipSync(Buffer.concat(pieces)).toString('utf8').replace('mine', 'fake');
        await console.app.files.write(name, pieceOf(gzipSync(text)));
      },
    ],
    [
      'replaced by another file',
      august,
      async (name: string) => console.app.files.write(name, pieceOf(Buffer.from('no gzip'))),
    ],
  ])(
    'that are %s cause an error with their name, never a list without its events',
    async (_what, time, spoil) => {
      const one = await customer();
      expect(await send([eventOf(one.subscription, `mine-${customers}`, time)])).toBe('1+0');
      await keep({ months: 1 });
      await runJob();
      await keep({ months: 0 });
      const { rows } = await sql<{
        name: string;
      }>`select name from usage_archive_part where last_subscription_id = ${one.subscription}`.execute(db());
      await spoil(rows[0]?.name ?? '');
      const answer = await console.call(
        usage.events,
        { subscriptionId: one.subscription },
        { token: one.token, language: 'enUS' },
      );
      expect([answer.status, answer.envelope]).toMatchObject([503, { code: 'usage.archive_unreadable' }]);
      expect(JSON.stringify(answer.envelope)).toContain(rows[0]?.name);
    },
  );

  it('R-USE-03: a known id counts once forever; a deleted one counts again only with another time', async () => {
    const one = await customer();
    const [kept, again] = [
      eventOf(one.subscription, 'kept', april),
      eventOf(one.subscription, 'again', april),
    ];
    const newer = eventOf(one.subscription, 'newer', Date.parse('2024-12-05T00:00:00Z'));
    expect(await send([kept, again])).toBe('2+0');
    await keep({ months: 1 });
    await runJob();
    expect(await send([newer, kept, eventOf(one.subscription, 'again', null)])).toBe('1+1 usage.conflict');
    await keep({ months: 1, forgotten: true });
    await runJob();
    expect(await send([newer, kept, eventOf(one.subscription, 'again', null)])).toBe('1+1 usage.too_old');
  });
});

describe.skipIf(!hasClickhouse)('raw events in ClickHouse', () => {
  let server: Awaited<ReturnType<typeof startClickhouse>>;
  beforeAll(async () => {
    server = await startClickhouse();
    await begin({ EVENTS_URL: server.url });
  });

  it('are moved to files and back, and lists stay the same', async () => {
    const [one, other] = [await customer(), await customer()];
    const events = hardEvents(one);
    expect(await send(events)).toBe(`${events.length}+0`);
    expect(await send([eventOf(other.subscription, 'theirs', start, {})])).toBe('1+0');
    const before = await Promise.all(questions.map((question) => listed(one, question)));
    for (const each of ['2024-07', '2024-09'])
      expect(await archiveMonth(console.app, each as BillingMonth, never, 10)).toBe(true);
    for (const [kind, to] of [
      ['clickhouse', 'files'],
      ['files', 'clickhouse'],
    ] as const) {
      const { rows } = await sql`select distinct kind from usage_archive`.execute(db());
      expect(rows).toEqual([{ kind }]);
      const moved: string[] = [];
      await moveArchives(console.app, to, never, (each, count) => moved.push(`${each} ${count}`));
      expect(moved).toEqual(['2024-07 5', `2024-09 ${events.length + 1 - 6}`]);
      for (const [index, question] of questions.entries())
        expect(await listed(one, question), `${to} ${JSON.stringify(question)}`).toEqual(before[index]);
      expect((await listed(other)).items).toMatchObject([{ id: 'theirs' }]);
    }
    await moveArchives(console.app, 'clickhouse', never, () => expect.fail('all of them are there'));
  });

  it('continue moving after an interruption, and incomplete attempts are never read', async () => {
    const one = await customer();
    const sent = Array.from({ length: 25 }, (_, index) =>
      eventOf(one.subscription, `m${index}`, june + index),
    );
    expect(await send(sent)).toBe('25+0');
    const before = await listed(one);
    expect(await archiveMonth(console.app, '2024-06' as BillingMonth, never, 10)).toBe(true);
    await moveArchives(console.app, 'files', never, () => undefined);
    const stopped = new AbortController();
    const { files } = console.app;
    const app = {
      ...console.app,
      files: {
        ...files,
        read: async (name: string) => {
          if (name.endsWith('-0002.csv.gz')) stopped.abort();
          return files.read(name);
        },
      },
    };
    await moveArchives(app, 'clickhouse', stopped.signal, () => expect.fail('it was stopped')).catch(
      () => undefined,
    );
    expect(await listed(one)).toEqual(before);
    await moveArchives(console.app, 'clickhouse', never, () => undefined);
    expect(await listed(one)).toEqual(before);
  });

  it('stay where they are while it is unavailable, and lists of past months report that', async () => {
    const [past, kept] = [await customer(), await customer()];
    expect(await send([eventOf(past.subscription, 'past', april)])).toBe('1+0');
    expect(await archiveMonth(console.app, '2024-04' as BillingMonth, never)).toBe(true);
    expect(await send([eventOf(kept.subscription, 'kept', may)])).toBe('1+0');
    await server.stop();
    await expect(archiveMonth(console.app, '2024-05' as BillingMonth, never)).rejects.toThrow('ClickHouse');
    expect((await listed(kept)).items).toMatchObject([{ id: 'kept' }]);
    const answer = await console.call(
      usage.events,
      { subscriptionId: past.subscription },
      { token: past.token },
    );
    expect([answer.status, answer.envelope]).toMatchObject([503, { code: 'usage.event_store_unavailable' }]);
  });
});

async function* pieceOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
