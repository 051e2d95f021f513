// Monthly insights: the error of forecasts, unusual days, and every charge as a file that adds up.
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import { decimal, decimalText, sumDecimals } from '#kernel/decimal.ts';
import { moneyDecimal } from '#kernel/money.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { dayMs } from '#kernel/durations.ts';
import { catalogue, type Pricing } from '#features/selling/catalogue/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { insights, type Verdict } from '#features/metering/insights/contract.ts';
import { focusColumns } from '#features/metering/insights/rules.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
import { consoleContract } from '#app/console/contract.ts';
import {
  adminAccount,
  createTestConsole,
  registerUser,
  setUp,
  signIn,
  userPassword,
  type TestConsole,
} from '../support/console.ts';

let console: TestConsole;
let token: string;
let reader: string;
let organizationId: Id<'org'>;
let calls: Id<'sub'>;
const day = (text: string): LocalDay => text as LocalDay;
const august = '2024-08' as BillingMonth;

/**
 * Ten requests every day at NT$2 since 1 June 2024, forty on the last ten days of August, and a hundred on
 * Tuesday, 10 September; the clock is at one in the afternoon of 15 September in Taipei.
 */
beforeAll(async () => {
  console = await createTestConsole(new Date('2024-09-15T05:00:00Z'));
  const admin = await setUp(console);
  const person = await registerUser(console, 'owner@one.example', 'One');
  organizationId = person.organizationId as Id<'org'>;
  token = person.token;
  await console.ok(
    identity.createUser,
    {
      account: 'reader@one.example',
      name: 'Reader',
      role: 'ReadOnly',
      organizationId,
      password: userPassword,
    },
    { token: admin },
  );
  reader = await signIn(console, 'reader@one.example');
  const { secret } = await console.ok(identity.createApiKey, { name: 'gateway' }, { token: admin });
  const make = async (name: string, pricing: Pricing, meter: object): Promise<Id<'sub'>> => {
    const { id } = await console.ok(
      catalogue.createService,
      {
        name,
        type: 'API',
        category: 'compute',
        pricing,
        tags: ['one', '=two'],
        meter: { eventType: 'use', aggregation: 'sum', unit: 'requests', ...meter },
      },
      { token: admin },
    );
    return (
      await console.ok(
        subscriptions.adminSubscribe,
        { organizationId, serviceId: id, startedAt: new Date('2024-05-31T16:00:00Z') },
        { token: admin },
      )
    ).id;
  };
  calls = await make(
    '=Calls',
    { model: 'per_unit', currency: 'TWD', unitPrice: '2', baseFee: '100', minimum: '900' },
    {},
  );
  const people = await make(
    'People',
    { model: 'per_unit', currency: 'TWD', unitPrice: '7' },
    { aggregation: 'unique_count', property: 'user', unit: 'people' },
  );
  const first = Date.parse('2024-06-01T04:00:00Z');
  const event = (id: string, subject: string, at: number, value: number, data: object = {}) => ({
    specversion: '1.0',
    id,
    source: 'test',
    type: 'use',
    subject,
    time: new Date(at).toISOString(),
    data: { ...data, value },
  });
  const daily = Array.from({ length: 106 }, (_, index) =>
    event(
      `c${index}`,
      calls,
      first + index * dayMs,
      index >= 82 && index < 92 ? 40 : index === 101 ? 100 : 10,
    ),
  );
  const visits = ['a', 'b', 'a', 'c'].map((user, index) =>
    event(`p${index}`, people, Date.parse('2024-08-05T04:00:00Z') + index * dayMs, 1, { user }),
  );
  await console.ok(
    usage.ingest,
    {},
    {
      token: secret,
      body: JSON.stringify([...daily, ...visits]),
      headers: { 'content-type': 'application/cloudevents-batch+json' },
    },
  );
});

