// The main job end to end on real cloud usage: import, close, pay, and every figure adding up.
import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { decimal, sumDecimals } from '#kernel/decimal.ts';
import { money, moneyText } from '#kernel/money.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { pdfPages } from '../support/pdf.ts';
import { administration, type FocusImport } from '#features/operations/administration/contract.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { notifications } from '#features/messaging/notifications/contract.ts';
import { books } from '#features/reporting/books/contract.ts';
import { payments } from '#features/receivables/payments/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
import { createTestConsole, setUp, signIn, userPassword, type TestConsole } from '../support/console.ts';

const september = '2024-09' as BillingMonth;
/** The file’s rows of usage, read independently of the console. */
type Row = {
  readonly service: string;
  readonly account: string;
  readonly sku: string;
  readonly cost: ReturnType<typeof decimal>;
};
const csv = readFileSync(new URL('../../demo-data/focus-sample.csv', import.meta.url), 'utf8');
const rowsOfUsage = (parse(csv, { columns: true }) as Record<string, string>[])
  .filter((row) => row['ChargeCategory'] === 'Usage')
  .map((row): Row => ({
    service: `${row['ProviderName']} ${row['ServiceName']}`,
    account: row['SubAccountName'] ?? '',
    sku: [row['SkuId'], row['SkuPriceId'], row['PricingUnit']].join(),
    cost: decimal(row['PricingQuantity'] ?? '').times(decimal(row['ListUnitPrice'] ?? '')),
  }));
const different = (...of: readonly (keyof Row)[]): number =>
  new Set(rowsOfUsage.map((row) => of.map((field) => String(row[field])).join('\n'))).size;
let console: TestConsole;
let admin: string;

async function importFile(body: string): Promise<FocusImport> {
  const { id } = await console.ok(
    administration.importFocus,
    { fileName: 'focus.csv' },
    { token: admin, body, headers: { 'content-type': 'text/csv' } },
  );
  return vi.waitFor(
    async () => {
      const found = await console.ok(administration.getImport, { importId: id }, { token: admin });
      expect(['done', 'failed']).toContain(found.state);
      return found;
    },
    { timeout: 50_000, interval: 50 },
  );
}

beforeAll(async () => {
  console = await createTestConsole();
  admin = await setUp(console, { currency: 'USD' });
});

