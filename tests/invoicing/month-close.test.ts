// Closing a month: previewed, interrupted, by schedule; a customer that cannot be billed delays no other
// (R-BILL-01, R-BILL-05).
import { randomBytes } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { encodeId, type Id } from '#kernel/ids.ts';
import { decimal, sumDecimals } from '#kernel/decimal.ts';
import { money, moneyText, sumMoney, type Currency } from '#kernel/money.ts';
import { required } from '#kernel/assert.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { catalogue, type Pricing } from '#features/selling/catalogue/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
import { features } from '#app/features.ts';
import {
  adminAccount,
  createTestConsole,
  registerUser,
  setUp,
  signIn,
  type TestConsole,
} from '../support/console.ts';

const [august, september, october] = ['2024-08', '2024-09', '2024-10'] as BillingMonth[] as [
  BillingMonth,
  BillingMonth,
  BillingMonth,
];
let console: TestConsole;
let admin: string;
let key: string;
const owners = new Map<string, { organizationId: Id<'org'>; subscriptionId: Id<'sub'> }>();
const db = () => console.app.database.kysely;

async function moveTo(moment: string): Promise<void> {
  console.clock.set(new Date(moment));
  admin = await signIn(console, adminAccount.account, adminAccount.password);
}
const priced = (unitPrice: string, currency: Currency = 'TWD'): Pricing => ({
  model: 'per_unit',
  currency,
  baseFee: '100',
  unitPrice,
});
async function customer(name: string, pricing: Pricing, startedAt = '2024-07-31T16:00:00Z'): Promise<void> {
  const { organizationId } = await registerUser(console, `owner@${name}.example`, name);
  const service = await console.ok(
    catalogue.createService,
    {
      name: `Service of ${name}`,
      type: 'API',
      category: 'Own',
      pricing,
      meter: { eventType: 'call', aggregation: 'sum', unit: 'calls' },
    },
    { token: admin },
  );
  const { id } = await console.ok(
    subscriptions.adminSubscribe,
    { organizationId: organizationId as Id<'org'>, serviceId: service.id, startedAt: new Date(startedAt) },
    { token: admin },
  );
  owners.set(name, { organizationId: organizationId as Id<'org'>, subscriptionId: id });
}
const of = (name: string) => required(owners.get(name), name);
async function use(name: string, value: string, time: string): Promise<void> {
  const event = {
    specversion: '1.0',
    id: randomBytes(8).toString('hex'),
    source: '/test',
    type: 'call',
    subject: of(name).subscriptionId,
    time,
    data: { value },
  };
  await console.ok(
    usage.ingest,
    {},
    {
      token: key,
      body: JSON.stringify([event]),
      headers: { 'content-type': 'application/cloudevents-batch+json' },
    },
  );
}
const close = (month: BillingMonth) => console.ok(billing.closeMonth, { month }, { token: admin });
const bills = async (month: BillingMonth) =>
  (await console.ok(billing.adminListBills, { month, limit: 200, sort: 'number' }, { token: admin })).items;
const job = () =>
  required(features.find((each) => each.name === 'billing')?.jobs[0], 'the job of billing').run(
    console.app,
    {} as never,
    new AbortController().signal,
  );

beforeAll(async () => {
  console = await createTestConsole(new Date('2024-09-02T00:00:00Z'));
  admin = await setUp(console);
  key = (await console.ok(identity.createApiKey, { name: 'gateway' }, { token: admin })).secret;
  await customer('steady', priced('1'));
  await customer('rising', priced('1'));
  await customer('broken', priced('2'));
  await customer('dollars', priced('0.25', 'USD'));
  for (const [name, value] of [
    ['steady', '100'],
    ['rising', '100'],
    ['broken', '50'],
    ['dollars', '10'],
  ] as const)
    await use(name, value, '2024-08-20T00:00:00Z');
  await close(august);
  await moveTo('2024-09-21T00:00:00Z');
  await customer('late', priced('1'), '2024-09-14T16:00:00Z');
  for (const [name, value] of [
    ['steady', '110'],
    ['rising', '900'],
    ['broken', '50'],
    ['dollars', '10'],
    ['late', '3'],
  ] as const)
    await use(name, value, '2024-09-20T00:00:00Z');
  await moveTo('2024-10-05T00:00:00Z');
});

