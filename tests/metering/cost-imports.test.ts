// Cost imports against a real console, database and S3 server: FOCUS’s own sample of several vendors becomes
// usage, bills and margin to the last cent; new versions replace old ones; damaged files and other
// organizations change nothing.
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import Big from 'big.js';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Id } from '#kernel/ids.ts';
import { moneyText } from '#kernel/money.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import {
  costImports,
  type CostImport,
  type CostSource,
  type Margin,
} from '#features/metering/cost-imports/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import {
  adminAccount,
  createTestConsole,
  registerUser,
  setUp,
  signIn,
  type TestConsole,
} from '../support/console.ts';
import { checks } from '../../verify/checks.ts';
import { connection, opened } from '../../verify/connection.ts';
import { placeOf } from '../support/books.ts';
import { isLong } from '../support/fault-rounds.ts';
import { runFeatureJob, stopRepeating } from '../support/jobs.ts';
import { startBucket } from '../support/s3.ts';

// The sample of the FOCUS project (CC BY 4.0), which the demo data contains.
const sample = readFileSync(new URL('../../demo-data/focus-sample.csv', import.meta.url));
type Row = Record<string, string>;
const rows = parse(sample, { columns: true, bom: true }) as Row[];
const september = '2024-09' as BillingMonth;
const first = '2024-09-01' as LocalDay;

let console: TestConsole;
let admin: string;
let sub: { one: Id<'sub'>; two: Id<'sub'>; yen: Id<'sub'> };
let org: { one: Id<'org'>; two: Id<'org'> };
let bucket: { client: S3Client; endpoint: string };

const begin = new Date('2024-10-02T03:00:00Z');
const db = () => console.app.database.kysely;
async function moveTo(at: Date): Promise<void> {
  console.clock.set(at);
  admin = await signIn(console, adminAccount.account, adminAccount.password);
}

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
  console = await createTestConsole(begin, { PRIVATE_HOSTS: new URL(endpoint).host });
  await stopRepeating(console.app);
  admin = await setUp(console);
  const [one, two] = [
    await registerUser(console, 'owner@one.example', 'One'),
    await registerUser(console, 'owner@two.example', 'Two'),
  ];
  org = { one: one.organizationId as Id<'org'>, two: two.organizationId as Id<'org'> };
  const service = async (name: string, currency: 'USD' | 'JPY'): Promise<Id<'svc'>> =>
    (await console.ok(costImports.createResoldCloud, { name, currency }, { token: admin })).serviceId;
  const [usd, jpy] = [await service('Cloud', 'USD'), await service('Cloud in yen', 'JPY')];
  const subscribe = async (organizationId: Id<'org'>, serviceId: Id<'svc'>): Promise<Id<'sub'>> =>
    (
      await console.ok(
        subscriptions.adminSubscribe,
        { organizationId, serviceId, startedAt: new Date('2024-08-31T16:00:00Z') },
        { token: admin },
      )
    ).id;
  sub = {
    one: await subscribe(org.one, usd),
    two: await subscribe(org.two, usd),
    yen: await subscribe(org.two, jpy),
  };
});
afterAll(() => bucket.client.destroy());
beforeEach(async () => {
  admin = await signIn(console, adminAccount.account, adminAccount.password);
});

const selling = (more: object = {}): CostSource['selling'] => ({
  costBasis: 'billed',
  sellBasis: 'cost',
  passesCredits: false,
  markUps: [],
  ...more,
});
const rule = (field: string, value: string, subscriptionId: Id<'sub'> | null) => ({
  field: field as 'provider',
  tag: '',
  value,
  subscriptionId,
});
const markUp = (more: object) => ({
  organizationId: null,
  subscriptionId: null,
  service: '',
  percent: '0',
  minimumFee: null,
  ...more,
});
const make = (more: object = {}): Promise<CostSource> =>
  console.ok(
    costImports.createCostSource,
    { name: 'Cloud', place: { kind: 'upload' }, rules: [], selling: selling(), ...more } as never,
    { token: admin },
  );
const get = ({ id }: CostSource): Promise<CostSource> =>
  console.ok(costImports.getCostSource, { sourceId: id }, { token: admin });
const readAll = (): Promise<void> => runFeatureJob(console.app, 'cost-imports');
const send = (source: CostSource, content: Uint8Array | string, name = 'costs.csv') =>
  console.call(
    costImports.uploadCostFile,
    { sourceId: source.id, name },
    {
      token: admin,
      body: Buffer.from(content) as never,
      headers: { 'content-type': 'application/octet-stream' },
    },
  );