describe('the forecast', () => {
  it('R-USE-01: shows the hand-computed error of the same projection on the same day of earlier months', async () => {
    const forecast = await console.ok(insights.forecast, {}, { token });
    // Fees and minimum were known. On 15 August the rate was 20 per day for 16 more days, and ten of them had
    // 80: 600 too little. On a Monday, a Tuesday and a Thursday a user was new at 7, of two each: 3.5 too
    // much for the rest of that Thursday and six more days.
    const { totalCost } = await console.ok(usage.statistics, { month: august }, { token });
    const [of15August] = forecast.past;
    expect(of15August).toMatchObject({ month: '2024-08', day: '2024-08-15', came: totalCost.amount });
    expect(
      decimal(of15August?.said ?? '0')
        .minus(decimal(totalCost.amount))
        .toFixed(),
    ).toBe('-575.5');
    expect(forecast.past.map((each) => [each.month, each.errorPercent])).toEqual([
      ['2024-08', of15August?.errorPercent],
      ['2024-07', 0],
      ['2024-06', 0],
    ]);
    expect(forecast.meanErrorPercent).toBe(
      Math.round((Math.abs(of15August?.errorPercent ?? 0) / 3) * 10) / 10,
    );
  });

  it('expects of each remaining day the usage of its weekday, with a range', async () => {
    const { days, month, currency } = await console.ok(insights.forecast, {}, { token });
    expect([month, currency, days.length, days[0]?.day, days.at(-1)?.day]).toEqual([
      '2024-09',
      'TWD',
      15,
      '2024-09-16',
      '2024-09-30',
    ]);
    // Of two Tuesdays one had 100 requests: 110 on average, at NT$2.
    expect(days.find((each) => each.day === '2024-09-17')).toMatchObject({ expected: '110' });
    expect(days[0]).toMatchObject({ expected: '20' });
    // The dashboard shows the same figure from the same source.
    expect((await console.ok(consoleContract.billingDashboard, {}, { token })).expected).toMatchObject({
      currency,
      days,
      restOfToday: { day: '2024-09-15' },
    });
    for (const { low, expected, high } of days)
      expect(decimal(low).lte(decimal(expected)) && decimal(high).gt(decimal(expected))).toBe(true);
  });

  it('expects nothing on the first day of a month', async () => {
    console.clock.set(new Date('2024-08-31T20:00:00Z'));
    const { days, month } = await console.ok(
      insights.forecast,
      {},
      { token: await signIn(console, 'owner@one.example') },
    );
    console.clock.set(new Date('2024-09-15T05:00:00Z'));
    token = await signIn(console, 'owner@one.example');
    expect([month, days]).toEqual(['2024-09', []]);
  });
});

