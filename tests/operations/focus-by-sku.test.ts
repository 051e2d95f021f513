// FOCUS imports by SKU over time: further months, further files of a month, second prices, and installations
// that imported before rate cards.
import { sql } from 'kysely';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { decimal, decimalText, sumDecimals } from '#kernel/decimal.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { administration, type FocusImport } from '#features/operations/administration/contract.ts';
import { neededColumns } from '#features/operations/administration/rules.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { catalogue, type CatalogueFile } from '#features/selling/catalogue/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
import { runCli } from '../support/cli.ts';
import { createTestConsole, setUp, type TestConsole } from '../support/console.ts';

let console: TestConsole;
let admin: string;

beforeEach(async () => {
  console = await createTestConsole(new Date('2024-11-05T00:00:00Z'));
  admin = await setUp(console, { currency: 'USD' });
});

type Row = {
  readonly id: string;
  readonly day?: string;
  readonly service?: string;
  readonly sku: string;
  readonly unit?: string;
  readonly price: string;
  readonly quantity: string;
  readonly currency?: string;
  readonly account?: string;
};
const columns = [...neededColumns, 'Id', 'SkuPriceId', 'ChargeDescription', 'ListCost', 'SubAccountName'];
const costOf = ({ price, quantity }: Row): string => decimalText(decimal(price).times(decimal(quantity)));

function csvOf(rows: readonly Row[]): string {
  const lines = rows.map((row) => {
    const { id, day = '2024-09-05', service = 'Compute', sku, unit = 'Hours', price, quantity } = row;
    const account = row.account ?? 'Account';
    const values: Record<string, string> = {
      BillingCurrency: row.currency ?? 'USD',
      BillingPeriodStart: `${day.slice(0, 7)}-01 00:00:00`,
      ChargeCategory: 'Usage',
      ChargePeriodStart: `${day} 10:00:00`,
      ListUnitPrice: price,
      PricingQuantity: quantity,
      PricingUnit: unit,
      ProviderName: 'Cloud',
      ServiceName: service,
      SkuId: sku,
      SkuPriceId: `${sku}.P`,
      SubAccountId: account,
      SubAccountName: account,
      Id: id,
      ChargeDescription: `Name of ${sku}`,
      ListCost: costOf(row),
    };
    return columns.map((column) => values[column] ?? '').join(',');
  });
  return [columns.join(','), ...lines].join('\n');
}

async function importRows(rows: readonly Row[]): Promise<FocusImport['report']> {
  const { id } = await console.ok(
    administration.importFocus,
    {},
    { token: admin, body: csvOf(rows), headers: { 'content-type': 'text/csv' } },
  );
  const done = await vi.waitFor(
    async () => {
      const found = await console.ok(administration.getImport, { importId: id }, { token: admin });
      expect(['done', 'failed']).toContain(found.state);
      return found;
    },
    { timeout: 30_000, interval: 25 },
  );
  expect(done.failure).toBeNull();
  return done.report;
}

/**
 * Closes the months, and expects that their bills equal the rows, to the last digit; returns the services of
 * the lines.
 */
async function expectBills(rows: readonly Row[]): Promise<void> {
  const months = [
    ...new Set(rows.map(({ day = '2024-09-05' }) => day.slice(0, 7) as BillingMonth)),
  ].toSorted();
  for (const month of months) await console.ok(billing.closeMonth, { month }, { token: admin });
  for (const month of months) {
    const { items } = await console.ok(administration.reconcile, { month }, { token: admin });
    const ofMonth = rows.filter(({ day = '2024-09-05' }) => day.startsWith(month));
    for (const { currency, unexplained, exact } of items) {
      const own = ofMonth.filter((row) => (row.currency ?? 'USD') === currency);
      expect([month, unexplained]).toEqual([month, '0']);
      expect(exact).toBe(decimalText(sumDecimals(own.map((row) => decimal(costOf(row))))));
    }
  }
  const { rows: billed } = await sql<{
    exact: string;
  }>`select coalesce(sum(exact_amount), 0)::text as exact from bill_line`.execute(
    console.app.database.kysely,
  );
  const due = sumDecimals(rows.map((row) => decimal(costOf(row))));
  expect(decimal(billed[0]?.exact ?? '0').eq(due)).toBe(true);
}

