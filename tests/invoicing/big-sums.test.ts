// Figures beyond every limit: no page fails because of them, other customers are not affected, and a close
// parks the customers that cannot be billed.
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { file, pathNames, type Route } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { required } from '#kernel/assert.ts';
import { money, moneyText } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { addMonths } from '#kernel/time.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { credits } from '#features/invoicing/credits/contract.ts';
import { budgets } from '#features/metering/budgets/contract.ts';
import { catalogue, type Aggregation } from '#features/selling/catalogue/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { payments } from '#features/receivables/payments/contract.ts';
import { planning } from '#features/invoicing/planning/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
import { packs } from '#features/reporting/packs/contract.ts';
import { consoleContract } from '#app/console/contract.ts';
import { features } from '#app/features.ts';
import {
  adminAccount,
  createTestConsole,
  registerUser,
  setUp,
  signIn,
  type TestConsole,
} from '../support/console.ts';

const [july, august, september] = ['2024-07', '2024-08', '2024-09'] as [
  BillingMonth,
  BillingMonth,
  BillingMonth,
];
const everyAggregation = [
  'sum',
  'count',
  'max',
  'latest',
  'unique_count',
  'time_weighted_average',
] as const satisfies readonly Aggregation[];
/** The net amount that one customer with six small services is billed for a month. */
const smallNet = money(654n, 'TWD');
/** More digits than any event, price or money column may have. */
const huge = '9'.repeat(60);

let console: TestConsole;
let admin: string;
let key: string;
const owners = new Map<string, { organizationId: Id<'org'>; userId: string; token: string }>();
const of = (name: string) => required(owners.get(name), name);
const services = new Map<Aggregation, Id<'svc'>>();
const held = new Map<string, Id<'sub'>[]>();
const db = () => console.app.database.kysely;

async function moveTo(moment: string): Promise<void> {
  console.clock.set(new Date(moment));
  admin = await signIn(console, adminAccount.account, adminAccount.password);
  for (const name of owners.keys())
    owners.set(name, { ...of(name), token: await signIn(console, `owner@${name}.example`) });
}

async function register(name: string): Promise<void> {
  const { organizationId, ...person } = await registerUser(console, `owner@${name}.example`, name);
  owners.set(name, { ...person, organizationId: organizationId as Id<'org'> });
}

/** A customer with a subscription for each kind of meter. */
async function customer(name: string): Promise<void> {
  await register(name);
  const { organizationId } = of(name);
  const ids: Id<'sub'>[] = [];
  for (const aggregation of everyAggregation) {
    const { id } = await console.ok(
      subscriptions.adminSubscribe,
      {
        organizationId,
        serviceId: required(services.get(aggregation), aggregation),
        startedAt: new Date('2024-06-30T16:00:00Z'),
      },
      { token: admin },
    );
    ids.push(id);
  }
  held.set(name, ids);
}

/** Three events for each subscription of a customer in a month. */
async function use(name: string, month: BillingMonth): Promise<void> {
  const events = required(held.get(name), name).flatMap((subject) =>
    ['05', '10', '15'].map((day) => ({
      specversion: '1.0',
      id: `${subject}${month}${day}`,
      source: '/test',
      type: 'use',
      subject,
      time: `${month}-${day}T04:00:00Z`,
      data: { value: '2', user: `u${day}`, zone: 'tpe' },
    })),
  );
  expect(
    (
      await console.ok(
        usage.ingest,
        {},
        {
          token: key,
          body: JSON.stringify(events),
          headers: { 'content-type': 'application/cloudevents-batch+json' },
        },
      )
    ).rejected,
  ).toEqual([]);
}

/** Stores figures directly, as an older release or a missing limit would have allowed. */
async function outgrow(name: string): Promise<void> {
  const ids = required(held.get(name), name);
  for (const table of ['usage_hour', 'usage_day', 'usage_month', 'usage_dimension_hour'])
    await sql`update ${sql.table(table)} set sum = ${huge}, max = ${huge}, last_value = ${huge} where subscription_id = any(${ids}::text[])`.execute(
      db(),
    );
  await sql`update usage_level_hour set area = ${huge}, last_value = ${huge} where subscription_id = any(${ids}::text[])`.execute(
    db(),
  );
  // Events cannot be changed, so further ones are added.
  await sql`insert into usage_event select (jsonb_populate_record(e, jsonb_build_object('value', ${huge}::numeric, 'event_id', e.event_id || ' huge'))).* from usage_event e where subscription_id = any(${ids}::text[])`.execute(
    db(),
  );
}

