// Bad input of metering: every item gets its own reason, the good ones are stored, and no response is a 5xx.
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import { catalogue, type Aggregation } from '#features/selling/catalogue/contract.ts';
import type { DataSchema } from '#features/selling/meters/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import type { Ingested } from '#features/metering/usage/contract.ts';
import { createTestConsole, registerUser, setUp, type TestConsole } from '../support/console.ts';

let console: TestConsole;
let admin: string;
let key: string;
let organizationId: Id<'org'>;
let subject: string;
const now = new Date('2024-09-20T00:00:00Z');

async function subscribed(
  aggregation: Aggregation,
  property?: string,
  dataSchema?: DataSchema,
): Promise<string> {
  const service = await console.ok(
    catalogue.createService,
    {
      name: `By ${aggregation} ${property ?? ''}`,
      type: 'API',
      category: 'Own',
      pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '1' },
      meter: {
        eventType: 'call',
        aggregation,
        unit: 'calls',
        ...(property === undefined ? {} : { property }),
        ...(dataSchema && { dataSchema }),
      },
    },
    { token: admin },
  );
  return (
    await console.ok(
      subscriptions.adminSubscribe,
      { organizationId, serviceId: service.id, startedAt: new Date('2024-08-31T16:00:00Z') },
      { token: admin },
    )
  ).id;
}
beforeAll(async () => {
  console = await createTestConsole(now);
  admin = await setUp(console);
  organizationId = (await registerUser(console, 'owner@one.example', 'One')).organizationId as Id<'org'>;
  key = (await console.ok(identity.createApiKey, { name: 'gateway' }, { token: admin })).secret;
  subject = await subscribed('sum');
});

let count = 0;
/**
 * An event; its subscription is added when it is sent, because test tables are created before there is one.
 */
const event = (more: object = {}): Record<string, unknown> => ({
  specversion: '1.0',
  id: `e${++count}`,
  source: '/s',
  type: 'call',
  subject: 'SUBJECT',
  time: '2024-09-10T00:00:00Z',
  data: { value: '3' },
  ...more,
});
type Body = string | Uint8Array<ArrayBuffer>;
/** Posts a body unchanged. */
async function post(
  body: Body,
  mediaType: string | null = 'application/cloudevents-batch+json',
  more: Record<string, string> = {},
): Promise<{ status: number; envelope: { data: Ingested; code?: string; message: string } }> {
  const response = await fetch(`${console.address}/api/usage/events`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'accept-language': 'en',
      ...(mediaType === null ? {} : { 'content-type': mediaType }),
      ...more,
    },
    body: typeof body === 'string' ? body.replaceAll('"SUBJECT"', JSON.stringify(subject)) : body,
  });
  return { status: response.status, envelope: (await response.json()) as never };
}
const batch = async (events: readonly unknown[]): Promise<Ingested> => {
  const { status, envelope } = await post(JSON.stringify(events));
  expect(status, JSON.stringify(envelope).slice(0, 300)).toBe(202);
  return envelope.data;
};
/** Posts JSON text, for formats that JSON.stringify cannot write. */
const raw = async (...events: readonly string[]): Promise<Ingested> => {
  const { status, envelope } = await post(`[${events.join(',')}]`);
  expect(status, JSON.stringify(envelope).slice(0, 300)).toBe(202);
  return envelope.data;
};
/** Sends a bad item between two good ones; returns its error. */
async function errorFor(bad: unknown): Promise<string> {
  const { accepted, rejected } = await batch([event(), bad, event()]);
  expect([accepted, rejected.map((each) => each.index)]).toEqual([2, [1]]);
  return rejected[0]?.message ?? '';
}
const used = async (): Promise<number> =>
  Number(
    (
      await sql<{
        sum: string;
      }>`select coalesce(sum(sum), 0)::text as sum from usage_month where subscription_id = ${subject}`.execute(
        console.app.database.kysely,
      )
    ).rows[0]?.sum,
  );

