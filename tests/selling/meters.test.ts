// Meters on a real database: created, changed, kept while services use them, and found or created with a
// service.
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { required } from '#kernel/assert.ts';
import type { In } from '#kernel/contract.ts';
import { isId } from '#kernel/ids.ts';
import { readMigrations, migrationSources } from '#platform/server/database/migration-files.ts';
import { featureOrder } from '#app/feature-order.ts';
import { catalogue, type Service } from '#features/selling/catalogue/contract.ts';
import { meters, type Meter } from '#features/selling/meters/contract.ts';
import { createTestConsole, setUp, type TestConsole } from '../support/console.ts';
import { createTestDatabase } from '../support/database.ts';

type Input = In<typeof meters.createMeter>;
let console: TestConsole;
let token: string;

const input = (change: Partial<Input> & { key: string }): Input => ({
  name: 'Storage',
  eventType: change.key,
  aggregation: 'sum',
  unit: 'GB',
  ...change,
});
const create = (change: Partial<Input> & { key: string }): Promise<Meter> =>
  console.ok(meters.createMeter, input(change), { token });
const refused = async (change: Partial<Input> & { key: string }): Promise<unknown> => {
  const { status, envelope } = await console.call(meters.createMeter, input(change), { token });
  return [status, envelope.code, envelope.errors?.map(({ field }) => field)];
};
const service = (name: string, meter: Partial<Service['meter']> = {}): Promise<Service> =>
  console.ok(
    catalogue.createService,
    {
      name,
      type: 'T',
      category: 'C',
      pricing: { model: 'flat', currency: 'TWD', baseFee: '1' },
      meter: { eventType: 'e', aggregation: 'sum', unit: 'GB', ...meter },
    },
    { token },
  );
const metersOf = async (eventType: string): Promise<Meter[]> =>
  (await console.ok(meters.listMeters, { q: eventType, sort: 'key', limit: 200 }, { token })).items.filter(
    (meter) => meter.eventType === eventType,
  );

beforeAll(async () => {
  console = await createTestConsole();
  token = await setUp(console);
});