const refs = async (): Promise<string[]> =>
  (
    await sql<{ ref: string }>`select external_ref as ref from service order by 1`.execute(
      console.app.database.kysely,
    )
  ).rows.map(({ ref }) => ref);

describe('FOCUS files imported one after the other', () => {
  const september: Row[] = [
    { id: '1', sku: 'A', price: '0.1', quantity: '3' },
    { id: '2', sku: 'B', price: '0.02', quantity: '5' },
    { id: '3', sku: 'B', unit: 'GB', price: '0.7', quantity: '11', account: 'Other' },
    { id: '4', service: 'Storage', sku: 'A', price: '0.1', quantity: '2' },
    { id: '5', sku: 'A', price: '0.1', quantity: '4', account: 'Other' },
  ];

  it('add SKUs and changed prices in the next month, and each month is billed as in its file', async () => {
    expect(await importRows(september)).toMatchObject({
      services: { created: 2, existing: 0 },
      priceVersions: { created: 2 },
      subscriptions: { created: 3 },
      events: { created: 5 },
    });
    const october: Row[] = [
      { id: '11', day: '2024-10-02', sku: 'A', price: '0.3', quantity: '7' },
      { id: '12', day: '2024-10-02', sku: 'C', price: '1.25', quantity: '3', account: 'Other' },
      { id: '13', day: '2024-10-31', service: 'Storage', sku: 'A', price: '0.1', quantity: '9' },
    ];
    expect(await importRows(october)).toMatchObject({
      services: { created: 0, existing: 2 },
      // The storage's price has not changed.
      priceVersions: { created: 1 },
      subscriptions: { created: 0, existing: 3 },
      events: { created: 3, existing: 0 },
    });
    // The month before the first one, imported after it.
    const august: Row[] = [
      { id: '21', day: '2024-08-09', sku: 'A', price: '0.05', quantity: '6', account: 'New' },
    ];
    expect(await importRows(august)).toMatchObject({
      services: { created: 0, existing: 1 },
      priceVersions: { created: 1 },
    });
    const all = [...september, ...october, ...august];
    expect(await importRows(all)).toMatchObject({
      services: { created: 0, existing: 2 },
      priceVersions: { created: 0 },
      subscriptions: { created: 0 },
      events: { created: 0, existing: 9 },
    });
    expect(await refs()).toEqual(['focus-service:Cloud:Compute', 'focus-service:Cloud:Storage']);
    await expectBills(all);
    const { code, out } = await runCli(console, 'verify');
    expect(code, out).toBe(0);
  });

  it('add a second service for a month that already has a price: more SKUs, a second price, another currency', async () => {
    await importRows(september);
    const more: Row[] = [
      { id: '31', sku: 'D', price: '5', quantity: '1' },
      { id: '32', sku: 'A', price: '0.2', quantity: '10' },
      { id: '33', sku: 'A', price: '0.1', quantity: '1', currency: 'EUR' },
      { id: '34', sku: 'A', price: '0.1', quantity: '8' },
    ];
    expect(await importRows(more)).toMatchObject({
      services: { created: 2, existing: 1 },
      events: { created: 4 },
    });
    expect(await refs()).toEqual([
      'focus-service:Cloud:Compute',
      'focus-service:Cloud:Compute#2',
      'focus-service:Cloud:Compute#3',
      'focus-service:Cloud:Storage',
    ]);
    expect(await importRows([...more, ...september])).toMatchObject({
      services: { created: 0 },
      priceVersions: { created: 0 },
      subscriptions: { created: 0 },
      events: { created: 0, existing: 9 },
    });
    await expectBills([...september, ...more]);
  });

  it('reject live usage of a SKU without a charge, which could not be billed', async () => {
    await importRows(september);
    const { rows } = await sql<{
      id: string;
    }>`select b.id from subscription b join service s on s.id = b.service_id where s.external_ref = 'focus-service:Cloud:Compute' limit 1`.execute(
      console.app.database.kysely,
    );
    const { secret } = await console.ok(identity.createApiKey, { name: 'gateway' }, { token: admin });
    const eventOf = ({ id, ...data }: { id: string; sku: string; unit: string }) => ({
      specversion: '1.0',
      id,
      source: 'gateway',
      type: 'org.finops.focus.usage',
      subject: rows[0]?.id,
      time: '2024-09-20T00:00:00Z',
      data: { value: '1', ...data },
    });
    const answer = await console.ok(
      usage.ingest,
      {},
      {
        token: secret,
        body: JSON.stringify([
          eventOf({ id: 'known', sku: 'A.P', unit: 'Hours' }),
          eventOf({ id: 'unknown', sku: 'Z.P', unit: 'Hours' }),
          eventOf({ id: 'other unit', sku: 'A.P', unit: 'GiB' }),
        ]),
        headers: { 'content-type': 'application/cloudevents-batch+json' },
      },
    );
    expect([answer.accepted, answer.rejected.map(({ code }) => code)]).toEqual([
      1,
      ['usage.filter_not_met', 'usage.filter_not_met'],
    ]);
  });
});