async function upload(
  source: CostSource,
  content: Uint8Array | string,
  name = 'costs.csv',
): Promise<CostImport> {
  const answer = await send(source, content, name);
  expect(answer.envelope).toMatchObject({ isSuccess: true });
  const { id } = answer.data as CostImport;
  await readAll();
  return imported(source, id);
}
async function imported(source: CostSource, id: Id<'cim'>): Promise<CostImport> {
  const { items } = await console.ok(
    costImports.listCostImports,
    { sourceId: source.id, limit: 200 },
    { token: admin },
  );
  const found = items.find((each) => each.id === id);
  if (!found) throw new Error('the import is not listed');
  return found;
}
const apply = (found: CostImport): Promise<CostImport> =>
  console.ok(costImports.applyCostImport, { importId: found.id }, { token: admin });
async function importFile(source: CostSource, content: Uint8Array | string): Promise<CostImport> {
  const found = await upload(source, content);
  expect(found.failure).toBeNull();
  expect(found.state).toBe('ready');
  return apply(found);
}
const update = async (source: CostSource, change: object): Promise<CostSource> =>
  console.ok(
    costImports.updateCostSource,
    { sourceId: source.id, version: (await get(source)).version, ...change } as never,
    { token: admin },
  );
const margin = (month: BillingMonth = september): Promise<Margin> =>
  console.ok(costImports.getMargin, { month }, { token: admin });
/** The counted values of a subscription: corrections are stored with the opposite sign of their event. */
async function metered(subscriptionId: Id<'sub'>): Promise<string> {
  const { rows: found } = await sql<{
    sum: string;
  }>`select trim_scale(coalesce(sum(value), 0))::text as sum from usage_event where subscription_id = ${subscriptionId}`.execute(
    db(),
  );
  return found[0]?.sum ?? '0';
}

/** The file’s totals, added up by another library: by day and service, as sales are rounded. */
function expected(of: (row: Row) => boolean, percent: string): { cost: string; sold: string } {
  const days = new Map<string, Big>();
  let cost = Big(0);
  for (const row of rows.filter(of)) {
    cost = cost.plus(row['BilledCost'] ?? '0');
    if (row['ChargeCategory'] === 'Credit') continue;
    const key = `${row['ChargePeriodStart']?.slice(0, 10)} ${row['ServiceName']}`;
    days.set(key, (days.get(key) ?? Big(0)).plus(row['BilledCost'] ?? '0'));
  }
  const factor = Big(percent).div(100).plus(1);
  const sold = [...days.values()].reduce((sum, each) => sum.plus(each.times(factor).round(12, 1)), Big(0));
  return { cost: cost.toFixed(), sold: sold.toFixed() };
}
const isOf = (provider: string) => (row: Row) => row['ProviderName'] === provider;

const header =
  'BilledCost,EffectiveCost,ListCost,BillingCurrency,BillingPeriodStart,BillingPeriodEnd,ChargePeriodStart,ChargeCategory,ProviderName,SubAccountId,ServiceName,Tags';
const line = (
  account: string,
  cost: string,
  { day = '01', service = 'S3', kind = 'Usage', month = '2024-09', tags = '' } = {},
) =>
  `${cost},${cost},${cost},USD,${month}-01,${month === '2024-09' ? '2024-10' : '2024-11'}-01,${month}-${day}T00:00:00Z,${kind},AWS,${account},${service},"${tags.replaceAll('"', '""')}"`;
const fileOf = (...lines: string[]): string => [header, ...lines].join('\n');