describe('meters', () => {
  it('are stored with all fields and returned unchanged', async () => {
    const made = await create({
      key: 'bandwidth',
      name: '頻寬',
      eventType: 'net.sample',
      aggregation: 'percentile',
      p: 95,
      unit: 'Mbit/s',
      dimensions: ['region', 'size'],
      filter: { region: ['tpe', 'khh', 'tpe'] },
      dataSchema: { type: 'object', required: ['value'] },
    });
    expect(made).toMatchObject({
      key: 'bandwidth',
      name: '頻寬',
      eventType: 'net.sample',
      aggregation: 'percentile',
      p: 95,
      sampleMinutes: 5,
      unit: 'Mbit/s',
      dimensions: ['region', 'size'],
      filter: { region: ['khh', 'tpe'] },
      dataSchema: { type: 'object', required: ['value'] },
      usedBy: 0,
      version: 1,
    });
    expect(isId('mtr', made.id)).toBe(true);
    expect(await console.ok(meters.getMeter, { meterId: made.id }, { token })).toEqual(made);
  });

  it.each<[string, Partial<Input>, string, string]>([
    ['a key with a space', { key: 'Upper case' }, 'meters.key_wrong', 'key'],
    ['a percentile without p', { aggregation: 'percentile' }, 'meters.percentile_needed', 'p'],
    ['p of a sum', { p: 95 }, 'meters.percentile_only', 'p'],
    [
      'samples of 7 minutes',
      { aggregation: 'percentile', p: 95, sampleMinutes: 7 },
      'meters.samples_uneven',
      'sampleMinutes',
    ],
    ['no property to count', { aggregation: 'unique_count' }, 'meters.property_needed', 'property'],
    ['a duplicate dimension', { dimensions: ['a', 'a'] }, 'meters.dimensions_repeat', 'dimensions'],
    ['an invalid schema', { dataSchema: { type: 'strnig' } }, 'meters.schema_wrong', 'dataSchema'],
  ])('are rejected with %s, naming the field', async (_what, change, code, field) => {
    expect(await refused({ key: 'wrong', ...change })).toEqual([422, code, [field]]);
  });
  it.each<[string, Partial<Input>, string]>([
    ['six dimensions', { dimensions: ['a', 'b', 'c', 'd', 'e', 'f'] }, 'dimensions'],
    ['p of 101', { aggregation: 'percentile', p: 101 }, 'p'],
    ['a filter without values', { filter: { region: [] } }, 'filter.region'],
    ['an unknown aggregation', { aggregation: 'median' as 'sum' }, 'aggregation'],
  ])('are rejected with the wrong shape of %s', async (_what, change, field) => {
    const { status, envelope } = await console.call(meters.createMeter, input({ key: 'wrong' }), {
      token,
      body: JSON.stringify({ ...input({ key: 'wrong' }), ...change }),
    });
    expect([status, envelope.errors?.map((one) => one.field)]).toEqual([400, [field]]);
  });

  it('are rejected with an existing key or definition', async () => {
    await create({ key: 'twice', name: 'First' });
    expect(await refused({ key: 'twice', eventType: 'another' })).toEqual([409, 'meters.key_taken', ['key']]);
    expect(await refused({ key: 'twice-2', eventType: 'twice' })).toEqual([
      409,
      'meters.same_definition',
      ['eventType'],
    ]);
    const filtered = { eventType: 'twice', dimensions: ['a', 'b'], filter: { x: ['1', '2'] } };
    await create({ key: 'twice-2', ...filtered });
    expect(
      await refused({ key: 'twice-3', ...filtered, dimensions: ['b', 'a'], filter: { x: ['2', '1'] } }),
    ).toEqual([409, 'meters.same_definition', ['eventType']]);
    await create({ key: 'twice-3', ...filtered, filter: { x: ['2'] } });
  });

  it('are created once per idempotency key', async () => {
    const headers = { 'idempotency-key': 'meter-once' };
    const [one, other] = [
      await console.ok(meters.createMeter, input({ key: 'once' }), { token, headers }),
      await console.ok(meters.createMeter, input({ key: 'once' }), { token, headers }),
    ];
    expect(other).toEqual(one);
  });

  it('are listed by page, search and order, with the exact total', async () => {
    for (const name of ['c', 'a', 'b']) await create({ key: `list-${name}`, name: `Listed ${name}` });
    const first = await console.ok(meters.listMeters, { q: 'listed', limit: 2 }, { token });
    const next = await console.ok(
      meters.listMeters,
      { q: 'listed', limit: 2, cursor: required(first.nextCursor, 'a second page') },
      { token },
    );
    expect([first.total, ...first.items.map(({ key }) => key), ...next.items.map(({ key }) => key)]).toEqual([
      3,
      'list-a',
      'list-b',
      'list-c',
    ]);
    const { key = '' } = first.items[0] ?? {};
    const named = await console.ok(meters.listMeters, { key }, { token });
    expect(named.items.map((meter) => meter.key)).toEqual([key]);
    expect((await console.ok(meters.listMeters, { key: 'listed' }, { token })).total).toBe(0);
    expect(
      (await console.ok(meters.listMeters, { q: 'LIST-', sort: '-key' }, { token })).items.map(
        ({ key }) => key,
      ),
    ).toEqual(['list-c', 'list-b', 'list-a']);
  });

  it('are in the audit log with their changes', async () => {
    const { id } = await create({ key: 'audited' });
    await console.ok(
      meters.updateMeter,
      { meterId: id, name: 'New', unit: 'TB', filter: { a: ['x'] } },
      { token },
    );
    await console.ok(meters.deleteMeter, { meterId: id }, { token });
    const { rows } =
      await sql`select action, detail from audit_log where subject = ${id} order by seq`.execute(
        console.app.database.kysely,
      );
    expect(rows).toEqual([
      { action: 'meters.createMeter', detail: {} },
      { action: 'meters.updateMeter', detail: { changed: ['name', 'unit', 'filter'] } },
      { action: 'meters.deleteMeter', detail: { key: 'audited' } },
    ]);
  });
});

