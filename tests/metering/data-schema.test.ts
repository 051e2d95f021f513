// A meter's JSON Schema: stored with its service, changed later, and applied to every later event.
import { beforeAll, expect, it } from 'vitest';
import { meters } from '#features/selling/meters/contract.ts';
import { catalogue, type Service } from '#features/selling/catalogue/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
import { createTestConsole, type TestConsole } from '../support/console.ts';
import { meteredConsole } from '../support/metered-console.ts';

let console: TestConsole;
let admin: string;
let key: string;
let service: Service;
let subject: string;
const dataSchema = {
  type: 'object',
  required: ['value', 'region'],
  properties: {
    value: { type: 'string' },
    region: { enum: ['tpe', 'khh'] },
    host: { pattern: '^[a-z]+(-[a-z0-9]+)*$' },
  },
  additionalProperties: false,
};

beforeAll(async () => {
  console = await createTestConsole(new Date('2024-09-20T00:00:00Z'));
  ({
    admin,
    key,
    service,
    subscriptionId: subject,
  } = await meteredConsole(console, { dataSchema, startedAt: new Date('2024-08-31T16:00:00Z') }));
});

let count = 0;
const event = (data?: unknown) => ({
  specversion: '1.0',
  id: `e${++count}`,
  source: '/s',
  type: 'call',
  subject,
  time: '2024-09-10T00:00:00Z',
  ...(data === undefined ? {} : { data }),
});
const send = (events: readonly object[], language: 'zhTW' | 'enUS' = 'enUS') =>
  console.ok(
    usage.ingest,
    {},
    {
      token: key,
      language,
      body: JSON.stringify(events),
      headers: { 'content-type': 'application/cloudevents-batch+json' },
    },
  );

it('R-USE-03: rejects events that do not match, with position and reason, and keeps the others', async () => {
  const batch = () => [
    event({ value: '1', region: 'tpe' }),
    event({ value: '1', region: 'sfo' }),
    event({ value: 1, region: 'tpe' }),
    event({ value: '1' }),
    event(),
    event({ value: '1', region: 'tpe', extra: 1 }),
    event({ value: '1', region: 'khh', host: 'Web' }),
    event({ value: '2', region: 'khh', host: 'web-1' }),
  ];
  const { accepted, rejected } = await send(batch());
  expect([
    accepted,
    rejected.map(({ index, code, message }) => [index, code, message.split(': ')[1]]),
  ]).toEqual([
    2,
    [
      [1, 'usage.data_schema', 'data.region must be one of ["tpe","khh"].'],
      [2, 'usage.data_schema', 'data.value must be string.'],
      [3, 'usage.data_schema', 'data is missing region.'],
      [4, 'usage.data_schema', 'data must be object.'],
      [5, 'usage.data_schema', 'data must not have extra.'],
      [6, 'usage.data_schema', 'data.host must match ^[a-z]+(-[a-z0-9]+)*$.'],
    ],
  ]);
  expect((await send(batch(), 'zhTW')).rejected.map((each) => each.message)).toEqual(
    expect.arrayContaining([
      '資料不符合這項服務的資料結構：data.region 須為 ["tpe","khh"] 其中之一。',
      '資料不符合這項服務的資料結構：data 缺少 region。',
    ]),
  );
});

it('is returned as its author wrote it, can be changed and removed, and does not affect accepted events', async () => {
  const shown = await console.ok(catalogue.adminGetService, { serviceId: service.id }, { token: admin });
  expect(JSON.stringify(shown.meter.dataSchema)).toBe(JSON.stringify(dataSchema));
  const changed = await console.ok(
    catalogue.updateService,
    { serviceId: service.id, dataSchema: { required: ['zone'] } },
    { token: admin },
  );
  expect(changed.meter).toEqual({
    eventType: 'call',
    aggregation: 'sum',
    unit: 'calls',
    dataSchema: { required: ['zone'] },
  });
  expect((await send([event({ value: '1', region: 'tpe' }), event({ zone: 'a' })])).rejected).toMatchObject([
    { index: 0, code: 'usage.data_schema' },
  ]);
  await console.ok(catalogue.updateService, { serviceId: service.id, name: 'Still' }, { token: admin });
  expect((await send([event({})])).rejected).toHaveLength(1);
  const without = await console.ok(
    catalogue.updateService,
    { serviceId: service.id, dataSchema: null },
    { token: admin },
  );
  expect(without.meter).not.toHaveProperty('dataSchema');
  expect(await send([event({}), event()])).toMatchObject({ accepted: 2, rejected: [] });
});

it('R-USE-03: a repeat of an accepted event is a repeat, whatever the schema requires since', async () => {
  const taken = event({ value: '5' });
  expect(await send([taken])).toMatchObject({ accepted: 1 });
  await console.ok(
    catalogue.updateService,
    { serviceId: service.id, dataSchema: { required: ['zone'] } },
    { token: admin },
  );
  expect(await send([taken, { ...taken, data: { value: '6' } }, event({ value: '5' })])).toMatchObject({
    accepted: 0,
    duplicates: 1,
    rejected: [
      { index: 1, code: 'usage.conflict' },
      { index: 2, code: 'usage.data_schema' },
    ],
  });
  await console.ok(catalogue.updateService, { serviceId: service.id, dataSchema: null }, { token: admin });
});

it.each([
  ['an invalid schema', { type: 'strnig' }],
  ['an external reference', { $ref: 'https://evil.example/x.json' }],
  ['a trap', { properties: { a: { uniqueItems: true } } }],
  ['a schema that is too long', { description: 'x'.repeat(17_000) }],
])('%s is rejected with its field and reason', async (_what, wrong) => {
  const { status, envelope } = await console.call(
    catalogue.updateService,
    { serviceId: service.id, dataSchema: wrong },
    { token: admin },
  );
  expect([status, envelope.code, envelope.errors?.map((each) => each.field)]).toEqual([
    422,
    'catalogue.schema_wrong',
    ['dataSchema'],
  ]);
  expect((await console.ok(meters.checkDataSchema, { dataSchema: wrong }, { token: admin })).reason).toMatch(
    /.{5,}/,
  );
  const made = await console.call(
    catalogue.createService,
    {
      name: 'New',
      type: 'API',
      category: 'Own',
      pricing: { model: 'flat', currency: 'TWD', baseFee: '1' },
      meter: { eventType: 'call', aggregation: 'sum', unit: 'calls', dataSchema: wrong },
    },
    { token: admin },
  );
  expect(made.envelope.errors?.map((each) => each.field)).toEqual(['meter.dataSchema']);
});

it('a valid one has no errors', async () => {
  expect(await console.ok(meters.checkDataSchema, { dataSchema }, { token: admin })).toEqual({
    reason: null,
  });
});