describe('a FOCUS file of several vendors', () => {
  let source: CostSource;

  it('T-COST: is read completely, and a preview shows the amounts by customer and those without one', async () => {
    source = await make({
      rules: [rule('provider', 'AWS', sub.one), rule('provider', 'Micro*', sub.two)],
      selling: selling({
        markUps: [markUp({ percent: '10' }), markUp({ subscriptionId: sub.two, percent: '20' })],
      }),
    });
    const found = await upload(source, sample, 'focus-sample.csv');
    expect(found).toMatchObject({ state: 'ready', format: 'focus', rows: 798, periods: [first] });
    const total = rows.reduce((sum, row) => sum.plus(row['BilledCost'] ?? '0'), Big(0));
    expect(found.cost).toEqual([{ amount: total.toFixed(), currency: 'USD' }]);
    const [period] = (
      await console.ok(
        costImports.previewCosts,
        { sourceId: source.id, importId: found.id },
        { token: admin },
      )
    ).periods;
    const [aws, azure, oracle] = [
      expected(isOf('AWS'), '10'),
      expected(isOf('Microsoft'), '20'),
      expected(isOf('Oracle'), '0'),
    ];
    expect(period?.unassigned).toEqual([{ amount: oracle.cost, currency: 'USD' }]);
    expect(
      period?.subscriptions
        .map(({ subscription, cost, sold }) => [subscription.id, cost[0]?.amount, sold?.amount])
        .toSorted(),
    ).toEqual(
      [
        [sub.one, aws.cost, aws.sold],
        [sub.two, azure.cost, azure.sold],
      ].toSorted(),
    );
    const accounts = period?.unassignedAccounts ?? [];
    expect(accounts.every(({ provider }) => provider === 'Oracle')).toBe(true);
    // Accounts add up to the unassigned total, and their parts to each account.
    const sum = (amounts: readonly { amount: string }[]): string =>
      amounts.reduce((all, { amount }) => all.plus(amount), Big(0)).toFixed();
    expect(sum(accounts.flatMap(({ cost }) => cost))).toBe(oracle.cost);
    const whole = accounts.filter(({ scopes, scopeCount }) => scopes.length === scopeCount);
    expect(whole.length).toBeGreaterThan(0);
    for (const { cost, scopes } of whole) expect(sum(scopes)).toBe(sum(cost));
    // The rule of the largest account covers all of it, and nothing else.
    const [largest] = accounts;
    if (!largest?.by) throw new Error('no account');
    const after = await console.ok(
      costImports.previewCosts,
      {
        sourceId: source.id,
        importId: found.id,
        rules: [...source.rules, { ...largest.by, subscriptionId: null }],
      },
      { token: admin },
    );
    expect(after.periods[0]?.ignored).toEqual(largest.cost);
    expect(after.periods[0]?.unassignedCount).toBe(accounts.length - 1);
    // Nothing is metered before the import.
    expect(await metered(sub.one)).toBe('0');
    await apply(found);
    expect([await metered(sub.one), await metered(sub.two)]).toEqual([aws.sold, azure.sold]);
  });

  it('T-COST: unassigned cost can be assigned to a subscription created with the rule, or borne by the operator, and is sold to the last cent', async () => {
    const source = await make();
    const found = await upload(source, sample);
    const three = await registerUser(console, 'owner@three.example', 'Three');
    const organizationId = three.organizationId as Id<'org'>;
    const { serviceId } = await console.ok(
      costImports.createResoldCloud,
      { name: 'Resold', currency: 'USD' },
      { token: admin },
    );
    const assign = (by: object, to: object, key: string) =>
      console.call(costImports.assignCost, { sourceId: source.id, by, to } as never, {
        token: admin,
        headers: { 'idempotency-key': key },
      });
    const by = { field: 'provider', tag: '', value: 'AWS' };
    const made = { kind: 'new', organizationId, serviceId, startsOn: first };
    // Errors name their field and leave neither a rule nor a subscription.
    const future = await assign(by, { ...made, startsOn: '2024-12-01' }, 'future');
    expect(future.envelope).toMatchObject({ errors: [{ field: 'to.startsOn' }] });
    const untagged = await assign({ ...by, field: 'tag' }, made, 'untagged');
    expect(untagged.envelope).toMatchObject({ errors: [{ field: 'by.tag' }] });
    const ofThree = async () =>
      (await console.ok(subscriptions.adminListSubscriptions, { organizationId }, { token: admin })).items;
    expect([(await get(source)).rules, await ofThree()]).toEqual([[], []]);
    const both = [await assign(by, made, 'aws'), await assign(by, made, 'aws')];
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    const [only, ...more] = await ofThree();
    expect(more).toEqual([]);
    expect(
      (await assign({ ...by, value: 'Microsoft' }, { kind: 'subscription', subscriptionId: sub.one }, 'ms'))
        .status,
    ).toBe(200);
    expect((await assign({ ...by, value: 'Oracle' }, { kind: 'nobody' }, 'oracle')).status).toBe(200);
    // The same value replaces its rule; otherwise the first matching rule would apply forever.
    expect((await assign({ ...by, value: 'Oracle' }, { kind: 'nobody' }, 'again')).status).toBe(200);
    expect((await get(source)).rules).toEqual([
      rule('provider', 'AWS', only?.id ?? null),
      rule('provider', 'Microsoft', sub.one),
      rule('provider', 'Oracle', null),
    ]);
    const { periods } = await console.ok(
      costImports.previewCosts,
      { sourceId: source.id, importId: found.id },
      { token: admin },
    );
    expect(periods[0]?.unassigned).toEqual([]);
    const sold = new Map(periods[0]?.subscriptions.map((each) => [each.subscription.id, each.sold?.amount]));
    expect(Big(sold.get(only?.id as Id<'sub'>) ?? 0).toFixed()).toBe(expected(isOf('AWS'), '0').sold);
    expect(Big(sold.get(sub.one) ?? 0).toFixed()).toBe(expected(isOf('Microsoft'), '0').sold);
    await console.ok(costImports.deleteCostSource, { sourceId: source.id }, { token: admin });
  });

  it('T-COST: importing the same file again adds nothing', async () => {
    const events = async () =>
      (await sql<{ n: bigint }>`select count(*) as n from usage_event`.execute(db())).rows[0]?.n;
    const before = await events();
    const again = await upload(source, sample, 'again.csv');
    expect(again).toMatchObject({ state: 'applied', name: 'focus-sample.csv' });
    await apply(again);
    await console.ok(
      costImports.sellCostPeriod,
      { sourceId: source.id, periodStart: first },
      { token: admin },
    );
    expect(await events()).toBe(before);
    expect((await get(source)).periods).toMatchObject([{ version: 1, isOutdated: false }]);
  });

  it('T-COST: bills and margin match to the last cent, and totals add up', async () => {
    const running = await margin();
    expect(running.rows.every(({ isIssued }) => !isIssued)).toBe(true);
    await moveTo(new Date('2024-10-05T03:00:00Z'));
    await console.ok(billing.closeMonth, { month: september }, { token: admin });
    const { items } = await console.ok(billing.adminListBills, { month: september }, { token: admin });
    const bills = new Map<string, string>();
    for (const { id } of items) {
      const bill = await console.ok(billing.adminGetBill, { billId: id }, { token: admin });
      if (bill.net.currency === 'USD') bills.set(bill.organizationId, moneyText(bill.net));
    }
    const [aws, azure] = [expected(isOf('AWS'), '10'), expected(isOf('Microsoft'), '20')];
    expect(bills.get(org.one)).toBe(Big(aws.sold).round(2, 1).toFixed(2));
    expect(bills.get(org.two)).toBe(Big(azure.sold).round(2, 1).toFixed(2));
    const issued = await margin();
    const sums = (of: 'sold' | 'cost' | 'margin', id?: string): string =>
      issued.rows
        .filter(({ organizationId }) => id === undefined || organizationId === id)
        .reduce((sum, row) => sum.plus(row[of]), Big(0))
        .toFixed();
    expect(issued.rows.every(({ isIssued }) => isIssued)).toBe(true);
    expect(Big(sums('sold', org.one)).toFixed(2)).toBe(bills.get(org.one));
    expect(sums('sold', org.one)).toBe(Big(bills.get(org.one) ?? 0).toFixed());
    expect(sums('cost', org.one)).toBe(aws.cost);
    expect(sums('cost')).toBe(Big(aws.cost).plus(azure.cost).toFixed());
    expect(issued.totals).toMatchObject([
      { currency: 'USD', sold: sums('sold'), cost: sums('cost'), margin: sums('margin') },
    ]);
    expect(issued.unassigned).toEqual([{ amount: expected(isOf('Oracle'), '0').cost, currency: 'USD' }]);
  });

  it('T-COST: a new version of a closed month is late usage on the next bill', async () => {
    // The cloud reverses all but one line of AWS.
    const text = sample.toString();
    const [head = '', ...lines] = text.split('\n');
    const kept = lines.filter((each) => !each.includes(',AWS,'));
    const one = lines.find((each) => each.includes(',AWS,')) ?? '';
    await importFile(source, [head, one, ...kept].join('\n'));
    expect((await get(source)).periods).toMatchObject([{ version: 2 }]);
    const row = rows.find(isOf('AWS'));
    expect(await metered(sub.one)).toBe(
      Big(row?.['BilledCost'] ?? 0)
        .times('1.1')
        .round(12, 1)
        .toFixed(),
    );
    const late = await sql<{
      month: string;
    }>`select month from late_usage where subscription_id = ${sub.one}`.execute(db());
    expect(late.rows).toEqual([{ month: september }]);
  });
});