describe('R-BILL-05: the preview of a close', () => {
  it('issues nothing, equals the close, and lists exceptions', async () => {
    await console.ok(billing.previewClose, { month: september }, { token: admin });
    expect(await bills(september)).toEqual([]);
    const { run, preview } = await console.ok(billing.getPreview, { month: september }, { token: admin });
    expect(run).toMatchObject({ kind: 'preview', state: 'done', organizationsDone: 5, issued: 5 });
    expect(preview?.failing).toEqual([]);
    expect(
      preview?.standOuts.map(({ kind, currency, count, bills: [first] }) => [
        kind,
        currency,
        count,
        first?.organization,
      ]),
    ).toEqual([
      ['rise', 'TWD', 1, 'rising'],
      ['first', 'TWD', 1, 'late'],
    ]);
    const totals = new Map(preview?.totals.map((each) => [each.currency, each]));
    expect(totals.get('TWD')).toMatchObject({ bills: 4, previousBills: 3 });
    await console.ok(billing.closeMonth, { month: september }, { token: admin });
    const issued = await bills(september);
    for (const currency of ['TWD', 'USD'] as const) {
      const ofCurrency = issued.filter((bill) => bill.currency === currency);
      expect(totals.get(currency)).toMatchObject({
        bills: ofCurrency.length,
        net: sumMoney(
          ofCurrency.map((bill) => bill.net),
          currency,
        ),
        tax: sumMoney(
          ofCurrency.map((bill) => bill.tax),
          currency,
        ),
        total: sumMoney(
          ofCurrency.map((bill) => bill.total),
          currency,
        ),
      });
    }
    await console.ok(billing.previewClose, { month: september }, { token: admin });
    expect((await console.ok(billing.getPreview, { month: september }, { token: admin })).preview).toEqual({
      totals: [],
      standOuts: [],
      failing: [],
    });
  });
  it('covers the running month so far, and no future month', async () => {
    await use('steady', '7', '2024-10-04T00:00:00Z');
    await console.ok(billing.previewClose, { month: october }, { token: admin });
    const { preview } = await console.ok(billing.getPreview, { month: october }, { token: admin });
    // Five base fees and seven calls, of which one fee is in dollars: (4 × 100 + 7) and 5 %.
    expect(preview?.totals[0]).toMatchObject({
      currency: 'TWD',
      net: money(407n, 'TWD'),
      tax: money(20n, 'TWD'),
    });
    expect(
      (await console.call(billing.previewClose, { month: '2024-11' as BillingMonth }, { token: admin }))
        .envelope.code,
    ).toBe('billing.month_not_begun');
  });
});

describe('R-BILL-05: a customer that cannot be billed', () => {
  it('is listed by the preview, parked with its reason while the others are billed, and billed once it is corrected', async () => {
    await moveTo('2024-11-05T00:00:00Z');
    const pricing = await sql<{
      id: string;
      pricing: object;
    }>`select v.id, v.pricing from price_version v join subscription b on b.service_id = v.service_id where b.id = ${of('broken').subscriptionId}`.execute(
      db(),
    );
    const version = required(pricing.rows[0], 'its price');
    const write = (value: object) =>
      db()
        .transaction()
        .execute(async (unit) => {
          await sql`alter table price_version disable trigger user`.execute(unit);
          await sql`update price_version set pricing = ${JSON.stringify(value)}::jsonb where id = ${version.id}`.execute(
            unit,
          );
          await sql`alter table price_version enable trigger user`.execute(unit);
        });
    await write({ ...version.pricing, baseFee: 'a hundred' });
    await console.ok(billing.previewClose, { month: october }, { token: admin });
    expect(
      (await console.ok(billing.getPreview, { month: october }, { token: admin })).preview?.failing,
    ).toMatchObject([{ organization: 'broken' }]);
    expect(await close(october)).toMatchObject({ issued: 4, parked: 1, stopped: false });
    const [run] = (await console.ok(billing.listCloseRuns, {}, { token: admin })).items;
    expect(run?.parked).toMatchObject([{ organization: 'broken', reason: expect.stringMatching(/./) }]);
    // The scheduled close does not retry what only an Admin can correct, and leaves nothing else behind.
    const before = (await console.ok(billing.listCloseRuns, {}, { token: admin })).items.length;
    await job();
    expect((await console.ok(billing.listCloseRuns, {}, { token: admin })).items).toHaveLength(before);
    await write(version.pricing);
    expect(await close(october)).toMatchObject({ issued: 1, skipped: 4, parked: 0 });
    expect((await bills(october)).map((bill) => bill.number)).toEqual(
      Array.from({ length: 5 }, (_, index) => `B-202410-00000${index + 1}`),
    );
  });
});