describe('changing a meter', () => {
  it('can change everything but the key while it is unused', async () => {
    const { id, version } = await create({ key: 'free', aggregation: 'percentile', p: 95 });
    const changed = await console.ok(
      meters.updateMeter,
      { meterId: id, version, aggregation: 'min', unit: 'TB', dimensions: ['a'], eventType: 'other' },
      { token },
    );
    expect(changed).toMatchObject({ aggregation: 'min', unit: 'TB', dimensions: ['a'], version: 2 });
    expect([changed.p, changed.sampleMinutes]).toEqual([undefined, undefined]);
    const { status, envelope } = await console.call(
      meters.updateMeter,
      { meterId: id },
      { token, body: JSON.stringify({ key: 'other' }) },
    );
    expect([status, envelope.errors?.map(({ field }) => field)]).toEqual([400, ['key']]);
  });

  it('with an outdated version is rejected', async () => {
    const { id, version } = await create({ key: 'overtaken', name: 'Overtaken' });
    await console.ok(meters.updateMeter, { meterId: id, version, name: 'First' }, { token });
    const { status, envelope } = await console.call(
      meters.updateMeter,
      { meterId: id, version, name: 'Second' },
      { token },
    );
    expect([status, envelope.code]).toEqual([409, 'meters.changed_meanwhile']);
    expect((await console.ok(meters.getMeter, { meterId: id }, { token })).name).toBe('First');
  });

  it('to the definition of another meter is rejected', async () => {
    await create({ key: 'target' });
    const { id } = await create({ key: 'mover' });
    const { envelope } = await console.call(
      meters.updateMeter,
      { meterId: id, eventType: 'target' },
      { token },
    );
    expect([envelope.code, envelope.message]).toEqual([
      'meters.same_definition',
      expect.stringContaining('(target)'),
    ]);
  });

  it('in use is rejected with the number of its services; name and schema may change', async () => {
    await service('Used 1', { eventType: 'used' });
    const changes: Partial<In<typeof meters.updateMeter>>[] = [
      { eventType: 'x' },
      { aggregation: 'max' },
      { property: 'p' },
      { aggregation: 'percentile', p: 95, sampleMinutes: 5 },
      { unit: 'TB' },
      { dimensions: ['a'] },
      { filter: { a: ['x'] } },
    ];
    const { id: meterId } = required((await metersOf('used'))[0], 'the meter of the service');
    for (const change of changes) {
      const { status, envelope } = await console.call(
        meters.updateMeter,
        { meterId, name: 'Kept', ...change },
        { token },
      );
      expect([status, envelope.code, envelope.errors?.map(({ field }) => field)]).toEqual([
        409,
        'meters.fixed',
        Object.keys(change),
      ]);
      expect(envelope.message).toContain('1 service uses “used”');
    }
    const changed = await console.ok(
      meters.updateMeter,
      {
        meterId,
        name: 'Renamed',
        unit: 'GB',
        dimensions: [],
        filter: {},
        dataSchema: { type: 'object' },
      },
      { token },
    );
    expect(changed).toMatchObject({ name: 'Renamed', dataSchema: { type: 'object' }, usedBy: 1, version: 2 });
    expect(
      (await console.ok(meters.updateMeter, { meterId, dataSchema: null }, { token })).dataSchema,
    ).toBeUndefined();
  });

  it('in use by deletion is rejected; once its services are deleted it is possible', async () => {
    const [one, other] = [
      await service('Gone 1', { eventType: 'gone' }),
      await service('Gone 2', { eventType: 'gone' }),
    ];
    const meterId = required((await metersOf('gone'))[0], 'the meter').id;
    const { status, envelope } = await console.call(
      meters.deleteMeter,
      { meterId },
      { token, language: 'zhTW' },
    );
    expect([status, envelope.code, envelope.message]).toEqual([
      409,
      'meters.still_used',
      expect.stringContaining('有 2 項服務使用「gone」'),
    ]);
    await console.ok(catalogue.batchServices, { ids: [one.id, other.id], action: 'delete' }, { token });
    await console.ok(meters.deleteMeter, { meterId }, { token });
    expect((await console.call(meters.getMeter, { meterId }, { token })).status).toBe(404);
  });
});