describe('versions of cost files', () => {
  const open = '2024-10-01' as LocalDay;
  it('T-COST: a newer file replaces its period and no other; unchanged days keep their events', async () => {
    const source = await make({
      rules: [rule('subAccount', 'v-1', sub.one), rule('subAccount', 'v-2', sub.two)],
    });
    const before = [Big(await metered(sub.one)), Big(await metered(sub.two))];
    const october = { month: '2024-10' };
    await importFile(
      source,
      fileOf(
        line('v-1', '1.5', october),
        line('v-2', '2', october),
        line('v-1', '0.25', { ...october, day: '02' }),
      ),
    );
    const ids = async () =>
      new Set(
        (
          await sql<{
            id: string;
          }>`select event_id as id from usage_event where subscription_id = ${sub.one} and voided_event_id is null`.execute(
            db(),
          )
        ).rows.map(({ id }) => id),
      );
    const earlier = await ids();
    await importFile(
      source,
      fileOf(line('v-1', '1.75', october), line('v-1', '0.25', { ...october, day: '02' })),
    );
    expect(
      Big(await metered(sub.one))
        .minus(before[0] ?? 0)
        .toFixed(),
    ).toBe('2');
    expect(
      Big(await metered(sub.two))
        .minus(before[1] ?? 0)
        .toFixed(),
    ).toBe('0');
    // One event for the day that changed, none for the day that did not.
    expect([...(await ids())].filter((id) => !earlier.has(id))).toHaveLength(1);
    // And back: the id of an event is never reused.
    await importFile(source, fileOf(line('v-1', '1.5', october), line('v-2', '2', october)));
    expect(
      Big(await metered(sub.one))
        .minus(before[0] ?? 0)
        .toFixed(),
    ).toBe('1.5');
    expect(
      Big(await metered(sub.two))
        .minus(before[1] ?? 0)
        .toFixed(),
    ).toBe('2');
    expect((await get(source)).periods).toMatchObject([{ periodStart: open, version: 3 }]);
  });

  it('T-COST: in any order of files and rules metered usage equals the active costs, and lines add up to the file', async () => {
    const source = await make();
    const accounts = ['p-1', 'p-2', 'p-3'];
    const entry = fc.record({
      account: fc.constantFrom(...accounts),
      cost: fc
        .bigInt({ min: -(10n ** 12n), max: 10n ** 13n })
        .map((n) => Big(n.toString()).div(1e12).toFixed()),
      day: fc.constantFrom('01', '02'),
      service: fc.constantFrom('S3', 'EC2'),
      kind: fc.constantFrom('Usage', 'Credit', 'Tax', 'Purchase'),
    });
    const start = Big(await metered(sub.one));
    await fc.assert(
      fc.asyncProperty(
        fc.array(entry, { minLength: 1, maxLength: 12 }),
        fc.subarray(accounts),
        fc.integer({ min: -50, max: 300 }),
        async (entries, owned, percent) => {
          await update(source, {
            rules: owned.map((account) => rule('subAccount', account, sub.one)),
            selling: selling({ markUps: [markUp({ percent: String(percent) })] }),
          });
          await importFile(
            source,
            fileOf(...entries.map((each) => line(each.account, each.cost, { ...each, month: '2024-10' }))) +
              `\n${line('x', '0', { month: '2024-10', service: String(Math.random()) })}`,
          );
          const { rows: kept } = await sql<{
            sold: string;
            cost: string;
          }>`select coalesce(sum(sold), 0)::text as sold, coalesce(sum(cost), 0)::text as cost from cost_sold where source_id = ${source.id}`.execute(
            db(),
          );
          expect(
            Big(await metered(sub.one))
              .minus(start)
              .toFixed(),
          ).toBe(Big(kept[0]?.sold ?? 0).toFixed());
          const cost = entries
            .filter(({ account, kind }) => owned.includes(account) && kind !== 'Tax')
            .reduce((sum, each) => sum.plus(each.cost), Big(0));
          expect(Big(kept[0]?.cost ?? 0).toFixed()).toBe(cost.toFixed());
        },
      ),
      { numRuns: isLong ? 12 : 5 },
    );
  });
});