describe('R-BILL-05: the scheduled close', () => {
  it('runs once the grace time is over, leaves one record, and later hours leave none', async () => {
    const runs = async () => (await console.ok(billing.listCloseRuns, {}, { token: admin })).items.length;
    const before = await runs();
    // November ends in Taipei on the 30th at 16:00 UTC; 72 hours later it is closed.
    await moveTo('2024-12-03T15:59:59Z');
    await job();
    expect(await runs()).toBe(before);
    await moveTo('2024-12-03T16:00:00Z');
    await job();
    await job();
    expect(await runs()).toBe(before + 1);
    expect(await bills('2024-11' as BillingMonth)).toHaveLength(5);
  });
});

describe('F9: clocks', () => {
  const runs = async () => (await console.ok(billing.listCloseRuns, {}, { token: admin })).items;
  const issued = async () =>
    (await sql<{ count: bigint }>`select count(*) from bill`.execute(db())).rows[0]?.count;

  it('that are set back bill nobody early or again; after a pause the missed months are closed', async () => {
    const before = await issued();
    await moveTo('2024-11-20T00:00:00Z');
    await job();
    expect(
      (await console.call(billing.closeMonth, { month: '2024-11' as BillingMonth }, { token: admin }))
        .envelope.code,
    ).toBe('billing.month_not_over');
    expect(await issued()).toBe(before);
    // Switched off from the beginning of December to March.
    await moveTo('2025-03-10T00:00:00Z');
    await job();
    expect(await issued()).toBe((before ?? 0n) + 15n);
    expect((await runs()).slice(0, 3).map((run) => [run.month, run.issued])).toEqual([
      ['2025-02', 5],
      ['2025-01', 5],
      ['2024-12', 5],
    ]);
    const numbers = (await bills('2025-01' as BillingMonth)).map((bill) => bill.number);
    expect(numbers).toEqual(Array.from({ length: 5 }, (_, index) => `B-202501-00000${index + 1}`));
    await job();
    expect(await issued()).toBe((before ?? 0n) + 15n);
    // Closing an old month, after an import for example, does not bill the months since.
    await console.ok(billing.closeMonth, { month: '2023-01' as BillingMonth }, { token: admin });
    await sql`delete from close_run where month > '2023-01'`.execute(db());
    await sql`delete from month_closed where month = '2024-12'`.execute(db());
    await job();
    expect(await issued()).toBe((before ?? 0n) + 15n);
  });
});

describe('R-BILL-05: a running close', () => {
  const march = '2025-03' as BillingMonth;
  it('that is stopped keeps its issued bills, and the next one continues from there', async () => {
    await moveTo('2025-04-06T00:00:00Z');
    // More than one chunk of organizations, of which the first is small; those without charges get no bill.
    const more = Array.from({ length: 600 }, () =>
      encodeId('org', Date.parse('2025-01-01T00:00:00Z'), randomBytes(10)),
    );
    await sql`insert into organization (id, name, time_zone, language, created_at) select id, id, 'Asia/Taipei', 'zhTW', now() from unnest(${more}::text[]) as id`.execute(
      db(),
    );
    // The first chunk waits for the number series, which this transaction locks, so that the stop can be
    // requested.
    const hold = await db().startTransaction().execute();
    await sql`insert into bill_series (series, last_number) values ('B-202503', 0)`.execute(hold);
    const closing = close(march);
    const running = async () =>
      (await console.ok(billing.listCloseRuns, {}, { token: admin })).items.find(
        (run) => run.month === march && run.state === 'running',
      );
    await expect.poll(running).toMatchObject({ organizationsTotal: 605, organizationsDone: 0 });
    await console.ok(
      billing.stopCloseRun,
      { runId: required(await running(), 'the run').id },
      { token: admin },
    );
    await hold.commit().execute();
    expect(await closing).toMatchObject({ issued: 5, stopped: true });
    const [stopped] = (await console.ok(billing.listCloseRuns, {}, { token: admin })).items;
    expect(stopped).toMatchObject({ state: 'stopped', organizationsDone: 100 });
    expect(
      (await console.call(billing.stopCloseRun, { runId: required(stopped, 'it').id }, { token: admin }))
        .envelope.code,
    ).toBe('billing.run_not_running');
    expect(await close(march)).toMatchObject({ issued: 0, skipped: 5, stopped: false });
    expect((await console.ok(billing.listCloseRuns, {}, { token: admin })).items[0]).toMatchObject({
      state: 'done',
      organizationsTotal: 505,
      organizationsDone: 505,
    });
  });
  it('without a sign of life for minutes is shown as interrupted', async () => {
    await sql`insert into close_run (id, kind, month, state, started_at, progress_at, started_by) values ('run_0000000000000000000000zzzz', 'close', '2024-12', 'running', '2025-01-05', '2025-01-05', 'x')`.execute(
      db(),
    );
    expect(
      (await console.ok(billing.listCloseRuns, {}, { token: admin })).items.find((run) =>
        run.id.endsWith('zzzz'),
      )?.state,
    ).toBe('interrupted');
  });
});