describe('real cloud usage becomes bills that are paid', () => {
  it('imports the FOCUS file: organizations, services, prices, subscriptions, events; every skipped row with its reason (R-USE-03)', async () => {
    const done = await importFile(csv);
    expect(done).toMatchObject({ state: 'done', rowsTotal: 798, rowsDone: 798 });
    expect(done.report).toMatchObject({
      months: [september],
      organizations: { created: 68, existing: 0 },
      services: { created: 31 },
      priceVersions: { created: 31 },
      subscriptions: { created: 191 },
      events: { created: 795, existing: 0 },
      refusedTotal: 3,
    });
    expect([different('service'), different('account', 'service')]).toEqual([31, 191]);
    expect(done.report.refused.map((row) => row.code)).toEqual(Array(3).fill('administration.row_no_usage'));
  });

  it('creates a charge with its name for each SKU, or a matrix by SKU if there are too many for a rate card', async () => {
    const { items } = await console.ok(catalogue.adminListServices, { limit: 200 }, { token: admin });
    const skus = items.map(({ charges }) =>
      charges.reduce((sum, charge) => sum + (charge.model === 'matrix' ? charge.rates.length : 1), 0),
    );
    expect(skus.reduce((sum, count) => sum + count, 0)).toBe(different('service', 'sku'));
    const large = items.filter(({ charges }) => charges.some(({ model }) => model === 'matrix'));
    expect(large.map(({ name, charges }) => [name, charges.length])).toEqual([
      ['Amazon Elastic Compute Cloud', 28],
    ]);
    expect(
      large[0]?.charges.flatMap((each) =>
        each.model === 'matrix' ? [[each.name.zhTW, each.name.enUS, each.rates.length]] : [],
      ),
    ).toEqual([
      ['GB（依 SKU）', 'GB by SKU', 48],
      ['GB-Months（依 SKU）', 'GB-Months by SKU', 26],
    ]);
    const queue = items.find(({ name }) => name === 'Amazon Simple Queue Service');
    expect(queue?.charges.map(({ name }) => name.enUS).toSorted()[0]).toBe(
      '$0.40 per million Amazon SQS standard requests in Tier1 in Asia Pacific (Seoul)',
    );
    expect(queue).toMatchObject({ category: 'AWS', quota: { type: 'unlimited' } });
  });

  it('imports it again without changing anything', async () => {
    const before = await fingerprint();
    const again = await importFile(csv);
    expect(again.report).toMatchObject({
      organizations: { created: 0, existing: 68 },
      services: { created: 0, existing: 31 },
      priceVersions: { created: 0 },
      subscriptions: { created: 0, existing: 191 },
      events: { created: 0, existing: 795 },
      refusedTotal: 3,
    });
    expect(await fingerprint()).toEqual(before);
    const { items, total } = await console.ok(
      administration.listImports,
      { sort: '-createdAt' },
      { token: admin },
    );
    expect([total, items.length]).toEqual([2, 2]);
    expect(items).toContainEqual(again);
  });

  it('rejects a file that is not FOCUS, naming what is missing', async () => {
    const send = (body: string) =>
      console.call(
        administration.importFocus,
        {},
        { token: admin, body, headers: { 'content-type': 'text/csv' } },
      );
    expect((await send('a,b\n1,2\n')).envelope).toMatchObject({
      code: 'administration.import_columns_missing',
      message: expect.stringContaining('BillingCurrency'),
    });
    expect((await send('a,b\n')).envelope).toMatchObject({ code: 'administration.import_empty' });
    expect((await send('a,b\n"1,2\n')).envelope).toMatchObject({ code: 'administration.import_not_csv' });
  });

  it('closes September: one bill per organization and currency, gapless numbers, nothing issued twice (R-BILL-05)', async () => {
    const first = await console.ok(billing.closeMonth, { month: september }, { token: admin });
    expect(first).toMatchObject({ issued: 67, skipped: 0, parked: 0 });
    expect(await console.ok(billing.closeMonth, { month: september }, { token: admin })).toMatchObject({
      issued: 0,
      skipped: 67,
    });
    const { rows } = await sql<{ number: string }>`select number from bill order by number`.execute(
      console.app.database.kysely,
    );
    expect(rows.map((row) => row.number)).toEqual(
      Array.from({ length: 67 }, (_, index) => `B-202409-${String(index + 1).padStart(6, '0')}`),
    );
  });

  it('reconciles the bills with the file’s ListCost to the last digit', async () => {
    const { items } = await console.ok(administration.reconcile, { month: september }, { token: admin });
    const [usd] = items;
    // Computed independently, from the file only: the sum of its ListCost column.
    expect(items).toHaveLength(1);
    expect(usd).toMatchObject({
      currency: 'USD',
      listCost: '19.47178220689',
      refused: '-2.6137',
      unexplained: '0',
      bills: 67,
      lines: 333,
    });
    const adds = sumDecimals([
      decimal(usd?.listCost ?? '0'),
      decimal(usd?.refused ?? '0').times('-1'),
      decimal(usd?.rowDifferences ?? '0'),
      decimal(usd?.rounding ?? '0'),
    ]);
    expect(adds.eq(decimal(usd?.net ?? '0'))).toBe(true);
    // Every organization’s lines equal the file’s rows of its account, before rounding.
    const { rows } = await sql<{
      name: string;
      exact: string;
    }>`select o.name, sum(l.exact_amount)::text as exact from bill b join organization o on o.id = b.organization_id join bill_line l on l.bill_id = b.id group by 1`.execute(
      console.app.database.kysely,
    );
    const rowsByAccount = Map.groupBy(rowsOfUsage, ({ account }) => account);
    expect(rows).toHaveLength(rowsByAccount.size);
    for (const { name, exact } of rows) {
      const due = sumDecimals((rowsByAccount.get(name) ?? []).map(({ cost }) => cost));
      expect(decimal(exact).eq(due), name).toBe(true);
    }
  });

  it('books every bill: all accounts of a currency sum to zero and receivables equal the unpaid bills (R-BILL-05)', async () => {
    const { items } = await console.ok(books.trialBalance, {}, { token: admin });
    const minor = (item: (typeof items)[number] | undefined): bigint =>
      (item?.debit?.minor ?? 0n) - (item?.credit?.minor ?? 0n);
    expect(items.reduce((sum, item) => sum + minor(item), 0n)).toBe(0n);
    const { rows } = await sql<{
      due: bigint;
    }>`select sum(total_minor - paid_minor)::bigint as due from bill where state = 'open'`.execute(
      console.app.database.kysely,
    );
    expect(minor(items.find((item) => item.kind === 'receivable'))).toBe(rows[0]?.due);
  });

  it('lets a user of an organization see, explain, download and pay the bill (R-BILL-01, R-BILL-02, R-BILL-04)', async () => {
    const bills = await console.ok(billing.adminListBills, { sort: '-total', limit: 1 }, { token: admin });
    const [largest] = bills.items;
    if (!largest) throw new Error('no bill');
    await console.ok(
      identity.createUser,
      {
        account: 'user@customer.example',
        name: 'Customer',
        role: 'User',
        organizationId: largest.organizationId,
        password: userPassword,
      },
      { token: admin },
    );
    const user = await signIn(console, 'user@customer.example');

    const detail = await console.ok(billing.getBill, { billId: largest.id }, { token: user });
    expect(detail.lines.reduce((sum, line) => sum + line.total.minor, 0n)).toBe(detail.net.minor);
    expect(detail.net.minor + detail.tax.minor).toBe(detail.total.minor);
    // Each line is explained: its days add up to its quantity, and the steps of its price to its exact amount.
    for (const line of detail.lines) {
      const why = await console.ok(
        billing.explainLine,
        { billId: largest.id, lineId: line.id },
        { token: user },
      );
      expect(sumDecimals(why.days.map((day) => decimal(day.quantity))).eq(decimal(line.quantity))).toBe(true);
      expect(sumDecimals(why.steps.map(({ amount }) => decimal(amount))).eq(decimal(why.line.exact))).toBe(
        true,
      );
      if (line.unitPrice !== null)
        expect(decimal(line.quantity).times(decimal(line.unitPrice)).eq(decimal(why.line.exact))).toBe(true);
    }
    expect(detail.lines.some(({ unitPrice }) => unitPrice === null)).toBe(true);

    expect((await console.ok(subscriptions.listSubscriptions, { limit: 200 }, { token: user })).total).toBe(
      new Set(detail.lines.map(({ subscriptionId }) => subscriptionId)).size,
    );

    for (const [language, total, name] of [
      ['zhTW', '含稅總額 US', '服務'],
      ['enUS', 'Total incl. tax ', 'Service'],
    ] as const) {
      const pdf = await console.ok(billing.billPdf, { billId: largest.id, language }, { token: user });
      expect(pdf).toMatchObject({
        mediaType: 'application/pdf',
        fileName: expect.stringContaining(`${largest.number}.pdf`),
      });
      const pages = await pdfPages(pdf.body as Uint8Array);
      expect(pages[0]).toContain(`Formosa Cloud Skytally · ${largest.number}`);
      expect(pages.at(-1)).toContain(`${total}$${moneyText(detail.total)}`);
      const table = await console.ok(billing.billCsv, { billId: largest.id, language }, { token: user });
      const [header, ...rows] = parse(Buffer.from(table.body as Uint8Array), { bom: true }) as string[][];
      expect(header).toContain(name);
      expect(rows.map((row) => row.at(-2))).toEqual(detail.lines.map((each) => moneyText(each.total)));
    }
    expect((await console.call(billing.billPdf, { billId: largest.id }, { token: admin })).status).toBe(403);

    const pay = () =>
      console.call(payments.payBill, { billId: largest.id, method: 'balance' }, { token: user });
    expect((await pay()).envelope).toMatchObject({ code: 'payments.balance_too_low' });
    const topUp = await console.ok(payments.topUp, { amount: money(5000n, 'USD') }, { token: user });
    expect((await pay()).envelope).toMatchObject({ code: 'payments.balance_too_low' });
    await console.ok(payments.confirmPayment, { paymentId: topUp.id }, { token: admin });
    expect((await pay()).data).toMatchObject({ state: 'succeeded', amount: detail.total });
    expect((await pay()).envelope).toMatchObject({ code: 'billing.already_paid' });
    expect(await console.ok(billing.getBill, { billId: largest.id }, { token: user })).toMatchObject({
      state: 'paid',
      paymentStatus: 'paid',
      due: money(0n, 'USD'),
    });
    const { balances, owed } = await console.ok(payments.balance, {}, { token: user });
    expect({ balances, owed }).toEqual({
      balances: [money(5000n - detail.total.minor, 'USD')],
      owed: [money(0n, 'USD')],
    });
    expect(
      (await console.ok(notifications.listNotifications, {}, { token: user })).items.map((item) => item.type),
    ).toEqual(['payment', 'payment']);
  });

  it('shows the usage of each day with its cost, which adds up to the month (R-USE-01)', async () => {
    const user = await signIn(console, 'user@customer.example');
    const statistics = await console.ok(usage.statistics, { month: september }, { token: user });
    expect(statistics.events).toBe(181);
    const daily = await console.ok(
      usage.daily,
      { from: '2024-09-01' as LocalDay, to: '2024-09-30' as LocalDay },
      { token: user },
    );
    expect(
      sumDecimals(daily.series.flatMap((series) => series.costs.map(decimal))).eq(
        decimal(statistics.totalCost.amount),
      ),
    ).toBe(true);
  });
});

/** Everything that an import may change, as one comparable value. */
async function fingerprint(): Promise<unknown> {
  const { rows } =
    await sql`select (select count(*) from usage_event) as events, (select md5(string_agg(u::text, ',' order by u.subscription_id, u.hour)) from usage_hour u) as hours,
    (select md5(string_agg(u::text, ',' order by u.subscription_id, u.month)) from usage_month u) as months, (select md5(string_agg(r::text, ',' order by r.source, r.row_id)) from import_row r) as rows,
    (select count(*) from subscription) as subscriptions, (select count(*) from price_version) as prices, (select count(*) from organization) as organizations`.execute(
      console.app.database.kysely,
    );
  return rows[0];
}