describe('selling imported costs', () => {
  it('T-COST: the most specific markup applies, a minimum tops up, credits and taxes are withheld', async () => {
    const source = await make({
      rules: [rule('subAccount', 's-1', sub.one), rule('subAccount', 's-shared', null)],
      selling: selling({
        markUps: [
          markUp({ percent: '5' }),
          markUp({ organizationId: org.one, percent: '10', minimumFee: '100' }),
          markUp({ organizationId: org.one, service: 'EC2', percent: '50' }),
          markUp({ service: 'S3', percent: '99' }),
        ],
      }),
    });
    const before = Big(await metered(sub.one));
    const october = { month: '2024-10' };
    const file = fileOf(
      line('s-1', '10', october),
      line('s-1', '20', { ...october, service: 'EC2' }),
      line('s-1', '-4', { ...october, kind: 'Credit' }),
      line('s-1', '3', { ...october, kind: 'Tax' }),
      line('s-shared', '7', october),
    );
    await importFile(source, `${file}\r\n \n`);
    // 10 × 1.1 + 20 × 1.5 = 41; cost 26; margin 15; 85 to the minimum of 100.
    expect(
      Big(await metered(sub.one))
        .minus(before)
        .toFixed(),
    ).toBe('126');
    const usd = (amount: string) => [{ amount, currency: 'USD' }];
    expect((await get(source)).periods).toMatchObject([
      {
        cost: usd('33'),
        tax: usd('3'),
        assigned: usd('26'),
        unassigned: [],
        ignored: usd('7'),
        sold: usd('126'),
      },
    ]);
    const passing = await update(source, {
      selling: selling({ passesCredits: true, markUps: [markUp({ percent: '10' })] }),
    });
    expect(passing.periods).toMatchObject([{ isOutdated: true, sold: usd('126') }]);
    const sold = await console.ok(
      costImports.sellCostPeriod,
      { sourceId: source.id, periodStart: '2024-10-01' as LocalDay },
      { token: admin },
    );
    // (10 + 20 − 4) × 1.1
    expect(sold.periods).toMatchObject([{ isOutdated: false, sold: usd('28.6') }]);
    expect(
      Big(await metered(sub.one))
        .minus(before)
        .toFixed(),
    ).toBe('28.6');
  });

  it('T-COST: another currency waits for a rate, which is stored with its day', async () => {
    const source = await make({ rules: [rule('subAccount', 'y-1', sub.yen)] });
    await importFile(source, fileOf(line('y-1', '2', { month: '2024-10' })));
    expect((await get(source)).periods).toMatchObject([
      { sold: [], notSold: [{ reason: 'costs.rate_missing', amount: '2', currency: 'USD' }] },
    ]);
    const rate = { from: 'USD', to: 'JPY', rate: '149.123', asOf: '2024-10-01' as LocalDay } as const;
    await console.ok(
      costImports.setCostRate,
      { sourceId: source.id, periodStart: '2024-10-01' as LocalDay, ...rate },
      { token: admin },
    );
    const sold = await console.ok(
      costImports.sellCostPeriod,
      { sourceId: source.id, periodStart: '2024-10-01' as LocalDay },
      { token: admin },
    );
    expect(sold.periods).toMatchObject([{ sold: [{ amount: '298.246', currency: 'JPY' }], notSold: [] }]);
    expect(sold.rates).toEqual([{ periodStart: '2024-10-01', ...rate }]);
    expect(await metered(sub.yen)).toBe('298.246');
  });

  it('T-COST: costs that metering rejects are listed with amount and reason, and nothing is lost', async () => {
    const source = await make({ rules: [rule('subAccount', 'r-1', sub.one)] });
    // Before the subscription began.
    const august = fileOf(line('r-1', '9')).replaceAll('2024-09', '2024-08').replaceAll('2024-10', '2024-09');
    await importFile(source, august);
    expect((await get(source)).periods).toMatchObject([
      { sold: [], notSold: [{ reason: 'usage.subscription_not_running', amount: '9' }] },
    ]);
  });
});