describe('R-USE-03: CloudEvents 1.0.2, attribute by attribute', () => {
  it.each<[string, unknown, string]>([
    ['null', null, 'it isn’t a JSON object'],
    ['a text', 'event', 'it isn’t a JSON object'],
    ['a number', 5, 'it isn’t a JSON object'],
    ['true', true, 'it isn’t a JSON object'],
    ['a list', [[]], 'it isn’t a JSON object'],
    ['an empty object', {}, 'specversion is missing'],
    ['no specversion', event({ specversion: undefined }), 'specversion is missing'],
    ['specversion null', event({ specversion: null }), 'specversion is missing'],
    ['an empty specversion', event({ specversion: '' }), 'specversion is empty'],
    ['specversion as a number', event({ specversion: 1.0 }), 'specversion must be a text'],
    ['specversion 0.3', event({ specversion: '0.3' }), 'specversion must be "1.0"'],
    ['specversion 1.0.2', event({ specversion: '1.0.2' }), 'specversion must be "1.0"'],
    ['no id', event({ id: undefined }), 'id is missing'],
    ['an empty id', event({ id: '' }), 'id is empty'],
    ['a number as id', event({ id: 1 }), 'id must be a text'],
    ['an object as id', event({ id: {} }), 'id must be a text'],
    ['a long id', event({ id: 'x'.repeat(301) }), 'id is longer than 300 characters'],
    ['NUL in an id', event({ id: 'a\u0000' }), 'id has characters that aren’t allowed'],
    ['a line break in an id', event({ id: 'a\nb' }), 'id has characters that aren’t allowed'],
    ['half a surrogate pair in an id', event({ id: '\ud800' }), 'id has characters that aren’t allowed'],
    ['a noncharacter in an id', event({ id: '\ufffe' }), 'id has characters that aren’t allowed'],
    [
      'a control character of the upper set in an id',
      event({ id: '\u0085' }),
      'id has characters that aren’t allowed',
    ],
    ['no source', event({ source: undefined }), 'source is missing'],
    ['an empty source', event({ source: '' }), 'source is empty'],
    ['a list as source', event({ source: ['/s'] }), 'source must be a text'],
    [
      'a control character in a source',
      event({ source: '/s\u001f' }),
      'source has characters that aren’t allowed',
    ],
    ['no type', event({ type: undefined }), 'type is missing'],
    ['an empty type', event({ type: '' }), 'type is empty'],
    ['a number as type', event({ type: 4 }), 'type must be a text'],
    ['an empty subject', event({ subject: '' }), 'subject is empty'],
    ['a number as subject', event({ subject: 7 }), 'subject must be a text'],
    ['an object as subject', event({ subject: {} }), 'subject must be a text'],
    ['a list as subject', event({ subject: [1] }), 'subject must be a text'],
    [
      'an upper-case attribute',
      event({ Region: 'tpe' }),
      'attribute names can only have lower-case letters and digits (Region)',
    ],
    [
      'an attribute with a dash',
      event({ 'com-example': 'x' }),
      'attribute names can only have lower-case letters and digits (com-example)',
    ],
    [
      'an attribute with an underscore',
      event({ trace_id: 'x' }),
      'attribute names can only have lower-case letters and digits (trace_id)',
    ],
    [
      'an attribute without a name',
      event({ '': 'x' }),
      'attribute names can only have lower-case letters and digits ()',
    ],
    [
      'an attribute in Chinese',
      event({ 區域: 'x' }),
      'attribute names can only have lower-case letters and digits (區域)',
    ],
    [
      'an attribute that is an object',
      event({ ext: { a: 1 } }),
      'ext must be a text, a whole number or true or false',
    ],
    [
      'an attribute that is a list',
      event({ ext: [1] }),
      'ext must be a text, a whole number or true or false',
    ],
    [
      'an attribute with a fraction',
      event({ ext: 1.5 }),
      'ext must be a text, a whole number or true or false',
    ],
    [
      'an attribute beyond 32 bits',
      event({ ext: 2 ** 40 }),
      'ext must be a text, a whole number or true or false',
    ],
    ['a time without a zone', event({ time: '2024-09-10T00:00:00' }), 'time must be an RFC 3339 time'],
    ['a date without a time', event({ time: '2024-09-10' }), 'time must be an RFC 3339 time'],
    ['an empty time', event({ time: '' }), 'time must be an RFC 3339 time'],
    ['a day that does not exist', event({ time: '2024-02-30T00:00:00Z' }), 'time must be an RFC 3339 time'],
    ['an hour that does not exist', event({ time: '2024-09-10T24:00:00Z' }), 'time must be an RFC 3339 time'],
    [
      'a zone that does not exist',
      event({ time: '2024-09-10T00:00:00+25:00' }),
      'time must be an RFC 3339 time',
    ],
    ['seconds since 1970', event({ time: 1_725_926_400 }), 'time must be an RFC 3339 time'],
    [
      'another time format',
      event({ time: 'Tue, 10 Sep 2024 00:00:00 GMT' }),
      'time must be an RFC 3339 time',
    ],
    ['a time as an object', event({ time: {} }), 'time must be an RFC 3339 time'],
    ['an empty datacontenttype', event({ datacontenttype: '' }), 'datacontenttype is empty'],
    [
      'an invalid datacontenttype',
      event({ datacontenttype: 'json' }),
      'datacontenttype has the wrong format',
    ],
    ['a number as datacontenttype', event({ datacontenttype: 1 }), 'datacontenttype must be a text'],
    ['a relative dataschema', event({ dataschema: '/schemas/1' }), 'dataschema has the wrong format'],
    ['an empty dataschema', event({ dataschema: '' }), 'dataschema is empty'],
    ['data and data_base64', event({ data_base64: 'e30=' }), 'use either data or data_base64'],
  ])('%s is reported', async (_what, bad, reason) => {
    expect(await errorFor(bad)).toBe(`The event isn’t a valid CloudEvent 1.0: ${reason}.`);
  });

  it.each<[string, object]>([
    ['other JSON', { datacontenttype: 'application/vnd.example+json; charset=utf-8' }],
    [
      'attributes that are null',
      {
        subject: undefined,
        time: null,
        datacontenttype: null,
        dataschema: null,
        ext: null,
        data_base64: null,
      },
    ],
    ['an absolute dataschema', { dataschema: 'urn:example:1' }],
    [
      'extensions of every type',
      { traceparent: '00-x', sampled: true, rank: -2147483648, a1: 'x', partitionkey: '' },
    ],
    ['a source in Chinese with a space', { source: '/閘道/tpe 1' }],
    ['a small t and z', { time: '2024-09-10t00:00:00z' }],
    ['another zone', { time: '2024-09-10T08:00:00.123456789+08:00' }],
  ])('%s is a valid CloudEvent', async (_what, more) => {
    expect(await batch([{ ...event(), ...more, subject }])).toMatchObject({ accepted: 1, rejected: [] });
  });

  it.each<[string, object]>([
    ['binary data', { data: undefined, data_base64: 'eyJ2YWx1ZSI6IjMifQ==' }],
    ['XML', { datacontenttype: 'application/xml', data: '<value>3</value>' }],
    ['text', { datacontenttype: 'text/plain', data: '3' }],
    ['JSON that says it is not', { datacontenttype: 'application/octet-stream' }],
  ])('%s is rejected as data', async (_what, more) => {
    expect(await errorFor(event(more))).toBe(
      'data must be JSON. data_base64 and other datacontenttypes aren’t accepted.',
    );
  });
});