describe('unusual days', () => {
  const unusual = async (from = '2024-09-01', to = '2024-09-15') =>
    (await console.ok(insights.unusualDays, { from: day(from), to: day(to) }, { token })).days;
  const judge = (on: string, verdict: Verdict, who = token) =>
    console.call(insights.judgeDay, { subscriptionId: calls, day: day(on), verdict }, { token: who });
  const takeBack = (on: string, who = token) =>
    console.call(insights.takeBackVerdict, { subscriptionId: calls, day: day(on) }, { token: who });

  it('are far from the same weekday of the eight weeks before, and shown with the expected value', async () => {
    // Tuesdays had 10, 10, 10, 10, 10, 10, 40, 10: the median is 10, its spread a twentieth of that; 3.5
    // times that is 1.75.
    expect(await unusual('2024-09-10', '2024-09-10')).toMatchObject([
      {
        subscriptionId: calls,
        serviceName: '=Calls',
        quantity: '100',
        expected: '10',
        low: '8.25',
        high: '11.75',
        verdict: null,
      },
    ]);
    expect((await unusual('2024-08-01', '2024-09-15')).map((each) => each.day)).toEqual([
      '2024-09-10',
      ...Array.from({ length: 10 }, (_, index) => `2024-08-${31 - index}`),
    ]);
  });

  it('can be explained by a User, with their name, and the explanation withdrawn', async () => {
    expect((await judge('2024-09-10', 'expected')).status).toBe(200);
    expect((await unusual('2024-09-10', '2024-09-10'))[0]?.verdict).toEqual({
      verdict: 'expected',
      by: 'owner',
      at: new Date('2024-09-15T05:00:00Z'),
    });
    expect((await judge('2024-09-10', 'unexpected')).status).toBe(200);
    expect((await unusual('2024-09-10', '2024-09-10'))[0]?.verdict).toMatchObject({ verdict: 'unexpected' });
    expect([(await takeBack('2024-09-10')).status, (await takeBack('2024-09-10')).status]).toEqual([
      200, 200,
    ]);
    expect((await unusual('2024-09-10', '2024-09-10'))[0]?.verdict).toBeNull();
    const { rows } = await sql<{
      action: string;
    }>`select action from audit_log where action like 'insights.%' order by id`.execute(
      console.app.database.kysely,
    );
    expect(rows.map((row) => row.action)).toEqual([
      'insights.judgeDay',
      'insights.judgeDay',
      'insights.takeBackVerdict',
      'insights.takeBackVerdict',
    ]);
  });

  it('can be seen but not explained by a ReadOnly member; a foreign subscription does not exist; tomorrow cannot be explained', async () => {
    expect(
      (
        await console.ok(
          insights.unusualDays,
          { from: day('2024-09-10'), to: day('2024-09-10') },
          { token: reader },
        )
      ).days,
    ).toHaveLength(1);
    expect([
      (await judge('2024-09-10', 'expected', reader)).status,
      (await takeBack('2024-09-10', reader)).status,
    ]).toEqual([403, 403]);
    const other = await registerUser(console, 'owner@two.example', 'Two');
    expect((await judge('2024-09-10', 'expected', other.token)).envelope.code).toBe(
      'insights.subscription_not_found',
    );
    expect((await judge('2024-09-16', 'expected')).envelope.code).toBe('insights.day_not_judged');
  });

  it('that were confirmed as unusual are excluded when later days are compared', async () => {
    const rangeOf = async () => (await unusual('2024-08-31', '2024-08-31'))[0];
    // Saturday 24 August had 40; of the seven Saturdays from 6 July to 24 August the median is 10 with it and
    // without it.
    const before = await rangeOf();
    expect(before).toMatchObject({ quantity: '40', expected: '10' });
    for (const on of ['2024-07-06', '2024-07-13', '2024-07-20', '2024-07-27', '2024-08-03'])
      await judge(on, 'unexpected');
    // Three are left, too few for a statement.
    expect(await rangeOf()).toBeUndefined();
    for (const on of ['2024-07-06', '2024-07-13', '2024-07-20', '2024-07-27', '2024-08-03'])
      await takeBack(on);
    expect(await rangeOf()).toEqual(before);
  });
});