describe('formats of cost files', () => {
  it.each([
    ['a row with another number of cells', `${fileOf(line('a', '1'))},more`, 'columns', 2, null],
    [
      'an invalid amount',
      fileOf(line('a', '1'), line('a', '1,5'.replace(',', ';'))),
      'row_amount',
      3,
      'BilledCost',
    ],
    ['unknown columns', 'a,b\n1,2', 'unknown_columns', null, null],
    [
      'the contracts of FOCUS 1.3',
      'ContractCommitmentId,ContractCommitmentCategory,ContractCommitmentCost,BillingCurrency\nc-1,Spend,250000,USD',
      'contract_commitments',
      null,
      null,
    ],
    ['a header without rows', header, 'empty', null, null],
    ['half a gzip file', gzipSync(fileOf(line('a', '1'))).subarray(0, 60), 'gzip', null, null],
    ['a ZIP', Buffer.from('PK\x03\x04rest'), 'zip', null, null],
    ['half a Parquet file', Buffer.from('PAR1 and no more'), 'parquet', null, null],
    ['invalid JSON', '{"a":\n', 'json', 1, null],
  ])(
    'T-COST: %s is rejected with its position, and changes nothing',
    async (_what, content, code, row, column) => {
      const source = await make();
      const found = await upload(source, content as string);
      expect(found).toMatchObject({ state: 'failed', failure: { code, row, column } });
      expect(found.failure?.message).not.toContain('costs.failure');
      expect((await get(source)).periods).toEqual([]);
      const { rows: left } = await sql`select from cost_line where import_id = ${found.id}`.execute(db());
      expect(left).toHaveLength(0);
    },
  );

  it.each(['snappy', 'gzip', 'zstd'])(
    'T-COST: Parquet compressed by %s keeps 38 digits of decimals and the shortest text of floating-point numbers',
    async (codec) => {
      const source = await make();
      const content = readFileSync(new URL(`../support/fixtures/focus-${codec}.parquet`, import.meta.url));
      const found = await upload(source, content, 'focus.parquet');
      expect(found).toMatchObject({ state: 'ready', format: 'focus', rows: 3, periods: ['2024-10-01'] });
      const { rows: totals } =
        await sql`select trim_scale(billed)::text as billed, trim_scale(effective)::text as effective, trim_scale(list)::text as list from cost_import_total where import_id = ${found.id}`.execute(
          db(),
        );
      expect(totals).toEqual([
        { billed: '123456789012.345678901234567889', effective: '12.6000001', list: '1.500001' },
      ]);
    },
  );

  it('T-COST: JSON lines of Google Cloud are read with their credits and all digits', async () => {
    const source = await make();
    const row = (cost: string) =>
      `{"billing_account_id":"A","service":{"description":"Compute Engine"},"project":{"id":"p-1"},"usage_start_time":"2024-10-02 01:00:00 UTC","cost":${cost},"currency":"USD","credits":[{"amount":-0.1,"type":"PROMOTION","name":"x"}],"invoice":{"month":"202410"}}`;
    const found = await upload(
      source,
      gzipSync(`${row('0.12345678901234567')}\n${row('1e-7')}\n`),
      'gcp.jsonl.gz',
    );
    expect(found).toMatchObject({ state: 'ready', format: 'gcp', rows: 2 });
    expect(found.cost).toEqual([{ amount: '-0.07654311098765433', currency: 'USD' }]);
  });

  it('T-COST: a file damaged anywhere is rejected or read, and never crashes the console', async () => {
    const source = await make();
    const good = Buffer.from(fileOf(line('a', '1.5', { tags: '{"env":"prod"}' }), line('b', '2')));
    const packed = gzipSync(good);
    const parquet = readFileSync(new URL('../support/fixtures/focus-gzip.parquet', import.meta.url));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(good, packed, parquet),
        fc.nat(10_000),
        fc.uint8Array({ minLength: 1, maxLength: 20 }),
        async (whole, at, damage) => {
          const content = Buffer.from(whole);
          content.set(damage.subarray(0, content.length - (at % content.length)), at % content.length);
          const found = await upload(source, content);
          expect(['failed', 'ready']).toContain(found.state);
          if (found.state === 'ready')
            await console.ok(costImports.cancelCostImport, { importId: found.id }, { token: admin });
        },
      ),
      { numRuns: isLong ? 25 : 9 },
    );
    expect((await get(source)).periods).toEqual([]);
  });

  it('T-COST: an abandoned file can be read again, and only a complete one can be imported', async () => {
    const source = await make();
    const sent = (await send(source, fileOf(line('a', '1')))).data as CostImport;
    expect(sent.state).toBe('waiting');
    const early = await console.call(costImports.applyCostImport, { importId: sent.id }, { token: admin });
    expect(early.envelope).toMatchObject({ isSuccess: false, code: 'costs.not_ready' });
    await console.ok(costImports.cancelCostImport, { importId: sent.id }, { token: admin });
    await readAll();
    expect((await imported(source, sent.id)).state).toBe('cancelled');
    await console.ok(costImports.retryCostImport, { importId: sent.id }, { token: admin });
    await readAll();
    expect(await apply(await imported(source, sent.id))).toMatchObject({ state: 'applied' });
  });
});