beforeAll(async () => {
  console = await createTestConsole(new Date('2024-07-20T04:00:00Z'));
  admin = await setUp(console);
  key = (await console.ok(identity.createApiKey, { name: 'gateway' }, { token: admin })).secret;
  for (const aggregation of everyAggregation) {
    const { id } = await console.ok(
      catalogue.createService,
      {
        name: `Service ${aggregation}`,
        type: 'API',
        category: 'Own',
        family: 'plans',
        pricing: { model: 'per_unit', currency: 'TWD', baseFee: '100', unitPrice: '3' },
        meter: {
          eventType: 'use',
          aggregation,
          unit: 'units',
          ...(aggregation === 'unique_count' && { property: 'user' }),
        },
        quota: { type: 'soft', limit: '10' },
      },
      { token: admin },
    );
    services.set(aggregation, id);
  }
  for (const name of ['huge', 'small']) await customer(name);
  for (const name of ['huge', 'small']) await use(name, july);
  await moveTo('2024-08-20T04:00:00Z');
  await console.ok(billing.closeMonth, { month: july }, { token: admin });
  for (const name of ['huge', 'small']) await use(name, august);
  for (const name of ['huge', 'small'])
    await console.ok(
      budgets.createBudget,
      { name: 'All', amount: money(1000n, 'TWD') },
      { token: of(name).token },
    );
  await outgrow('huge');
});

type Named = [string, Route];
const reads = (role: string): Named[] =>
  [
    ...features.map((feature) => [feature.name, feature.contract] as const),
    ['console', consoleContract] as const,
  ]
    .flatMap(([name, contract]) =>
      Object.entries(contract).map(([verb, route]): Named => [`${name}.${verb}`, route]),
    )
    .filter(
      ([, { method, access }]) =>
        method === 'GET' && typeof access === 'object' && access.roles.some((each) => each === role),
    );

/** Path parameters and required query fields, for pages that show figures. */
async function given(name: string): Promise<Record<string, string>> {
  const { organizationId, token } = of(name);
  const { items: bills } = await console.ok(billing.listBills, {}, { token });
  const { rows: accounts } = await sql<{
    id: string;
  }>`select id from ledger_account where organization_id = ${organizationId} limit 1`.execute(db());
  const { items: paid } = await console.ok(payments.listPayments, {}, { token });
  return {
    organizationId,
    userId: of(name).userId,
    // Of a preview of an erasure.
    subjectId: organizationId,
    subscriptionId: required(held.get(name)?.[0], 'a subscription'),
    serviceId: required(services.get('sum'), 'a service'),
    billId: bills[0]?.id ?? 'x',
    lineId: '1',
    accountId: accounts[0]?.id ?? 'x',
    paymentId: paid[0]?.id ?? 'x',
    from: '2024-08-01',
    to: '2024-08-20',
    month: august,
    year: '2024',
    // A month, and a period of two months of statutory invoices, which begins with an odd one.
    period: july,
    currency: 'TWD',
    of: 'TWD',
    format: 'csv',
    report: 'receivables',
    kind: 'system.test',
    language: 'enUS',
    screen: 'usage',
  };
}

/**
 * The result of a page: its status, or that the browser cannot read the response. Required input is filled
 * in, optional input is left out.
 */