describe('R-BILL-05, R-BILL-04: bills as a file', () => {
  const rowsOf = (bytes: unknown): Record<string, string>[] =>
    parse(Buffer.from(bytes as Uint8Array).toString('utf8'), { bom: true, columns: true }) as Record<
      string,
      string
    >[];
  const sumBy = (
    rows: readonly Record<string, string>[],
    key: string,
    amount: string,
  ): Record<string, string> =>
    Object.fromEntries(
      [...Map.groupBy(rows, (row) => row[key] ?? '')].map(([name, group]) => [
        name,
        sumDecimals(group.map((row) => decimal(row[amount] ?? ''))).toFixed(),
      ]),
    );
  const totalsOf = async (): Promise<Record<string, string>> =>
    Object.fromEntries(
      (await bills(september)).map((bill) => [bill.number, decimal(moneyText(bill.total)).toFixed()]),
    );

  it('as a table have lines and tax that add up to each bill’s total', async () => {
    const file = await console.ok(
      billing.adminExportBills,
      { format: 'csv', month: september },
      { token: admin },
    );
    const rows = rowsOf(file.body);
    expect(sumBy(rows, 'Bill number', 'Amount')).toEqual(await totalsOf());
    expect(rows.filter((row) => row['Kind'] === 'Tax')).toHaveLength(5);
    expect(
      (await console.ok(billing.adminExportBills, { format: 'xlsx', month: september }, { token: admin }))
        .mediaType,
    ).toContain('spreadsheetml');
  });
  it('in the columns of FOCUS 1.3 have the same costs, with service providers, and taxes without infrastructure', async () => {
    const rows = rowsOf(
      (
        await console.ok(
          billing.adminExportBills,
          { format: 'focus', version: '1.3', month: september },
          { token: admin },
        )
      ).body,
    );
    expect(sumBy(rows, 'InvoiceId', 'BilledCost')).toEqual(await totalsOf());
    for (const row of rows) {
      expect(row['ServiceProviderName']).toBe(row['ProviderName']);
      expect(row['HostProviderName']).toBe(
        row['ChargeCategory'] === 'Tax' ? 'Not Applicable' : row['ProviderName'],
      );
    }
    expect(new Set(rows.map((row) => row['ChargeCategory']))).toContain('Tax');
  });
  it('in the columns of FOCUS 1.2 have every mandatory column, filled where the standard says so, and costs that add up to the bills', async () => {
    const rows = rowsOf(
      (await console.ok(billing.adminExportBills, { format: 'focus', month: september }, { token: admin }))
        .body,
    );
    expect(sumBy(rows, 'InvoiceId', 'BilledCost')).toEqual(await totalsOf());
    // From the FOCUS standard: these are never null; ChargeClass only for corrections; pricing only where
    // there is a price.
    const never = [
      'BilledCost',
      'BillingAccountId',
      'BillingAccountName',
      'BillingCurrency',
      'BillingPeriodEnd',
      'BillingPeriodStart',
      'ChargeCategory',
      'ChargeDescription',
      'ChargePeriodEnd',
      'ChargePeriodStart',
      'ContractedCost',
      'EffectiveCost',
      'InvoiceIssuerName',
      'ListCost',
      'ProviderName',
      'PublisherName',
      'ServiceCategory',
      'ServiceName',
    ];
    for (const row of rows) {
      expect(never.filter((column) => !row[column])).toEqual([]);
      expect(['Usage', 'Purchase', 'Tax', 'Adjustment', 'Credit']).toContain(row['ChargeCategory']);
      const isPriced = row['ChargeCategory'] === 'Usage' || row['ChargeCategory'] === 'Purchase';
      expect([Boolean(row['PricingQuantity']), Boolean(row['PricingUnit'])]).toEqual([isPriced, isPriced]);
      expect(Boolean(row['ConsumedQuantity'])).toBe(row['ChargeCategory'] === 'Usage');
      expect(Object.keys(row)).toContain('ChargeClass');
    }
  });
  it('downloaded by a member contain only the own organization’s bills', async () => {
    const token = await signIn(console, 'owner@steady.example');
    const rows = rowsOf((await console.ok(billing.exportBills, { format: 'csv' }, { token })).body);
    expect(new Set(rows.map((row) => row['Organization']))).toEqual(new Set(['steady']));
    expect((await console.call(billing.adminExportBills, { format: 'csv' }, { token })).status).toBe(403);
  });
});