describe('cost files in a bucket', () => {
  const put = (name: string, content: Uint8Array | string) =>
    bucket.client.send(new PutObjectCommand({ Bucket: 'console-files', Key: name, Body: content }));
  const place = (more: object = {}) => ({
    kind: 'bucket' as const,
    bucket: 'console-files',
    prefix: 'exports/',
    region: 'us-east-1',
    endpoint: bucket.endpoint,
    accessKeyId: 'S3RVER',
    ...more,
  });

  it('T-COST: parts of an export are one import, each file is read once, and a rewritten one replaces its period', async () => {
    await put(
      'exports/data/BILLING_PERIOD=2024-10/x-00001.csv.gz',
      gzipSync(fileOf(line('b-1', '1', { month: '2024-10' }))),
    );
    await put(
      'exports/data/BILLING_PERIOD=2024-10/x-00002.csv.gz',
      gzipSync(fileOf(line('b-1', '2', { month: '2024-10' }))),
    );
    await put('exports/metadata/BILLING_PERIOD=2024-10/x-Manifest.json', '{"dataFiles":[]}');
    const source = await make({
      place: place(),
      secretAccessKey: 'S3RVER',
      rules: [rule('subAccount', 'b-1', sub.one)],
    });
    expect(JSON.stringify(await get(source))).not.toContain('"S3RVER","secret');
    const before = Big(await metered(sub.one));
    // The bucket’s own clock dates its files.
    const now = new Date(Date.now() + 10 * 60_000);
    const pull = async (at: Date): Promise<void> => {
      console.clock.set(at);
      await sql`update cost_source set next_pull_at = ${at} where id = ${source.id}`.execute(db());
      await runFeatureJob(console.app, 'cost-pulls');
      await readAll();
      await moveTo(at);
    };
    try {
      await pull(now);
      expect((await get(source)).failure).toBeNull();
      expect(
        Big(await metered(sub.one))
          .minus(before)
          .toFixed(),
      ).toBe('3');
      await pull(new Date(now.getTime() + 2 * 3_600_000));
      const list = await console.ok(costImports.listCostImports, { sourceId: source.id }, { token: admin });
      expect(list.items).toMatchObject([{ state: 'applied', rows: 2 }]);
      await put(
        'exports/data/BILLING_PERIOD=2024-10/x-00002.csv.gz',
        gzipSync(fileOf(line('b-1', '5', { month: '2024-10' }))),
      );
      await pull(new Date(now.getTime() + 4 * 3_600_000));
      expect(
        Big(await metered(sub.one))
          .minus(before)
          .toFixed(),
      ).toBe('6');
      expect((await get(source)).periods).toMatchObject([{ version: 2 }]);
    } finally {
      await moveTo(new Date('2024-10-06T03:00:00Z'));
    }
  });

  it('T-COST: rejected keys are reported; the secret must be entered again for another address', async () => {
    const source = await make({ place: place({ accessKeyId: 'NOBODY' }), secretAccessKey: 'wrong' });
    await runFeatureJob(console.app, 'cost-pulls');
    expect((await get(source)).failure).toMatchObject({ code: 'place_credentials' });
    const moved = await console.call(
      costImports.updateCostSource,
      {
        sourceId: source.id,
        version: source.version,
        place: place({ accessKeyId: 'NOBODY', bucket: 'other-files' }),
      },
      { token: admin },
    );
    expect(moved.envelope).toMatchObject({
      errors: [{ field: 'secretAccessKey', code: 'costs.secret_needed' }],
    });
  });

  it('T-COST: folders are disabled until the operator allows one, and private addresses are rejected', async () => {
    const answers = await Promise.all(
      [{ kind: 'folder', path: 'x' }, place({ endpoint: 'http://169.254.169.254', accessKeyId: null })].map(
        (each) =>
          console.call(
            costImports.createCostSource,
            { name: 'x', place: each, rules: [], selling: selling() } as never,
            { token: admin },
          ),
      ),
    );
    expect(answers.map(({ envelope }) => envelope.errors?.[0])).toMatchObject([
      { field: 'place.path', code: 'costs.folders_closed' },
      { field: 'place.endpoint', code: 'costs.address' },
    ]);
  });
});