async function outcomeOf(
  route: Route,
  token: string,
  values: Record<string, string>,
): Promise<number | 'unreadable'> {
  const shape: Record<string, z.core.$ZodType> =
    route.input instanceof z.ZodMiniObject ? route.input.shape : {};
  const path = pathNames(route.path).reduce(
    (text, place) => text.replace(`:${place}`, encodeURIComponent(values[place] ?? 'x')),
    route.path,
  );
  const needed = Object.entries(shape).filter(
    ([field, each]) => !pathNames(route.path).includes(field) && each._zod.def.type !== 'optional',
  );
  const query = new URLSearchParams(
    needed.map(([field, each]): [string, string] => {
      const value = values[field] ?? 'x';
      // Not every file exists in every format.
      return [field, field === 'format' && !z.safeParse(each, value).success ? 'csv' : value];
    }),
  );
  const response = await fetch(`${console.address}/api${path}?${query.toString()}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const body = await response.text();
  if (!response.ok || route.output === file) return response.status;
  const { data } = z.parse(z.object({ data: z.any() }), JSON.parse(body));
  return z.safeDecode(route.output, data).success ? response.status : 'unreadable';
}

/**
 * Whether a page is about an object that this test does not create: an upload, a licence, a webhook, bills of
 * a customer without any, a bill paid by another organization.
 */
const isAbsent = (route: Route, values: Record<string, string>): boolean =>
  pathNames(route.path).some((name) => values[name] === undefined || values[name] === 'x') ||
  route.path === '/admin/announcement-audience' ||
  route.path.startsWith('/covered-bills/') ||
  // None of them is a reseller.
  route.path.startsWith('/reseller/') ||
  (route.path === '/bills/documents' && values['billId'] === 'x');

/** The pages that fail, and how. */
async function walk(
  role: 'User' | 'Admin',
  name: string,
  more: Record<string, string> = {},
): Promise<string[]> {
  const values = { ...(await given(name)), ...more };
  const token = role === 'Admin' ? admin : of(name).token;
  const wrong: string[] = [];
  for (const [verb, route] of reads(role)) {
    const outcome = await outcomeOf(route, token, values);
    const isExpected =
      outcome === 200 || (outcome !== 'unreadable' && outcome < 500 && isAbsent(route, values));
    if (!isExpected) wrong.push(`${verb} ${outcome}`);
  }
  return wrong;
}

describe('figures of an organization beyond every limit', () => {
  it('are shown to their customer unchanged', async () => {
    const { services: used } = await console.ok(usage.statistics, {}, { token: of('huge').token });
    expect(used.find((each) => each.serviceName === 'Service sum')?.quantity).toBe(huge);
    const { items } = await console.ok(subscriptions.listSubscriptions, {}, { token: of('huge').token });
    expect(items.map((each) => each.usage)).toContain(huge);
    const { bills } = await console.ok(billing.currentBill, {}, { token: of('huge').token });
    expect(required(bills[0], 'the running bill').total.minor).toBeGreaterThan(10n ** 60n);
  });
  it.each(['huge', 'small'])('do not break any page of the customer: %s', async (name) => {
    expect(await walk('User', name)).toEqual([]);
  });
  it.each(['xlsx', 'focus'])('do not break any file of the customer: %s', async (format) => {
    expect(await walk('User', 'huge', { format })).toEqual([]);
  });
  it('do not break any page of the operator; operations that would bill them are rejected with the reason', async () => {
    expect(await walk('Admin', 'huge')).toEqual(['credits.previewReissue 409']);
    const { items } = await console.ok(billing.listBills, {}, { token: of('huge').token });
    const billId = required(items[0], 'a bill').id;
    const { envelope } = await console.call(credits.previewReissue, { billId }, { token: admin });
    expect(envelope.code).toBe('billing.amount_too_large');
    expect(envelope.message).toContain('15');
  });
  it('can be estimated and simulated', async () => {
    const serviceId = required(services.get('sum'), 'a service');
    const [quantity, unitPrice] = ['9'.repeat(24), '9'.repeat(24)];
    const estimate = await console.ok(
      catalogue.estimate,
      { serviceId, quantity },
      { token: of('huge').token },
    );
    expect(moneyText(estimate.amount)).toBe((3n * BigInt(quantity) + 100n).toString());
    const simulated = await console.ok(
      planning.simulate,
      { serviceId, pricing: { model: 'per_unit', currency: 'TWD', unitPrice } },
      { token: admin },
    );
    expect(simulated.total.after.minor).toBeGreaterThan(10n ** 80n);
  });

  it('are reported by the preview, which totals the others', async () => {
    await moveTo('2024-09-02T04:00:00Z');
    await console.ok(billing.previewClose, { month: august }, { token: admin });
    const { preview } = await console.ok(billing.getPreview, { month: august }, { token: admin });
    expect(preview?.failing).toMatchObject([
      { organization: 'huge', reason: expect.stringContaining('15') as string },
    ]);
    expect(preview?.totals).toMatchObject([{ currency: 'TWD', bills: 1, net: smallNet }]);
  });
  it('are parked by the close with their reason, and the others are billed exactly', async () => {
    expect(await console.ok(billing.closeMonth, { month: august }, { token: admin })).toMatchObject({
      issued: 1,
      parked: 1,
    });
    const { items } = await console.ok(billing.listCloseRuns, {}, { token: admin });
    expect(items[0]?.parked).toMatchObject([
      { organization: 'huge', reason: expect.stringContaining('15 digits') as string },
    ]);
    const bills = await console.ok(billing.adminListBills, { month: august }, { token: admin });
    expect(bills.items).toMatchObject([{ organization: 'small', net: smallNet }]);
    expect(await walk('Admin', 'small', { month: august })).toEqual([]);
    expect(await walk('User', 'huge')).toEqual([]);
  });
  it('are billed by the next close after they are corrected', async () => {
    const ids = required(held.get('huge'), 'subscriptions');
    await sql`update usage_month m set sum = s.sum, max = s.max, last_value = s.last_value from usage_month s, subscription a, subscription b
      where m.subscription_id = a.id and s.subscription_id = b.id and a.service_id = b.service_id and s.month = m.month and b.organization_id = ${of('small').organizationId} and a.id = any(${ids}::text[])`.execute(
      db(),
    );
    await sql`update usage_level_hour set area = 0, last_value = 0 where subscription_id = any(${ids}::text[])`.execute(
      db(),
    );
    expect(await console.ok(billing.closeMonth, { month: august }, { token: admin })).toMatchObject({
      issued: 1,
      parked: 0,
    });
  });
});

describe('amounts within their limits', () => {
  const amount = money(900_000_000_000_000_000n, 'KWD');
  /** Eleven such amounts exceed a bigint. */
  const times = 11;

  beforeAll(async () => {
    await register('rich');
    const { id: serviceId } = await console.ok(
      catalogue.createService,
      {
        name: 'Fee',
        type: 'API',
        category: 'Own',
        pricing: { model: 'flat', currency: 'KWD', baseFee: moneyText(amount) },
        meter: { eventType: 'use', aggregation: 'sum', unit: 'units' },
      },
      { token: admin },
    );
    const { organizationId, token } = of('rich');
    const { id } = await console.ok(
      subscriptions.adminSubscribe,
      { organizationId, serviceId, startedAt: new Date('2023-09-30T16:00:00Z') },
      { token: admin },
    );
    held.set('rich', [id]);
    for (let time = 0; time < times; time++) {
      const { id: paymentId } = await console.ok(payments.topUp, { amount }, { token });
      await console.ok(payments.confirmPayment, { paymentId }, { token: admin });
    }
    const statementId = `bst_${'0'.repeat(26)}`;
    await sql`insert into bank_statement (id, account, currency, file_name, encoding, rows_total, rows_new, rows_known, refused_total, refused, uploaded_at, uploaded_by) values (${statementId}, 'main', 'KWD', 'x.csv', 'utf-8', 11, 11, 0, 0, '[]', now(), 'x')`.execute(
      db(),
    );
    await sql`insert into bank_row (id, statement_id, account, currency, day, amount_minor, words, ordinal, payer_name, payer_account, line, state)
      select 'bkr_' || lpad(place::text, 26, '0'), ${statementId}, 'main', 'KWD', '2024-09-01', ${amount.minor}, 'row ' || place, 1, '', '', place, 'open' from generate_series(1, ${times}) as place`.execute(
      db(),
    );
    await sql`insert into import_row (source, row_id, month, currency, list_cost, exact_cost) select '/x', place, ${august}, 'TWD', ${huge}::numeric, ${huge}::numeric from generate_series(1, 3) as place`.execute(
      db(),
    );
  });

  it('are billed although their total exceeds a bigint, without affecting others', async () => {
    for (let month = '2023-10' as BillingMonth; month <= august; month = addMonths(month, 1))
      expect(await console.ok(billing.closeMonth, { month }, { token: admin })).toMatchObject({
        issued: 1,
        parked: 0,
      });
    const { rows } = await sql<{
      kind: string;
      minor: string;
    }>`select kind, balance_minor as minor from ledger_account where currency = 'KWD' and kind = 'revenue'`.execute(
      db(),
    );
    expect(rows).toEqual([{ kind: 'revenue', minor: String(-amount.minor * BigInt(times)) }]);
  });
  it('do not break any page of the customer', async () => {
    expect(await walk('User', 'rich', { currency: 'KWD' })).toEqual([]);
  });
  it('do not break any page of the operator', async () => {
    expect(await walk('Admin', 'rich', { currency: 'KWD' })).toEqual([]);
  });
  it('are totaled in month packs', async () => {
    await moveTo('2024-10-02T04:00:00Z');
    await console.ok(packs.makePack, { month: september }, { token: admin });
    await expect
      .poll(async () => (await console.ok(packs.listPacks, {}, { token: admin })).items[0]?.totals)
      .toMatchObject([{ currency: 'KWD', received: money(amount.minor * BigInt(times), 'KWD') }]);
  });
});

it('include the largest quantity of units, which breaks no page, and its customer is parked', async () => {
  await register('seats');
  const { token } = of('seats');
  const { id: serviceId } = await console.ok(
    catalogue.createService,
    {
      name: 'Dear seats',
      type: 'API',
      category: 'Own',
      pricing: { model: 'flat', currency: 'TWD', baseFee: '9'.repeat(24) },
      meter: { eventType: 'use', aggregation: 'sum', unit: 'units' },
    },
    { token: admin },
  );
  const { id } = await console.ok(subscriptions.subscribe, { serviceId, quantity: '1000' }, { token });
  held.set('seats', [id]);
  expect(await walk('User', 'seats')).toEqual([]);
  expect(await walk('Admin', 'seats')).toEqual([]);
  await moveTo('2024-11-02T04:00:00Z');
  expect(
    await console.ok(billing.closeMonth, { month: addMonths(september, 1) }, { token: admin }),
  ).toMatchObject({
    parked: 1,
  });
});
