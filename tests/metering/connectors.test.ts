// Connectors against a real console, database and HTTP server: windows, repeats, waiting readings, failures,
// and secrets that must not leak.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import type { LocalDay } from '#kernel/shape.ts';
import { dayPeriod } from '#kernel/time.ts';
import { hourMs } from '#kernel/durations.ts';
import { idMaker } from '#platform/server/unit-of-work/unit-of-work.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { connectors, type Connector, type Mapping } from '#features/metering/connectors/contract.ts';
import { armFailPoints } from '#platform/server/fail-point.ts';
import {
  adminAccount,
  createTestConsole,
  registerUser,
  setUp,
  signIn,
  type TestConsole,
} from '../support/console.ts';
import { isLong } from '../support/fault-rounds.ts';
import { runFeatureJob, stopRepeating } from '../support/jobs.ts';

const begin = new Date('2024-09-10T00:30:00Z');
type Item = { name: string; project?: string; hours?: unknown; [key: string]: unknown };

let console: TestConsole;
let admin: string;
let sub: { one: Id<'sub'>; two: Id<'sub'> };
/** An API response: the items of an hour, by its start. */
let items: (start: string) => readonly Item[];
let answer: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
const requests: { url: string; authorization: string | undefined }[] = [];

const server = createServer((request, response) => {
  requests.push({ url: request.url ?? '', authorization: request.headers.authorization });
  if (answer?.(request, response)) return;
  const start = new URL(request.url ?? '', 'http://x').searchParams.get('from') ?? '';
  response.end(JSON.stringify({ data: items(start) }));
});
const address = (): string =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}/usage?from={start}&to={end}`;

const mapping = (rules: Mapping['rules'] = []): Mapping => ({
  subscriptionField: '',
  rules,
  measures: [{ eventType: 'vm', quantity: 'hours', multiplyBy: '1', divideBy: '1', dimensions: {} }],
});
const options = {
  kind: 'http_json',
  items: 'data',
  resourceFields: ['name'],
  timeField: '',
  paging: { kind: 'none', parameter: '', first: 1, cursorField: '' },
} as const;

beforeAll(async () => {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  console = await createTestConsole(begin, { PRIVATE_HOSTS: '127.0.0.1', SOURCE_TIMEOUT: '2' });
  await stopRepeating(console.app);
  admin = await setUp(console);
  const [one, two] = [
    await registerUser(console, 'owner@one.example', 'One'),
    await registerUser(console, 'owner@two.example', 'Two'),
  ];
  const { id: serviceId } = await console.ok(
    catalogue.createService,
    {
      name: 'Machines',
      type: 'VM',
      category: 'Own',
      pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '1' },
      meter: { eventType: 'vm', aggregation: 'sum', unit: 'hours' },
    },
    { token: admin },
  );
  const subscribe = async (organizationId: string): Promise<Id<'sub'>> =>
    (
      await console.ok(
        subscriptions.adminSubscribe,
        {
          organizationId: organizationId as Id<'org'>,
          serviceId,
          startedAt: new Date('2024-08-31T16:00:00Z'),
        },
        { token: admin },
      )
    ).id;
  sub = { one: await subscribe(one.organizationId), two: await subscribe(two.organizationId) };
});
afterAll(() => void server.close());
beforeEach(async () => {
  await moveTo(begin);
  await sql`delete from connector`.execute(db());
  answer = undefined;
  requests.length = 0;
  items = () => [{ name: 'vm-1', project: 'acme', hours: 1 }];
});

const db = () => console.app.database.kysely;
const make = (more: object = {}): Promise<Connector> =>
  console.ok(
    connectors.createConnector,
    {
      name: 'Cloud',
      address: address(),
      options,
      credentials: { kind: 'none' },
      windowSeconds: 3600,
      settleSeconds: 60,
      mapping: mapping([{ field: 'project', value: 'acme', subscriptionId: sub.one }]),
      ...more,
    } as never,
    { token: admin },
  );
const get = (made: Connector): Promise<Connector> =>
  console.ok(connectors.getConnector, { connectorId: made.id }, { token: admin });
/** Reads everything since `begin`’s hour again. */
const backfill = (made: Connector) =>
  console.ok(
    connectors.backfillConnector,
    { connectorId: made.id, from: new Date('2024-09-10T00:00:00Z') },
    { token: admin },
  );
const pulls = async (made: Connector) =>
  (await console.ok(connectors.listPulls, { connectorId: made.id, limit: 200 }, { token: admin })).items;
const resources = async (made: Connector) =>
  (await console.ok(connectors.listResources, { connectorId: made.id, limit: 200 }, { token: admin })).items;
const run = (): Promise<void> => runFeatureJob(console.app, 'connectors');
/** Moves the clock and signs in again, because sessions are shorter than windows. */
async function moveTo(at: Date): Promise<void> {
  console.clock.set(at);
  admin = await signIn(console, adminAccount.account, adminAccount.password);
}
const later = (hours: number): Promise<void> => moveTo(new Date(begin.getTime() + hours * hourMs));
/** The events of a connector in metering. */
async function counted(made: Connector): Promise<{ sub: string; at: string; value: string }[]> {
  const { rows } = await sql<{
    sub: string;
    at: Date;
    value: string;
  }>`select e.subscription_id as sub, e.time as at, e.value::text as value from usage_event e join usage_source s on s.id = e.source_id where s.source = ${`/connectors/${made.id}`} order by e.time, e.value`.execute(
    db(),
  );
  return rows.map((row) => ({ ...row, at: row.at.toISOString(), value: String(Number(row.value)) }));
}
const sumOf = async (made: Connector): Promise<number> =>
  (await counted(made)).reduce((sum, { value }) => sum + Number(value), 0);

describe('reading windows', () => {
  it('T-CONN: reads every complete window once, from the creation of the connector, and moves the cursor with the events', async () => {
    const made = await make();
    expect(made.readUntil).toEqual(new Date('2024-09-10T00:00:00Z'));
    await run();
    expect(requests).toEqual([]);
    await later(3);
    await run();
    await run();
    expect(await counted(made)).toEqual(
      [0, 1, 2].map((hour) => ({ sub: sub.one, at: `2024-09-10T0${hour}:00:00.000Z`, value: '1' })),
    );
    expect(await get(made)).toMatchObject({
      readUntil: new Date('2024-09-10T03:00:00Z'),
      lagSeconds: 0,
      events: 3,
      failure: null,
      nextPullAt: new Date('2024-09-10T04:01:00Z'),
    });
    expect(requests.map(({ url }) => url)).toEqual(
      [0, 1, 2].map(
        (hour) => `/usage?from=2024-09-10T0${hour}%3A00%3A00Z&to=2024-09-10T0${hour + 1}%3A00%3A00Z`,
      ),
    );
  });

  it('T-CONN: repeats, overlaps and backfills add nothing, and a backfill reads earlier windows', async () => {
    const made = await make();
    await later(3);
    await run();
    await console.ok(
      connectors.backfillConnector,
      { connectorId: made.id, from: new Date('2024-09-09T22:10:00Z') },
      { token: admin },
    );
    await run();
    expect(await sumOf(made)).toBe(5);
    expect((await get(made)).backfill).toBeNull();
    const again = await pulls(made);
    expect(
      again.filter(({ kind }) => kind === 'backfill').map((each) => [each.accepted, each.duplicates]),
    ).toEqual([
      [0, 1],
      [0, 1],
      [0, 1],
      [1, 0],
      [1, 0],
    ]);
  });

  it('T-CONN: a backfill requested while another one waits does not shorten that one', async () => {
    const made = await make();
    await later(1);
    for (const from of ['2024-09-09T20:00:00Z', '2024-09-09T23:00:00Z'])
      await console.ok(
        connectors.backfillConnector,
        { connectorId: made.id, from: new Date(from) },
        { token: admin },
      );
    await run();
    expect((await counted(made))[0]?.at).toBe('2024-09-09T20:00:00.000Z');
    expect(await sumOf(made)).toBe(5);
  });

  it('T-CONN: a window that changes later is reported, and the counted usage stays', async () => {
    const made = await make();
    await later(1);
    await run();
    items = () => [{ name: 'vm-1', project: 'acme', hours: 9 }];
    await console.ok(
      connectors.backfillConnector,
      { connectorId: made.id, from: new Date('2024-09-10T00:00:00Z') },
      { token: admin },
    );
    await run();
    expect(await sumOf(made)).toBe(1);
    expect((await pulls(made))[0]).toMatchObject({ kind: 'backfill', differing: 1, accepted: 0, waiting: 0 });
  });

  it('T-CONN: a process that dies before or after a window is recorded leaves it counted once', async () => {
    const made = await make();
    for (const [round, point] of [
      'connectors: a window was read',
      'connectors: a window was recorded',
      'connectors: a window was read',
    ].entries()) {
      await later(round + 1);
      armFailPoints(console.app, (reached) => {
        if (reached === point) throw new Error('killed');
      });
      await expect(run()).rejects.toThrow('killed');
      armFailPoints(console.app, undefined);
      // Its claim expires, and another process takes over.
      await moveTo(new Date(begin.getTime() + (round + 1) * hourMs + 600_000));
      await run();
      expect(await sumOf(made)).toBe(round + 1);
    }
  });

  it('T-CONN: a slow process that lost its claim neither counts its window again nor moves the cursor back', async () => {
    const made = await make();
    await later(2);
    let goOn: () => void = () => undefined;
    answer = (_request, response) => {
      if (requests.length > 1) return false;
      goOn = () => response.end(JSON.stringify({ data: items('') }));
      return true;
    };
    const slow = run();
    await expect.poll(() => requests.length).toBe(1);
    await sql`update connector set next_pull_at = ${begin}`.execute(db());
    await run();
    expect(await sumOf(made)).toBe(2);
    goOn();
    await slow;
    expect(await sumOf(made)).toBe(2);
    expect((await get(made)).readUntil).toEqual(new Date('2024-09-10T02:00:00Z'));
    expect(
      (await pulls(made)).map(({ start, accepted, duplicates }) => [
        start.getUTCHours(),
        accepted,
        duplicates,
      ]),
    ).toEqual([
      [1, 1, 0],
      [0, 1, 0],
    ]);
  });

  it(
    'T-CONN: a window of 20,000 readings is one transaction, and more are rejected',
    { timeout: 120_000 },
    async () => {
      const many = (count: number): Item[] =>
        Array.from({ length: count }, (_, place) => ({ name: `vm-${place}`, project: 'acme', hours: 1 }));
      items = () => many(20_000);
      const made = await make();
      await later(1);
      await run();
      expect(await get(made)).toMatchObject({ failure: null, events: 20_000, resources: 20_000 });
      expect(await sumOf(made)).toBe(20_000);
      items = () => many(20_001);
      await later(2);
      await run();
      expect(await get(made)).toMatchObject({ failure: { code: 'too_many_readings' }, events: 20_000 });
    },
  );

  it('T-CONN: text that PostgreSQL cannot store does not stop the window', async () => {
    answer = (_request, response) => (
      response.end('{"data":[{"name":"vm-1","project":"acme","hours":1,"note":"a\\u0000b\\ud800"}]}'),
      true
    );
    const made = await make();
    await later(1);
    await run();
    expect(await get(made)).toMatchObject({ failure: null, events: 1 });
  });
});

describe('any order of reads, backfills and changes', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('later' as const), hours: fc.integer({ min: 1, max: 3 }) }),
    fc.record({ kind: fc.constant('backfill' as const), hours: fc.integer({ min: 1, max: 9 }) }),
    fc.record({ kind: fc.constant('die' as const), hours: fc.integer({ min: 0, max: 1 }) }),
    fc.record({ kind: fc.constant('move' as const), hours: fc.integer({ min: 0, max: 2 }) }),
  );

  it(
    'T-CONN: counts every window between the first and the last once, whoever pays',
    { timeout: 120_000 },
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 9 }), async (steps) => {
          await sql`delete from connector`.execute(db());
          await moveTo(begin);
          items = (start) => [{ name: 'vm-1', project: 'acme', hours: new Date(start).getUTCHours() + 1 }];
          const made = await make();
          let [now, first] = [0, 0];
          for (const { kind, hours } of steps) {
            if (kind === 'later') await moveTo(new Date(begin.getTime() + (now += hours) * hourMs));
            if (kind === 'backfill' && now > 0) {
              first = Math.min(first, -hours);
              await console.ok(
                connectors.backfillConnector,
                { connectorId: made.id, from: new Date(begin.getTime() - hours * hourMs) },
                { token: admin },
              );
            }
            if (kind === 'move') await moveResource(made, hours);
            if (kind === 'die')
              armFailPoints(console.app, (reached) => {
                if (reached.endsWith(hours === 0 ? 'read' : 'recorded')) throw new Error('killed');
              });
            await run().catch((error: unknown) => {
              if (!(error instanceof Error && error.message === 'killed')) throw error;
            });
            armFailPoints(console.app, undefined);
            // A dead process gives up its claim.
            await sql`update connector set next_pull_at = ${begin}`.execute(db());
          }
          await run();
          await run();
          const hours = Array.from({ length: now - first }, (_, place) => first + place);
          expect((await counted(made)).map(({ at, value }) => [at, value])).toEqual(
            hours
              .map((hour) => new Date(Date.parse('2024-09-10T00:00:00Z') + hour * hourMs))
              .map((start) => [start.toISOString(), String(start.getUTCHours() + 1)]),
          );
        }),
        { numRuns: isLong ? 12 : 3 },
      );
    },
  );

  /** Assigns the resource to nobody, to one customer or to the other, once it is known. */
  async function moveResource(made: Connector, to: number): Promise<void> {
    const known = await resources(made);
    if (known.length === 0) return;
    const decision =
      to === 0
        ? ({ kind: 'rules' } as const)
        : ({ kind: 'subscription', subscriptionId: to === 1 ? sub.one : sub.two } as const);
    await console.ok(
      connectors.assignResource,
      { connectorId: made.id, resource: 'vm-1', to: decision },
      { token: admin },
    );
  }
});

describe('waiting readings', () => {
  it('T-CONN: readings without a customer wait, are listed first, and count once assigned, even if the source no longer has them', async () => {
    const made = await make({ mapping: mapping() });
    await later(2);
    await run();
    expect(await counted(made)).toEqual([]);
    expect(await get(made)).toMatchObject({ waitingResources: 1, waitingReadings: 2, events: 0 });
    expect(await resources(made)).toMatchObject([
      { id: 'vm-1', state: 'waiting', reason: 'unmapped', waiting: 2, subscription: null },
    ]);
    items = () => [];
    await console.ok(
      connectors.assignResource,
      { connectorId: made.id, resource: 'vm-1', to: { kind: 'subscription', subscriptionId: sub.two } },
      { token: admin },
    );
    await run();
    expect(await counted(made)).toEqual([
      { sub: sub.two, at: '2024-09-10T00:00:00.000Z', value: '1' },
      { sub: sub.two, at: '2024-09-10T01:00:00.000Z', value: '1' },
    ]);
    expect(await get(made)).toMatchObject({ waitingResources: 0, events: 2 });
    expect(await resources(made)).toMatchObject([
      { state: 'mapped', isByHand: true, waiting: 0, subscription: { id: sub.two, organization: 'Two' } },
    ]);
  });

  it('T-CONN: can be assigned to a subscription that is created with the decision, once however often it is requested', async () => {
    const made = await make({ mapping: mapping() });
    await later(2);
    await run();
    const three = await registerUser(console, 'owner@three.example', 'Three');
    const organizationId = three.organizationId as Id<'org'>;
    await sql`update organization set time_zone = 'America/New_York' where id = ${organizationId}`.execute(
      db(),
    );
    const newId = idMaker(begin);
    const { items: services } = await console.ok(catalogue.adminListServices, {}, { token: admin });
    const serviceId = services[0]?.id as Id<'svc'>;
    const ask = (startsOn: string, more: object = {}, resource = 'vm-1') =>
      console.call(
        connectors.assignResource,
        {
          connectorId: made.id,
          resource,
          to: { kind: 'new', organizationId, serviceId, startsOn: startsOn as LocalDay, ...more },
        },
        { token: admin, headers: { 'idempotency-key': `assign-${resource}-${startsOn}` } },
      );
    const subscribed = async () =>
      (await console.ok(subscriptions.adminListSubscriptions, { organizationId }, { token: admin })).items;
    // Each error names its field, and leaves no subscription behind.
    expect((await ask('2024-10-01')).envelope).toMatchObject({ errors: [{ field: 'to.startsOn' }] });
    expect((await ask('2024-09-02', { serviceId: newId('svc') })).envelope).toMatchObject({
      errors: [{ field: 'to.serviceId' }],
    });
    expect((await ask('2024-09-03', { organizationId: newId('org') })).envelope).toMatchObject({
      errors: [{ field: 'to.organizationId' }],
    });
    expect((await ask('2024-09-04', {}, 'nobody-saw')).status).toBe(404);
    expect(await subscribed()).toEqual([]);
    const answers = [await ask('2024-09-05'), await ask('2024-09-05')];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const [only, ...more] = await subscribed();
    expect(more).toEqual([]);
    // At midnight in the customer’s time zone.
    expect(only?.startedAt).toEqual(dayPeriod('2024-09-05' as LocalDay, 'America/New_York').start);
    await run();
    expect((await counted(made)).map(({ sub: owner, value }) => [owner, value])).toEqual([
      [only?.id, '1'],
      [only?.id, '1'],
    ]);
    // A second subscription to the same service would be rejected.
    expect((await ask('2024-09-06')).envelope).toMatchObject({ errors: [{ field: 'to.serviceId' }] });
  });

  it('T-CONN: a rule that is added later assigns the waiting readings of its resources', async () => {
    items = () => [
      { name: 'vm-1', project: 'acme', hours: 1 },
      { name: 'vm-2', project: 'beta', hours: 2 },
    ];
    const made = await make();
    await later(1);
    await run();
    expect(await sumOf(made)).toBe(1);
    const now = await get(made);
    await console.ok(
      connectors.updateConnector,
      {
        connectorId: made.id,
        version: now.version,
        mapping: mapping([
          { field: 'project', value: 'acme', subscriptionId: sub.one },
          { field: 'project', value: 'b*', subscriptionId: sub.two },
        ]),
      },
      { token: admin },
    );
    await run();
    expect((await counted(made)).map(({ sub: owner, value }) => [owner, value])).toEqual([
      [sub.one, '1'],
      [sub.two, '2'],
    ]);
  });

  it('T-CONN: readings that metering rejects, or without a quantity, wait with their reason', async () => {
    items = () => [
      { name: 'vm-1', project: 'acme', hours: 'many' },
      { name: 'vm-2', project: 'acme', hours: 1 },
    ];
    const made = await make({
      mapping: {
        ...mapping([{ field: 'project', value: 'acme', subscriptionId: sub.one }]),
        measures: [
          { eventType: 'no-such-type', quantity: 'hours', multiplyBy: '1', divideBy: '1', dimensions: {} },
        ],
      },
    });
    await later(1);
    await run();
    const listed = await resources(made);
    expect(listed.map(({ id, reason }) => [id, reason])).toEqual([
      ['vm-1', 'quantity'],
      ['vm-2', 'rejected'],
    ]);
    expect(listed[1]?.message).toMatch(/\S/);
  });

  it('T-CONN: a resource that moves to another customer within a month is billed to each for their own windows', async () => {
    items = (start) => [{ name: 'vm-1', project: start < '2024-09-10T02' ? 'acme' : 'beta', hours: 1 }];
    const made = await make({
      mapping: mapping([
        { field: 'project', value: 'acme', subscriptionId: sub.one },
        { field: 'project', value: 'beta', subscriptionId: sub.two },
      ]),
    });
    await later(4);
    await run();
    expect((await counted(made)).map(({ sub: owner }) => owner)).toEqual([
      sub.one,
      sub.one,
      sub.two,
      sub.two,
    ]);
  });

  it('T-CONN: a resource that is renamed or deleted within a month counts each window once, under its name at the time', async () => {
    items = (start) => {
      const vm = { project: 'acme', hours: 1 };
      const isRenamed = start >= '2024-09-10T02';
      const shop = { ...vm, name: isRenamed ? 'store' : 'shop' };
      return start < '2024-09-10T01' ? [shop, { ...vm, name: 'batch' }] : [shop];
    };
    const made = await make();
    await later(3);
    await run();
    expect((await counted(made)).map(({ at, value }) => [at.slice(11, 13), value])).toEqual([
      ['00', '1'],
      ['00', '1'],
      ['01', '1'],
      ['02', '1'],
    ]);
    expect((await resources(made)).map(({ id }) => id).toSorted()).toEqual(['batch', 'shop', 'store']);
    // Reading the past again later adds nothing under the new name.
    await backfill(made);
    await run();
    expect(await sumOf(made)).toBe(4);
  });

  it('T-CONN: an empty window is not an error, and readings that appear later count once it is read again', async () => {
    items = () => [];
    const made = await make();
    await later(2);
    await run();
    expect(await get(made)).toMatchObject({ failure: null, events: 0, waitingReadings: 0 });
    expect(await get(made)).not.toMatchObject({ readUntil: made.readUntil });
    items = () => [{ name: 'vm-1', project: 'acme', hours: 1 }];
    await later(3);
    await run();
    expect(await sumOf(made)).toBe(1);
    // Late readings are counted by reading the past again.
    await backfill(made);
    await run();
    expect(await sumOf(made)).toBe(3);
  });

  it('T-CONN: an ignored resource counts nothing and does not wait', async () => {
    const made = await make({ mapping: mapping() });
    await later(1);
    await run();
    await console.ok(
      connectors.assignResource,
      { connectorId: made.id, resource: 'vm-1', to: { kind: 'ignored' } },
      { token: admin },
    );
    await later(2);
    await run();
    expect(await get(made)).toMatchObject({ waitingReadings: 0, events: 0 });
    expect((await pulls(made))[0]).toMatchObject({ ignored: 1 });
  });
});

describe('failing sources', () => {
  const failing: [string, (response: ServerResponse) => void, object][] = [
    [
      'revoked credentials',
      (response) => void response.writeHead(401).end(),
      { code: 'refused_credentials' },
    ],
    ['no JSON', (response) => void response.end('<html>'), { code: 'bad_answer' }],
    ['no list', (response) => void response.end('{"data":7}'), { code: 'bad_answer' }],
    ['an error', (response) => void response.writeHead(500).end(), { code: 'status', detail: '500' }],
    ['a bad question', (response) => void response.writeHead(400).end('{"a":1}'), { code: 'refused_query' }],
    ['a redirect', (response) => void response.writeHead(302, { location: '/' }).end(), { code: 'status' }],
    [
      'the same resource twice',
      (response) => void response.end('{"data":[{"name":"a","hours":1},{"name":"a","hours":2}]}'),
      { code: 'same_resource_twice', detail: 'a' },
    ],
  ];
  it.each(failing)(
    'T-CONN: %s: the cursor stays, and the failure is reported',
    async (_name, respond, failure) => {
      const made = await make();
      await later(1);
      answer = (_request, response) => (respond(response), true);
      await run();
      expect(await get(made)).toMatchObject({
        readUntil: made.readUntil,
        failure,
        failingSince: expect.any(Date),
      });
      answer = undefined;
      await moveTo(new Date(begin.getTime() + hourMs + 31_000));
      await run();
      expect(await get(made)).toMatchObject({ failure: null, failingSince: null, events: 1 });
      expect(await sumOf(made)).toBe(1);
    },
  );

  it('T-CONN: a source that hangs or responds byte by byte times out, is reported, and does not delay others', async () => {
    const asking = (value: string) => ({ credentials: { kind: 'header', name: 'x-name', value } });
    const hanging = await make(asking('hangs'));
    const dripping = await make(asking('drips'));
    const good = await make();
    const drips: NodeJS.Timeout[] = [];
    const order: string[] = [];
    await later(1);
    answer = (request, response) => {
      const name = request.headers['x-name'];
      if (name !== 'hangs' && name !== 'drips') {
        order.push('read');
        return false;
      }
      response.on('close', () => order.push('given up'));
      if (name === 'hangs') return true;
      response.write('{"data":[');
      drips.push(setInterval(() => response.write(' '), 100));
      return true;
    };
    await run();
    for (const drip of drips) clearInterval(drip);
    expect(await sumOf(good)).toBe(1);
    // The good source is read while the others still wait.
    expect(order).toEqual(['read', 'given up', 'given up']);
    for (const made of [hanging, dripping])
      expect(await get(made)).toMatchObject({
        failure: { code: 'timeout' },
        readUntil: made.readUntil,
        events: 0,
      });
  });

  it('T-CONN: a source whose clock is slow is read when the window is over there, and one whose clock is fast immediately', async () => {
    const made = await make();
    await later(1);
    const sentAt = (at: Date, more = {}) => {
      answer = (_request, response) => (
        response.writeHead(200, { date: at.toUTCString(), ...more }),
        response.end('{"data":[{"name":"vm-1","project":"acme","hours":1}]}'),
        true
      );
    };
    const end = Math.floor((begin.getTime() + hourMs) / hourMs) * hourMs;
    // The source has seen 56 minutes of the hour.
    sentAt(new Date(end - 240_000));
    await run();
    expect(await get(made)).toMatchObject({
      readUntil: made.readUntil,
      failure: { code: 'clock_behind', detail: '240' },
      events: 0,
    });
    await moveTo(new Date(begin.getTime() + hourMs + 239_000));
    await run();
    expect((await get(made)).failure).not.toBeNull();
    // A cache has stored the response for a minute.
    sentAt(new Date(end - 60_000), { age: '60' });
    await moveTo(new Date(begin.getTime() + hourMs + 240_000));
    await run();
    expect(await get(made)).toMatchObject({ failure: null, events: 1 });
    sentAt(new Date(end + 2 * hourMs));
    await later(2);
    await run();
    expect(await get(made)).toMatchObject({ failure: null, events: 2 });
  });

  it('T-CONN: a source that responds with 429 is not called until the time it names', async () => {
    const made = await make();
    await later(1);
    answer = (_request, response) => (response.writeHead(429, { 'retry-after': '1200' }).end(), true);
    await run();
    expect((await get(made)).nextPullAt).toEqual(new Date(begin.getTime() + hourMs + 1_200_000));
    answer = undefined;
    const before = requests.length;
    await moveTo(new Date(begin.getTime() + hourMs + 600_000));
    await run();
    expect(requests.length).toBe(before);
  });

  it(
    'T-CONN: an endless expression does not stop the console, and is reported',
    { timeout: 60_000 },
    async () => {
      const made = await make({
        mapping: {
          ...mapping([{ field: 'project', value: 'acme', subscriptionId: sub.one }]),
          measures: [
            {
              eventType: 'vm',
              quantity: '($f := function($x) { $f($x + 1) }; $f(1))',
              multiplyBy: '1',
              divideBy: '1',
              dimensions: {},
            },
          ],
        },
      });
      await later(1);
      const pulled = run();
      expect((await get(made)).id).toBe(made.id);
      await pulled;
      expect(await get(made)).toMatchObject({ failure: { code: 'mapping_too_slow' } });
    },
  );
});

describe('pages', () => {
  const paged = (kind: string, more: object = {}) => ({
    ...options,
    paging: { kind, parameter: 'p', first: 1, cursorField: 'next', ...more },
  });
  const all = Array.from({ length: 5 }, (_, place) => ({ name: `vm-${place}`, project: 'acme', hours: 1 }));

  it.each(['page', 'offset', 'cursor', 'link'])(
    'T-CONN: all pages by %s are one window, and an item on two of them counts once',
    async (kind) => {
      answer = (request, response) => {
        const url = new URL(request.url ?? '', 'http://x');
        const given = url.searchParams.get('p');
        const from = kind === 'page' ? (Number(given ?? '1') - 1) * 2 : Number(given ?? '0');
        const next = from + 2 < all.length ? String(from + 2) : '';
        url.searchParams.set('p', next);
        if (kind === 'link' && next !== '')
          response.setHeader('link', `<${url.pathname}${url.search}>; rel="next"`);
        // The list shifts by one between the pages, as when an item was added meanwhile.
        response.end(JSON.stringify({ data: all.slice(Math.max(0, from - 1), from + 2), next }));
        return true;
      };
      const made = await make({ options: paged(kind) });
      await later(1);
      await run();
      expect(await get(made)).toMatchObject({
        failure: null,
        events: kind === 'offset' ? expect.any(Number) : 5,
      });
      expect((await resources(made)).length).toBe(5);
      expect(await sumOf(made)).toBe(5);
    },
  );

  it('T-CONN: OpenCost is read through its allocation API, and its unallocated costs wait', async () => {
    // The format of a response in its documentation: https://opencost.io/docs/integrations/api-examples/
    const allocation = (name: string, cores: number) => ({
      name,
      properties: { cluster: 'cluster-one', namespace: name },
      window: { start: '2024-09-10T00:00:00Z', end: '2024-09-10T01:00:00Z' },
      minutes: 60,
      cpuCores: cores,
      cpuCoreHours: cores,
      ramByteHours: 9316225024,
      totalCost: 0.05,
    });
    answer = (_request, response) => {
      response.end(
        JSON.stringify({
          code: 200,
          data: [{ acme: allocation('acme', 1.5), __unmounted__: { ...allocation('__unmounted__', 0) } }],
        }),
      );
      return true;
    };
    const made = await make({
      address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/allocation/compute?window={start},{end}&aggregate=namespace&accumulate=true`,
      options: { ...options, items: 'data.0', resourceFields: ['properties.cluster', 'name'] },
      mapping: {
        ...mapping([{ field: 'properties.namespace', value: 'acme', subscriptionId: sub.one }]),
        measures: [
          { eventType: 'vm', quantity: 'cpuCoreHours', multiplyBy: '1', divideBy: '1', dimensions: {} },
        ],
      },
    });
    await later(1);
    await run();
    expect(requests[0]?.url).toContain('window=2024-09-10T00%3A00%3A00Z,2024-09-10T01%3A00%3A00Z&');
    expect(await counted(made)).toMatchObject([{ sub: sub.one, value: '1.5' }]);
    expect((await resources(made)).map(({ id, state }) => [id, state])).toEqual([
      ['cluster-one/__unmounted__', 'waiting'],
      ['cluster-one/acme', 'mapped'],
    ]);
  });

  it('T-CONN: a next page on another server is not requested, because it would get the credentials', async () => {
    answer = (_request, response) => {
      response.setHeader('link', '<http://127.0.0.2:1/>; rel="next"');
      response.end('{"data":[]}');
      return true;
    };
    const made = await make({ options: paged('link'), credentials: { kind: 'bearer', token: 'secret' } });
    await later(1);
    await run();
    expect(await get(made)).toMatchObject({ failure: { code: 'bad_answer' } });
  });
});