describe('the independent checker', () => {
  it('T-COST: finds nothing in correct imports, and reports a changed line or sale', async () => {
    const client = connection(placeOf(console));
    await client.connect();
    const found = async (...damage: string[]): Promise<string[]> => {
      await client.query('begin');
      try {
        for (const statement of damage) await client.query(statement);
        const books = await opened(client, null);
        const outcomes = await Promise.all(
          checks.filter(({ id }) => id.startsWith('cost-')).map((check) => check.run(books)),
        );
        return outcomes.flatMap(({ findings }) => findings.map(({ code }) => code));
      } finally {
        await client.query('rollback');
      }
    };
    try {
      expect(await found()).toEqual([]);
      expect(
        await found(
          'update cost_line set billed = billed + 0.000001 where import_id in (select import_id from cost_period limit 1)',
        ),
      ).toContain('cost_lines_differ');
      const one = '(select ctid from cost_sold where event_value is not null limit 1)';
      expect(await found(`update cost_sold set event_value = event_value + 1 where ctid = ${one}`)).toEqual(
        expect.arrayContaining(['cost_sold_differs', 'cost_sold_unmetered']),
      );
      expect(await found(`delete from cost_sold where ctid = ${one}`)).toEqual(['cost_sold_differs']);
    } finally {
      await client.end();
    }
  });
});