describe('exports of insights', () => {
  const take = async (
    format: 'csv' | 'xlsx' | 'focus',
    more: object = {},
    language: 'zhTW' | 'enUS' = 'enUS',
  ) =>
    console.ok(
      insights.exportUsage,
      { format, language, from: day('2024-08-01'), to: day('2024-08-31'), ...more },
      { token },
    );
  const rowsOf = (body: unknown): string[][] =>
    parse(
      Buffer.from(body as Uint8Array)
        .toString('utf8')
        .replace(/^\uFEFF/, ''),
    ) as string[][];
  const sum = (texts: readonly string[]): string =>
    decimalText(sumDecimals(texts.map((text) => decimal(text))));

  it('as CSV have the rows of the table, exact, and no cell that runs as a formula', async () => {
    const { body, fileName } = await take('csv');
    const [header, ...rows] = rowsOf(body);
    expect(fileName).toContain('usage-2024-08-01-2024-08-31.csv');
    expect(header).toEqual(['Day', 'Group', 'Usage', 'Unit', 'Cost', 'Currency']);
    expect(rows[0]).toEqual(['2024-08-01', "'=Calls", '10', 'requests', '20', 'TWD']);
    const {
      totals: [total],
      months: [month],
    } = await console.ok(insights.explore, { from: day('2024-08-01'), to: day('2024-08-31') }, { token });
    const ofDays = rows.filter(([name = '']) => name.length === 10);
    expect(sum(ofDays.map((row) => row[4] ?? ''))).toBe(total?.cost);
    // Rows named after the month add what only the whole month decides.
    expect(sum(rows.map((row) => row[4] ?? ''))).toBe(month && decimalText(moneyDecimal(month.billed)));
    expect(rowsOf((await take('csv', {}, 'zhTW')).body)[0]).toEqual([
      '日期',
      '分組',
      '用量',
      '單位',
      '費用',
      '幣別',
    ]);
    expect(rowsOf((await take('csv', { grain: 'hour', to: day('2024-08-02') })).body)[1]).toEqual([
      '2024-08-01',
      '2024-08-01T04:00:00.000Z',
      "'=Calls",
      '10',
      'requests',
      '20',
      'TWD',
    ]);
    const workbook = await take('xlsx');
    expect([
      workbook.mediaType,
      Buffer.from(workbook.body as Uint8Array)
        .subarray(0, 2)
        .toString(),
    ]).toEqual(['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'PK']);
  });

  it('as FOCUS 1.3 equal FOCUS 1.2 plus service and infrastructure provider, never empty; the default is 1.2', async () => {
    const [[header = [], ...rows], [before = [], ...rowsBefore]] = [
      rowsOf((await take('focus', { version: '1.3' })).body),
      rowsOf((await take('focus')).body),
    ];
    expect(header).toEqual([...focusColumns, 'HostProviderName', 'ServiceProviderName'].toSorted());
    expect(before).toEqual([...focusColumns]);
    expect(rows.map((row) => before.map((column) => row[header.indexOf(column)]))).toEqual(rowsBefore);
    const provider = rowsBefore[0]?.[before.indexOf('ProviderName')];
    for (const column of ['HostProviderName', 'ServiceProviderName'])
      expect(new Set(rows.map((row) => row[header.indexOf(column)]))).toEqual(new Set([provider]));
  });

  it('as FOCUS 1.2 contain every charge of a month and equal its statistics to the last digit', async () => {
    const [header, ...rows] = rowsOf((await take('focus')).body);
    expect(header).toEqual([...focusColumns]);
    const at = (row: readonly string[], column: (typeof focusColumns)[number]): string =>
      row[focusColumns.indexOf(column)] ?? '';
    const { totalCost } = await console.ok(usage.statistics, { month: august }, { token });
    for (const column of ['BilledCost', 'EffectiveCost', 'ListCost', 'ContractedCost'] as const)
      expect(sum(rows.map((row) => at(row, column)))).toBe(totalCost.amount);
    // 31 days of requests, the fee, and three days with new users; 1,320 and 100 are above the minimum.
    expect(
      Object.fromEntries(
        [...Map.groupBy(rows, (row) => at(row, 'ChargeCategory'))].map(([category, all]) => [
          category,
          all.length,
        ]),
      ),
    ).toEqual({ Usage: 34, Purchase: 1 });
    expect(
      rows
        .filter((row) => at(row, 'ServiceName') === 'People')
        .map((row) => [
          at(row, 'BilledCost'),
          at(row, 'ConsumedQuantity'),
          at(row, 'ChargePeriodStart'),
          at(row, 'ChargePeriodEnd'),
        ]),
    ).toEqual(
      ['04', '05', '07'].map((on) => [
        '7',
        '1',
        `2024-08-${on}T16:00:00Z`,
        `2024-08-0${Number(on) + 1}T16:00:00Z`,
      ]),
    );
    const nullable = new Set(['ChargeClass', 'ConsumedQuantity', 'ConsumedUnit', 'InvoiceId']);
    for (const row of rows)
      for (const column of focusColumns)
        if (!nullable.has(column) && !column.startsWith('CommitmentDiscount'))
          expect(at(row, column), column).not.toBe('');
    expect(rows.find((row) => at(row, 'ChargePeriodStart') === '2024-08-02T16:00:00Z')).toEqual(
      expect.arrayContaining([
        "'=Calls",
        'Compute',
        '{"one":true,"=two":true}',
        organizationId,
        calls,
        '20',
        'TWD',
        'Usage-Based',
        '2024-08-03T16:00:00Z',
      ]),
    );
  });

  it('as FOCUS include the minimum in June as an adjustment', async () => {
    const rows = rowsOf((await take('focus', { from: day('2024-06-01'), to: day('2024-06-30') })).body).slice(
      1,
    );
    const { totalCost } = await console.ok(usage.statistics, { month: '2024-06' as BillingMonth }, { token });
    expect([totalCost.amount, sum(rows.map((row) => row[0] ?? ''))]).toEqual(['900', '900']);
    expect(rows.filter((row) => row.includes('Adjustment'))).toHaveLength(1);
  });

  it('are in the audit log with their user', async () => {
    const { rows } = await sql<{
      detail: { format: string; rows: number };
    }>`select detail from audit_log where action = 'insights.exportUsage' order by id desc limit 1`.execute(
      console.app.database.kysely,
    );
    expect(rows[0]?.detail).toMatchObject({ format: 'focus', rows: 32 });
  });
});

it('as FOCUS equal the bill over a month even if the price changes within a day, which splits that day', async () => {
  const moveTo = async (moment: string): Promise<string> => {
    console.clock.set(new Date(moment));
    token = await signIn(console, 'owner@one.example');
    return signIn(console, adminAccount.account, adminAccount.password);
  };
  // Noon of 10 October in Taipei.
  const admin = await moveTo('2024-10-10T04:00:00Z');
  const { items } = await console.ok(catalogue.adminListServices, { q: '=Calls' }, { token: admin });
  await console.ok(
    catalogue.updateService,
    {
      serviceId: items[0]?.id ?? ('' as never),
      pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '3' },
    },
    { token: admin },
  );
  await moveTo('2024-11-02T00:00:00Z');
  const { secret } = await console.ok(
    identity.createApiKey,
    { name: 'second' },
    { token: await moveTo('2024-11-02T00:00:00Z') },
  );
  const events = ['2024-10-09T04:00:00Z', '2024-10-10T01:00:00Z', '2024-10-10T08:00:00Z'].map(
    (time, index) => ({
      specversion: '1.0',
      id: `o${index}`,
      source: 'second',
      type: 'use',
      subject: calls,
      time,
      data: { value: '10' },
    }),
  );
  await console.ok(
    usage.ingest,
    {},
    {
      token: secret,
      body: JSON.stringify(events),
      headers: { 'content-type': 'application/cloudevents-batch+json' },
    },
  );
  const { body } = await console.ok(
    insights.exportUsage,
    { format: 'focus', from: day('2024-10-01'), to: day('2024-10-31') },
    { token },
  );
  const rows = (
    parse(
      Buffer.from(body as Uint8Array)
        .toString('utf8')
        .replace(/^\uFEFF/, ''),
    ) as string[][]
  ).slice(1);
  const { totalCost } = await console.ok(usage.statistics, { month: '2024-10' as BillingMonth }, { token });
  expect(decimalText(sumDecimals(rows.map((row) => decimal(row[0] ?? '0'))))).toBe(totalCost.amount);
  // Ten units of the second day cost 2 each, as its first hours do, and ten cost 3.
  const usageCosts = rows
    .filter((row) => row[focusColumns.indexOf('ChargeCategory')] === 'Usage')
    .map((row) => row[0]);
  expect(usageCosts).toEqual(['20', '50']);
});