describe('a service with a meter', () => {
  it('uses the existing meter of the same definition, or creates one with a key from its event type', async () => {
    await service('A', { eventType: 'com.Example/VM 時數' });
    await service('B', { eventType: 'com.Example/VM 時數' });
    await service('C', { eventType: 'com.Example/VM 時數', unit: 'TB' });
    await service('D', { eventType: 'com.Example/VM 時數', aggregation: 'unique_count', property: 'host' });
    expect(
      (await metersOf('com.Example/VM 時數')).map(({ key, name, unit, usedBy }) => [key, name, unit, usedBy]),
    ).toEqual([
      ['com.example-vm', 'com.Example/VM 時數', 'GB', 2],
      ['com.example-vm-2', 'com.Example/VM 時數', 'TB', 1],
      ['com.example-vm-3', 'com.Example/VM 時數', 'GB', 1],
    ]);
    await service('E', { eventType: '用量' });
    await service('F', { eventType: `${'long.'.repeat(30)}1` });
    await service('G', { eventType: `${'long.'.repeat(30)}2` });
    const keys = (await console.ok(meters.listMeters, { limit: 200 }, { token })).items.map(({ key }) => key);
    const long = 'long.'.repeat(12);
    expect(keys).toEqual(expect.arrayContaining(['meter', long, `${long.slice(0, 58)}-2`]));
  });

  it('does not use a meter with a filter, but one of another name without', async () => {
    await create({ key: 'narrow', eventType: 'shared', dimensions: ['region'] });
    await create({ key: 'filtered', eventType: 'shared', filter: { region: ['tpe'] } });
    const plain = await create({ key: 'plain', eventType: 'shared', name: 'Plain' });
    const { id } = await service('Shared', { eventType: 'shared' });
    const found = await console.ok(catalogue.adminListServices, { meterId: plain.id }, { token });
    expect([found.total, found.items.map((one) => one.id)]).toEqual([1, [id]]);
    expect((await metersOf('shared')).map(({ key, usedBy }) => [key, usedBy])).toEqual([
      ['filtered', 0],
      ['narrow', 0],
      ['plain', 1],
    ]);
  });

  it('created 20 times concurrently shares one meter', async () => {
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, index) => service(`P ${index}`, { eventType: 'parallel' })),
    );
    expect(made).toHaveLength(20);
    expect((await metersOf('parallel')).map(({ key, usedBy }) => [key, usedBy])).toEqual([['parallel', 20]]);
  });

  it('and an equal meter that an Admin creates concurrently result in one meter', async () => {
    for (let round = 0; round < 10; round++) {
      const eventType = `meet-${round}`;
      const [answer] = await Promise.all([
        console.call(meters.createMeter, input({ key: `own-${round}`, eventType }), { token }),
        service(eventType, { eventType }),
        service(`${eventType} b`, { eventType }),
      ]);
      expect(['201 undefined', '409 meters.same_definition']).toContain(
        `${answer.status} ${answer.envelope.code}`,
      );
      expect((await metersOf(eventType)).map(({ usedBy }) => usedBy)).toEqual([2]);
    }
  });

  it('and a concurrent change of its meter never result in a meter of another definition', async () => {
    for (let round = 0; round < 10; round++) {
      const eventType = `race-${round}`;
      const { id } = await create({ key: eventType });
      await Promise.all([
        service(eventType, { eventType }),
        console.call(meters.updateMeter, { meterId: id, unit: 'TB' }, { token }),
        service(`${eventType} b`, { eventType }),
      ]);
    }
    const { rows } = await sql<{
      n: number;
    }>`select count(*)::int as n from service s join meter m on m.id = s.meter_id
      where (s.event_type, s.aggregation, s.unit) is distinct from (m.event_type, m.aggregation, m.unit)`.execute(
      console.app.database.kysely,
    );
    expect(rows).toEqual([{ n: 0 }]);
  });

  it('from a file gets its meter, too', async () => {
    const csv = ['name,type,category,eventType,aggregation,unit,currency,model,unitPrice']
      .concat(['x', 'y', 'x'].map((type, index) => `I${index},T,C,import.${type},sum,GB,TWD,per_unit,1`))
      .join('\r\n');
    await console.ok(
      catalogue.importServices,
      {},
      { token, body: csv, headers: { 'content-type': 'text/csv' } },
    );
    expect([
      (await metersOf('import.x')).map(({ usedBy }) => usedBy),
      (await metersOf('import.y')).map(({ usedBy }) => usedBy),
    ]).toEqual([[2], [1]]);
  });

  it('is counted exactly after any sequence of changes', async () => {
    const { rows } =
      await sql`select m.key from meter m where m.services <> (select count(*) from service_meter u where u.meter_id = m.id)`.execute(
        console.app.database.kysely,
      );
    expect(rows).toEqual([]);
  });
});

