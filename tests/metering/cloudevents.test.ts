// CloudEvents 1.0 over HTTP in its three content modes: the same event has the same effect in each.
import { beforeAll, expect, it, vi } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
import { createTestConsole, registerUser, setUp, type Answer, type TestConsole } from '../support/console.ts';

let console: TestConsole;
let key: string;
let subscriptionId: Id<'sub'>;

beforeAll(async () => {
  console = await createTestConsole(new Date('2024-09-20T00:00:00Z'));
  const admin = await setUp(console);
  const { organizationId } = await registerUser(console, 'owner@one.example', 'One');
  key = (await console.ok(identity.createApiKey, { name: 'gateway' }, { token: admin })).secret;
  const service = await console.ok(
    catalogue.createService,
    {
      name: 'Calls',
      type: 'API',
      category: 'Own',
      pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '1' },
      meter: { eventType: 'com.example.call', aggregation: 'sum', unit: 'calls' },
    },
    { token: admin },
  );
  subscriptionId = (
    await console.ok(
      subscriptions.adminSubscribe,
      {
        organizationId: organizationId as Id<'org'>,
        serviceId: service.id,
        startedAt: new Date('2024-08-31T16:00:00Z'),
      },
      { token: admin },
    )
  ).id;
});

const attributes = (id: string) => ({
  specversion: '1.0',
  id,
  source: '/閘道/tpe 1',
  type: 'com.example.call',
  subject: subscriptionId as string,
  time: '2024-09-10T00:00:00Z',
});
const binary = (
  id: string,
  body = JSON.stringify({ value: '3', region: 'tpe' }),
  more: Record<string, string> = {},
): Promise<Answer<typeof usage.ingest>> =>
  console.call(
    usage.ingest,
    {},
    {
      token: key,
      body,
      headers: {
        'content-type': 'application/json',
        ...Object.fromEntries(
          Object.entries(attributes(id)).map(([name, value]) => [`ce-${name}`, encodeURIComponent(value)]),
        ),
        ...more,
      },
    },
  );
const structured = (id: string, mediaType = 'application/cloudevents+json') =>
  console.call(
    usage.ingest,
    {},
    {
      token: key,
      body: JSON.stringify({ ...attributes(id), data: { value: '3', region: 'tpe' } }),
      headers: { 'content-type': mediaType },
    },
  );

it('R-USE-03: binary mode has attributes in headers, percent-encoded, and the body as data; structured and batched mode create the same event', async () => {
  expect(await binary('a')).toMatchObject({
    status: 202,
    data: { accepted: 1, duplicates: 0, rejected: [] },
  });
  expect((await structured('a')).data).toMatchObject({ accepted: 0, duplicates: 1, rejected: [] });
  const batched = await console.call(
    usage.ingest,
    {},
    {
      token: key,
      body: JSON.stringify([
        { ...attributes('a'), data: { value: '3', region: 'tpe' } },
        { ...attributes('b'), data: { value: '4' } },
      ]),
      headers: { 'content-type': 'application/cloudevents-batch+json' },
    },
  );
  expect(batched.data).toMatchObject({ accepted: 1, duplicates: 1, rejected: [] });
  expect((await binary('b', JSON.stringify({ value: '4' }))).data).toMatchObject({ duplicates: 1 });
});

it('R-USE-03: an event without data counts as one', async () => {
  expect((await binary('none', '{}')).data).toMatchObject({ accepted: 1 });
});

it.each([
  ['a header that cannot be decoded', { 'ce-source': '%E0%A4%A' }, 'usage.event_malformed'],
  ['no id', { 'ce-id': '' }, 'usage.event_malformed'],
  ['another version', { 'ce-specversion': '0.3' }, 'usage.event_malformed'],
  ['a day that does not exist', { 'ce-time': '2024-02-30T00%3A00%3A00Z' }, 'usage.event_malformed'],
  ['nobody’s subscription', { 'ce-subject': 'sub_nobody' }, 'usage.subscription_unknown'],
])('R-USE-03: binary mode with %s is rejected with a reason', async (_what, headers, code) => {
  const { status, data } = await binary('wrong', undefined, headers);
  expect([status, data.accepted, data.rejected.map((each) => each.code)]).toEqual([202, 0, [code]]);
});

it('R-USE-03: a body that is not JSON is rejected as a whole', async () => {
  expect(await binary('broken', '{"value":')).toMatchObject({
    status: 400,
    envelope: { code: 'usage.malformed' },
  });
});

it('R-USE-03: concurrent single events are recorded in groups, and no group fails', async () => {
  const warned = vi.spyOn(console.app.log, 'warn');
  const callers = Array.from({ length: 16 }, async (_, caller) => {
    for (let round = 0; round < 25; round++)
      expect((await structured(`many ${caller} ${round}`)).data).toMatchObject({ accepted: 1 });
  });
  await Promise.all(callers);
  expect(warned.mock.calls).toEqual([]);
  warned.mockRestore();
});