describe('an installation that imported before rate cards', () => {
  /** Services of single SKUs, as earlier imports created them: the reference names the SKU and its price. */
  async function singleServices(rows: readonly Row[]): Promise<void> {
    const file: CatalogueFile = {
      skytallyCatalogue: 1,
      services: rows.map(({ sku, unit = 'Hours', price }) => ({
        ref: `focus:Cloud:${sku}:${sku}.P`,
        name: `Compute: Name of ${sku}`,
        type: 'Other',
        category: 'Cloud',
        meter: { eventType: 'org.finops.focus.usage', aggregation: 'sum', unit },
        pricing: { model: 'per_unit', currency: 'USD', unitPrice: price },
        effectiveFrom: new Date('2024-09-01T00:00:00Z'),
      })),
    };
    const { planId } = await console.ok(catalogue.planCatalogue, { file }, { token: admin });
    await console.ok(catalogue.applyCatalogue, { file, planId }, { token: admin });
  }
  const before: Row[] = [
    { id: '1', sku: 'A', price: '0.1', quantity: '3' },
    { id: '2', sku: 'B', unit: 'GB', price: '0.02', quantity: '5', account: 'Other' },
  ];
  const everything = async (): Promise<unknown> =>
    (
      await sql`select (select md5(string_agg(s::text, ',' order by s.id)) from service s) as services, (select md5(string_agg(b::text, ',' order by b.id)) from subscription b) as subscriptions,
      (select md5(string_agg(p::text, ',' order by p.id)) from price_version p) as prices, (select md5(string_agg(e::text, ',' order by e.event_id)) from usage_event e) as events,
      (select md5(string_agg(u::text, ',' order by u.subscription_id, u.month)) from usage_month u) as months, (select md5(string_agg(r::text, ',' order by r.row_id)) from import_row r) as rows`.execute(
        console.app.database.kysely,
      )
    ).rows[0];

  it('keeps its services with their usage; importing the file again changes nothing, and only new SKUs are added to rate cards', async () => {
    await singleServices(before);
    expect(await importRows(before)).toMatchObject({
      services: { created: 0, existing: 2 },
      priceVersions: { created: 0 },
      subscriptions: { created: 2 },
      events: { created: 2 },
    });
    // The events are as earlier imports created them: without a SKU in their data.
    const { rows } = await sql`select distinct properties, type from usage_event`.execute(
      console.app.database.kysely,
    );
    expect(rows).toEqual([{ properties: null, type: null }]);
    const stateBefore = await everything();
    expect(await importRows(before)).toMatchObject({ events: { created: 0, existing: 2 }, refusedTotal: 0 });
    expect(await everything()).toEqual(stateBefore);
    const october: Row[] = [
      { id: '11', day: '2024-10-02', sku: 'A', price: '0.4', quantity: '3' },
      { id: '12', day: '2024-10-02', sku: 'C', price: '2', quantity: '5' },
    ];
    expect(await importRows([...before, ...october])).toMatchObject({
      services: { created: 1, existing: 2 },
      priceVersions: { created: 2 },
      subscriptions: { created: 1, existing: 2 },
      events: { created: 2, existing: 2 },
    });
    expect(await refs()).toEqual(['focus-service:Cloud:Compute', 'focus:Cloud:A:A.P', 'focus:Cloud:B:B.P']);
    await expectBills([...before, ...october]);
  });
});