describe('the subject of an event', () => {
  it.each<[string, object, string]>([
    ['an unknown subscription', { subject: 'sub_none' }, 'usage.subscription_unknown'],
    ['no subscription', { subject: undefined }, 'usage.subscription_unknown'],
    ['another type', { type: 'other' }, 'usage.event_type_unknown'],
    [
      'a time before the subscription began',
      { time: '2024-08-01T00:00:00Z' },
      'usage.subscription_not_running',
    ],
    ['a clock that is six minutes fast', { time: '2024-09-20T00:06:00Z' }, 'usage.time_in_future'],
    ['a clock that is a millisecond too fast', { time: '2024-09-20T00:05:00.001Z' }, 'usage.time_in_future'],
  ])('%s', async (_what, more, code) => {
    const { accepted, rejected } = await batch([event(), event(more), event()]);
    expect([accepted, rejected.map((each) => each.code)]).toEqual([2, [code]]);
  });
  it('a clock that is five minutes fast is accepted', async () => {
    expect(await batch([event({ time: '2024-09-20T00:05:00.000Z' })])).toMatchObject({ accepted: 1 });
  });
});

describe('values', () => {
  it.each([
    ['1e400', 'usage.value_no_decimal'],
    ['-1e400', 'usage.value_no_decimal'],
    ['1e-13', 'usage.value_no_decimal'],
    ['0.1234567890123', 'usage.value_no_decimal'],
    ['"NaN"', 'usage.value_no_decimal'],
    ['"Infinity"', 'usage.value_no_decimal'],
    ['"1e3"', 'usage.value_no_decimal'],
    ['"0x10"', 'usage.value_no_decimal'],
    ['"１２"', 'usage.value_no_decimal'],
    ['""', 'usage.value_no_decimal'],
    ['null', 'usage.value_no_decimal'],
    ['true', 'usage.value_no_decimal'],
    ['[3]', 'usage.value_no_decimal'],
    ['{"value":3}', 'usage.value_no_decimal'],
    [`"${'9'.repeat(25)}"`, 'usage.value_no_decimal'],
    [`"${'9'.repeat(100_000)}"`, 'usage.value_no_decimal'],
    ['9'.repeat(400), 'usage.value_no_decimal'],
    ['9007199254740993', 'usage.value_inexact'],
    ['123456789.123456789', 'usage.value_inexact'],
    ['9'.repeat(30), 'usage.value_inexact'],
    ['"1000000000000000"', 'usage.value_too_large'],
    ['1000000000000000', 'usage.value_too_large'],
    ['"-1000000000000000.5"', 'usage.value_too_large'],
    [`"${'9'.repeat(24)}"`, 'usage.value_too_large'],
  ])('%s is rejected', async (value, code) => {
    const { accepted, rejected } = await raw(
      JSON.stringify(event()),
      JSON.stringify(event({ data: 'HERE' })).replace('"HERE"', `{"value":${value}}`),
    );
    expect([accepted, rejected.map((each) => each.code)]).toEqual([1, [code]]);
  });
  it.each([['NaN'], ['Infinity'], ['undefined'], ['.5'], ['0x10'], ["'3'"]])(
    'a body with %s is not JSON',
    async (value) => {
      expect(await post(`[{"data":{"value":${value}}}]`)).toMatchObject({
        status: 400,
        envelope: { code: 'usage.malformed' },
      });
    },
  );
  it.each([
    '1E2',
    '-0',
    '0.000000000001',
    '9007199254740991',
    '"999999999999999999999999.999999999999"',
    '"-3"',
    '-1.5',
  ])('%s is counted exactly', async (value) => {
    // The meter itself limits the size of a value.
    const pattern = String.raw`^-?\d{1,24}(\.\d{1,12})?$`;
    const exact = await subscribed('sum', undefined, { properties: { value: { pattern } } });
    expect(
      await raw(
        JSON.stringify(event({ subject: exact, data: 'HERE' })).replace('"HERE"', `{"value":${value}}`),
      ),
    ).toMatchObject({ accepted: 1 });
    const { rows } = await sql<{
      isExact: boolean;
    }>`select sum = ${value.replaceAll('"', '')}::numeric as "isExact" from usage_month where subscription_id = ${exact}`.execute(
      console.app.database.kysely,
    );
    expect(rows[0]?.isExact).toBe(true);
  });
  it('15 digits before the decimal point are accepted, and a larger value is rejected with advice in both languages', async () => {
    const value = (text: string) => raw(JSON.stringify(event({ data: { value: text } })));
    expect(await value('999999999999999.999999999999')).toMatchObject({ accepted: 1 });
    expect(await value('000000000000000000001')).toMatchObject({ accepted: 1 });
    const { rejected } = await value('1000000000000000');
    expect(rejected[0]?.message).toMatch(/at most 15 digits .*larger unit/);
  });
  it('a level must not be negative; values that are summed may be', async () => {
    for (const aggregation of ['max', 'latest', 'time_weighted_average'] as const) {
      const level = await subscribed(aggregation);
      const { accepted, rejected } = await batch([
        event({ subject: level }),
        event({ subject: level, data: { value: '-0.5' } }),
        event({ subject: level, data: { value: '-0' } }),
      ]);
      expect([aggregation, accepted, rejected.map((each) => [each.index, each.code])]).toEqual([
        aggregation,
        2,
        [[1, 'usage.value_negative']],
      ]);
    }
    for (const aggregation of ['count', 'sum'] as const)
      expect(
        await batch([event({ subject: await subscribed(aggregation), data: { value: '-2' } })]),
      ).toMatchObject({ accepted: 1 });
  });
});