describe('credentials and settings', () => {
  it('T-CONN: credentials are sent to the source and never returned, stored unencrypted, or logged', async () => {
    const made = await make({ credentials: { kind: 'bearer', token: 'very-secret-token' } });
    await later(1);
    await run();
    expect(requests[0]?.authorization).toBe('Bearer very-secret-token');
    expect(JSON.stringify(await get(made))).not.toContain('very-secret');
    const { rows } = await sql<{
      all: string;
    }>`select (select string_agg(c::text, '') from connector c) || (select string_agg(a::text, '') from audit_log a) as all`.execute(
      db(),
    );
    expect(rows[0]?.all).not.toContain('very-secret');
    expect(rows[0]?.all).not.toContain(Buffer.from('very-secret-token').toString('hex'));
  });

  it('T-CONN: another server needs the credentials again, and the length of windows cannot change once one was read', async () => {
    const made = await make({ credentials: { kind: 'bearer', token: 'very-secret-token' } });
    await later(1);
    await run();
    const { version } = await get(made);
    const change = (to: object) =>
      console.call(connectors.updateConnector, { connectorId: made.id, version, ...to } as never, {
        token: admin,
        language: 'enUS',
      });
    expect(await change({ address: 'https://evil.example/' })).toMatchObject({
      status: 400,
      envelope: { code: 'connectors.credentials_again', errors: [{ field: 'credentials' }] },
    });
    expect(await change({ windowSeconds: 900 })).toMatchObject({
      status: 400,
      envelope: { errors: [{ field: 'windowSeconds' }] },
    });
    expect(await change({ version: version - 1, name: 'x' })).toMatchObject({ status: 409 });
    expect(await change({ name: 'Renamed' })).toMatchObject({ status: 200 });
  });

  const wrong: [string, object, string][] = [
    ['an address inside', { address: 'http://10.0.0.5/' }, 'address'],
    ['metadata of the cloud', { address: 'http://169.254.169.254/latest' }, 'address'],
    ['a password in it', { address: 'https://a:b@example.com/' }, 'address'],
    [
      'an unknown subscription',
      {
        mapping: mapping([{ field: 'a', value: 'b', subscriptionId: `sub_${'0'.repeat(26)}` as Id<'sub'> }]),
      },
      'mapping.rules.0.subscriptionId',
    ],
    [
      'an expression',
      { mapping: { ...mapping(), measures: [{ ...mapping().measures[0], quantity: '((' }] } },
      'mapping.measures.0.quantity',
    ],
    [
      'the same type twice',
      { mapping: { ...mapping(), measures: [...mapping().measures, ...mapping().measures] } },
      'mapping.measures.1.eventType',
    ],
    [
      'paging without its parameter',
      { options: { ...options, paging: { ...options.paging, kind: 'page' } } },
      'options.paging.parameter',
    ],
  ];
  it.each(wrong)('T-CONN: %s is rejected at its field, in both languages', async (_name, more, field) => {
    for (const language of ['zhTW', 'enUS'] as const) {
      const refused = await console.call(
        connectors.createConnector,
        {
          name: 'Cloud',
          address: address(),
          options,
          credentials: { kind: 'none' },
          windowSeconds: 3600,
          settleSeconds: 60,
          mapping: mapping(),
          ...more,
        } as never,
        { token: admin, language },
      );
      expect(refused.status).toBe(400);
      expect(refused.envelope.errors?.[0]?.field).toBe(field);
      expect(refused.envelope.errors?.[0]?.message).not.toMatch(/connectors\.|\{\{/);
    }
  });

  it('T-CONN: a paused connector makes no requests, and reads the windows of the pause when it is resumed', async () => {
    const made = await make();
    await console.ok(connectors.pauseConnector, { connectorId: made.id }, { token: admin });
    await later(2);
    await run();
    expect(requests).toEqual([]);
    await console.ok(connectors.resumeConnector, { connectorId: made.id }, { token: admin });
    await run();
    expect(await sumOf(made)).toBe(2);
  });
});

describe('dry runs', () => {
  it('T-CONN: show what a mapping would create, unmapped readings first, with counts per rule, and record nothing', async () => {
    items = () => [
      { name: 'vm-1', project: 'acme', hours: '3600' },
      { name: 'vm-2', project: 'beta', hours: 1 },
    ];
    const made = await make();
    await later(1);
    const tried = await console.ok(
      connectors.dryRunConnector,
      {
        connectorId: made.id,
        mapping: {
          ...mapping([{ field: 'project', value: 'acme', subscriptionId: sub.one }]),
          measures: [
            {
              eventType: 'vm',
              quantity: 'hours',
              multiplyBy: '1',
              divideBy: '3600',
              dimensions: { of: 'project' },
            },
          ],
        },
      },
      { token: admin },
    );
    expect(tried).toMatchObject({ failure: null, resources: 2, unmapped: 1, perRule: [1] });
    expect(tried.rows).toMatchObject([
      { resource: 'vm-2', subscription: null, reason: 'unmapped' },
      {
        resource: 'vm-1',
        subscription: { id: sub.one, name: 'Machines', organization: 'One' },
        events: [{ eventType: 'vm', quantity: '1', dimensions: { of: 'acme' } }],
      },
    ]);
    expect(await counted(made)).toEqual([]);
    expect(await resources(made)).toEqual([]);
  });

  it('T-CONN: lag, failures, events and waiting readings are in /metrics', async () => {
    const made = await make({ mapping: mapping() });
    await later(3);
    await run();
    const text = await (await fetch(`${console.address}/metrics`)).text();
    expect(text).toContain(`connector_waiting_resources{connector="${made.id}",name="Cloud"} 1`);
    expect(text).toContain(`connector_lag_seconds{connector="${made.id}",name="Cloud"} 0`);
  });
});