it('gets the meter of its definition in an upgrade', async () => {
  const database = await createTestDatabase({ isEmpty: true });
  const own = ['meters/20261126-0200-meters.sql', 'catalogue/20261126-0201-service-meters.sql'];
  const run = (text: string) => database.pool.query(text);
  for (const { name, sql: text } of await readMigrations(migrationSources(featureOrder))) {
    if (name === own[0])
      await run(`insert into service (id, name, type, category, event_type, aggregation, aggregation_property, unit, created_at) values
        ('svc_1', 'A', 'T', 'C', 'vm', 'sum', null, 'hours', '2026-01-02'), ('svc_2', 'B', 'T', 'C', 'vm', 'sum', null, 'hours', '2026-01-01'),
        ('svc_3', 'C', 'T', 'C', 'vm', 'max', null, 'hours', '2026-01-03'), ('svc_4', 'D', 'T', 'C', 'vm', 'unique_count', 'host', 'hours', '2026-01-04')`);
    await run(text);
    if (name === own[1]) break;
  }
  const linked = `select s.id as service, m.key, m.name, m.services from service s join meter m on m.id = s.meter_id order by s.id`;
  const before = [
    { service: 'svc_1', key: 'vm', name: 'vm', services: 2 },
    { service: 'svc_2', key: 'vm', name: 'vm', services: 2 },
    { service: 'svc_3', key: 'vm-2', name: 'vm', services: 1 },
    { service: 'svc_4', key: 'vm-3', name: 'vm', services: 1 },
  ];
  expect((await run(linked)).rows).toEqual(before);
  // The previous release, which does not know meters, runs beside the new one.
  await run(`insert into service (id, name, type, category, event_type, aggregation, unit, created_at) values
    ('svc_5', 'E', 'T', 'C', 'vm', 'max', 'hours', now()), ('svc_6', 'F', 'T', 'C', 'disk', 'sum', 'GB', now())`);
  await run(`delete from service where id = 'svc_1'`);
  expect((await run(linked)).rows.map(({ service: id, key, services }) => [id, key, services])).toEqual([
    ['svc_2', 'vm', 1],
    ['svc_3', 'vm-2', 2],
    ['svc_4', 'vm-3', 1],
    ['svc_5', 'vm-2', 2],
    ['svc_6', 'disk', 1],
  ]);
});