describe('unusual JSON', () => {
  const open = (text: string): string => JSON.stringify(event({ data: 'HERE' })).replace('"HERE"', text);
  it.each<[string, () => string, string]>([
    [
      'data nested 10,000 deep',
      () => open('{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000)),
      'usage.event_malformed',
    ],
    [
      'lists nested 100,000 deep',
      () => open(`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
      'usage.event_malformed',
    ],
    [
      'an attribute nested 50,000 deep',
      () => JSON.stringify(event({ ext: 'HERE' })).replace('"HERE"', '['.repeat(50_000) + ']'.repeat(50_000)),
      'usage.event_malformed',
    ],
    [
      '__proto__ as an attribute',
      () => JSON.stringify(event()).replace('{', '{"__proto__":{"id":"x"},'),
      'usage.event_malformed',
    ],
    ['NUL in the data', () => open('{"value":"3","a":"\\u0000"}'), 'usage.event_malformed'],
    ['NUL in a name', () => open('{"value":"3","\\u0000":"a"}'), 'usage.event_malformed'],
    [
      'half a surrogate pair in the data',
      () => open('{"value":"3","a":["\\udc00"]}'),
      'usage.event_malformed',
    ],
  ])('%s: only that item is rejected', async (_what, bad, code) => {
    const { accepted, rejected } = await raw(JSON.stringify(event()), bad(), JSON.stringify(event()));
    expect([accepted, rejected.map((each) => [each.index, each.code])]).toEqual([2, [[1, code]]]);
  });
  it('JavaScript property names such as __proto__ are accepted as names', async () => {
    const before = await used();
    expect(
      await raw(
        open('{"value":"3","__proto__":{"value":"9"},"constructor":"x","toString":1,"hasOwnProperty":true}'),
      ),
    ).toMatchObject({ accepted: 1 });
    expect((await used()) - before).toBe(3);
    expect(({} as Record<string, unknown>)['value']).toBeUndefined();
    for (const property of ['constructor', '__proto__', 'toString']) {
      const unique = await subscribed('unique_count', property);
      expect(
        await raw(
          ...[
            `{"value":"1"}`,
            `{"value":"1","x":2}`,
            `{"value":"1","${property}":"a"}`,
            `{"value":"1","${property}":{"b":1}}`,
          ].map((data) => JSON.stringify(event({ subject: unique, data: 'HERE' })).replace('"HERE"', data)),
        ),
      ).toMatchObject({ accepted: 4, rejected: [] });
    }
  });
  it('of two equal names the last one counts, as in every JSON parser', async () => {
    const before = await used();
    expect(await raw(open('{"value":"9","value":"4"}'))).toMatchObject({ accepted: 1 });
    expect((await used()) - before).toBe(4);
  });
  it('long texts and many properties are accepted', async () => {
    const unique = await subscribed('unique_count', 'user');
    const noise = randomBytes(20_000).toString('base64');
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`p${index}`, index]));
    const { accepted, rejected } = await batch([
      event({ subject: unique, data: { user: noise } }),
      event({ subject: unique, data: { user: { deep: noise } } }),
      event({ subject: unique, data: { user: '使'.repeat(500), noise } }),
      event({ data: { value: '1', noise, ...many } }),
      event({ data: { value: '1', [noise]: 'x' } }),
      event({ source: '源'.repeat(300), id: '號'.repeat(300) }),
    ]);
    // A counted value is indexed, which limits its length; others may be as long as a request.
    expect([accepted, rejected.map((each) => [each.index, each.code])]).toEqual([
      4,
      [
        [0, 'usage.property_too_long'],
        [1, 'usage.property_too_long'],
      ],
    ]);
  });
});

describe('requests', () => {
  it.each<[string, string | null]>([
    ['text', 'text/plain'],
    ['a form', 'application/x-www-form-urlencoded'],
    ['XML', 'application/xml'],
    ['a file', 'multipart/form-data; boundary=x'],
    ['nothing', ''],
    ['avro', 'application/cloudevents+avro'],
  ])('%s is not a CloudEvent: 415', async (_what, mediaType) => {
    expect(await post(new TextEncoder().encode(JSON.stringify([event()])), mediaType)).toMatchObject({
      status: 415,
      envelope: { code: 'platform.media_type' },
    });
  });
  it.each<[string, Body]>([
    ['nothing', ''],
    ['half a body', '[{"specversion":"1.0"'],
    ['no JSON', 'event'],
    ['two', '{}{}'],
    [
      'another encoding',
      Uint8Array.from([
        ...new TextEncoder().encode('[{"id":"'),
        0xff,
        0xfe,
        ...new TextEncoder().encode('"}]'),
      ]),
    ],
    ['UTF-16', new Uint8Array(Buffer.from(JSON.stringify([{ id: 'a' }]), 'utf16le'))],
  ])('a body of %s is malformed: 400', async (_what, body) => {
    expect(await post(body)).toMatchObject({ status: 400, envelope: { code: 'usage.malformed' } });
  });
  it('more than 4 MB are too large: 413', async () => {
    expect(
      await post(JSON.stringify([event({ data: { value: '1', note: 'x'.repeat(4 * 1024 * 1024) } })])),
    ).toMatchObject({ status: 413, envelope: { code: 'platform.too_large' } });
  });
  it('10,000 items are accepted, 10,001 are rejected as a whole, and an empty batch is accepted', async () => {
    const before = await used();
    const small = (index: number) => ({
      specversion: '1.0',
      id: `many-${index}`,
      source: '/m',
      type: 'call',
      subject,
      time: '2024-09-10T00:00:00Z',
    });
    const many = Array.from({ length: 10_001 }, (_, index) => small(index));
    expect(await post(JSON.stringify(many))).toMatchObject({
      status: 413,
      envelope: { code: 'usage.batch_too_large', message: expect.stringContaining('10000') as string },
    });
    expect(await used()).toBe(before);
    expect(await batch(many.slice(0, 10_000))).toEqual({ accepted: 10_000, duplicates: 0, rejected: [] });
    expect(await batch([])).toEqual({ accepted: 0, duplicates: 0, rejected: [] });
    expect((await used()) - before).toBe(10_000);
  });
  it('10,000 bad items get 10,000 reasons', async () => {
    const { rejected } = await batch(Array.from({ length: 10_000 }, () => 1));
    expect([rejected.length, rejected.at(-1)?.index]).toEqual([10_000, 9999]);
  });
  it('binary mode gets the same reasons', async () => {
    const headers = (more: Record<string, string>) => ({
      'ce-specversion': '1.0',
      'ce-id': `b${++count}`,
      'ce-source': '/s',
      'ce-type': 'call',
      'ce-subject': subject,
      'ce-time': '2024-09-10T00:00:00Z',
      ...more,
    });
    for (const [more, reason] of [
      [{ 'ce-id': '' }, 'id is empty'],
      [{ 'ce-trace_id': 'x' }, 'attribute names can only have lower-case letters and digits (trace_id)'],
      [{ 'ce-time': 'now' }, 'time must be an RFC 3339 time'],
      [{ 'ce-data_base64': 'e30=' }, 'use either data or data_base64'],
    ] as const) {
      const { status, envelope } = await post('{"value":"1"}', 'application/json', headers(more));
      expect([status, envelope.data.rejected.map((each) => each.message)]).toEqual([
        202,
        [`The event isn’t a valid CloudEvent 1.0: ${reason}.`],
      ]);
    }
  });
});

describe('I6: any input', () => {
  const anything = fc.anything({
    withNullPrototype: false,
    withBigInt: false,
    withDate: false,
    withMap: false,
    withSet: false,
    withObjectString: true,
    key: fc.string({ unit: 'binary' }),
  });
  const near = fc.record(
    {
      specversion: fc.oneof({ weight: 6, arbitrary: fc.constant('1.0') }, anything),
      id: fc.oneof({ weight: 6, arbitrary: fc.uuid() }, fc.string({ unit: 'binary' }), anything),
      source: fc.oneof({ weight: 6, arbitrary: fc.constant('/p') }, anything),
      type: fc.oneof({ weight: 6, arbitrary: fc.constant('call') }, anything),
      subject: fc.oneof({ weight: 6, arbitrary: fc.constant('HERE') }, anything),
      time: fc.oneof({ weight: 4, arbitrary: fc.constant('2024-09-11T00:00:00Z') }, fc.string(), anything),
      data: fc.oneof(
        fc.record(
          { value: fc.oneof(fc.double(), fc.string(), fc.constant('1'), anything), region: anything },
          { requiredKeys: [] },
        ),
        anything,
      ),
      datacontenttype: fc.oneof(fc.constant('application/json'), anything),
      ext: anything,
    },
    { requiredKeys: ['specversion', 'id', 'source', 'type', 'subject'] },
  );

  it('keeps the good items, gives each other item a reason, and never causes an internal error', async () => {
    let wrongStatuses = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(anything, near), { minLength: 1, maxLength: 40 }),
        fc.infiniteStream(fc.boolean()),
        async (bad, coins) => {
          const good: string[] = [];
          const mixed = bad.flatMap((each) => {
            // As JSON.stringify writes it; what it cannot write is not sent.
            const sent = (JSON.stringify(each) ?? 'null').replaceAll('"HERE"', JSON.stringify(subject));
            if (!coins.next().value) return [sent];
            const item = event({ source: '/good', data: { value: '1' } });
            good.push(String(item['id']));
            return [JSON.stringify(item), sent];
          });
          const { status, envelope } = await post(`[${mixed.join(',')}]`);
          if (status !== 202) wrongStatuses++;
          expect(status, `${envelope.code} for ${mixed.join(',').slice(0, 2000)}`).toBe(202);
          const { accepted, duplicates, rejected } = envelope.data;
          expect(accepted + duplicates + rejected.length).toBe(mixed.length);
          expect(accepted).toBeGreaterThanOrEqual(good.length);
          for (const each of rejected)
            expect([each.code, each.message]).toEqual([
              expect.stringMatching(/^usage\./),
              expect.not.stringMatching(/\{\{|^usage\./),
            ]);
          const { rows } = await sql<{
            id: string;
          }>`select event_id as id from usage_event where event_id = any(${good}::text[])`.execute(
            console.app.database.kysely,
          );
          expect(rows.map((row) => row.id).toSorted()).toEqual(good.toSorted());
        },
      ),
      { numRuns: 60, endOnFailure: true },
    );
    expect(wrongStatuses).toBe(0);
  });
});
