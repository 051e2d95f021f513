// Figures that outgrew every bound: no page of anybody fails by them, one customer's stay their own, and the close parks who cannot be billed.
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { pathNames, type Route } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { required } from '#kernel/assert.ts';
import { money, moneyText } from '#kernel/money.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { budgets } from '#features/metering/budgets/contract.ts';
import { catalogue, type Aggregation } from '#features/selling/catalogue/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { payments } from '#features/receivables/payments/contract.ts';
import { planning } from '#features/invoicing/planning/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
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
/** More digits than any event, price or column of money may have. */
const huge = '9'.repeat(60);

let console: TestConsole;
let admin: string;
let key: string;
const owners = new Map<string, { organizationId: Id<'org'>; token: string }>();
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

async function customer(name: string): Promise<void> {
  const { organizationId, token } = await registerUser(console, `owner@${name}.example`, name);
  owners.set(name, { organizationId: organizationId as Id<'org'>, token });
  const ids: Id<'sub'>[] = [];
  for (const aggregation of everyAggregation) {
    const { id } = await console.ok(
      subscriptions.adminSubscribe,
      {
        organizationId: organizationId as Id<'org'>,
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

/** What an older release took in, or a bound that was forgotten: it is stored, whatever is accepted today. */
async function outgrow(name: string): Promise<void> {
  const ids = required(held.get(name), name);
  for (const table of ['usage_hour', 'usage_day', 'usage_month', 'usage_dimension_hour'])
    await sql`update ${sql.table(table)} set sum = ${huge}, max = ${huge}, last_value = ${huge} where subscription_id = any(${ids}::text[])`.execute(
      db(),
    );
  await sql`update usage_level_hour set area = ${huge}, last_value = ${huge} where subscription_id = any(${ids}::text[])`.execute(
    db(),
  );
  // Events are never changed, so others come beside them.
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

/** Ids in paths and what queries must say, for pages that show figures. */
async function given(name: string): Promise<Record<string, string>> {
  const { organizationId, token } = of(name);
  const { items: bills } = await console.ok(billing.listBills, {}, { token });
  const { rows: accounts } = await sql<{
    id: string;
  }>`select id from ledger_account where organization_id = ${organizationId} limit 1`.execute(db());
  const { items: paid } = await console.ok(payments.listPayments, {}, { token });
  return {
    organizationId,
    subscriptionId: required(held.get(name)?.[0], 'a subscription'),
    serviceId: required(services.get('sum'), 'a service'),
    billId: bills[0]?.id ?? 'x',
    lineId: '1',
    accountId: accounts[0]?.id ?? 'x',
    paymentId: paid[0]?.id ?? 'x',
    from: '2024-08-01',
    to: '2024-08-20',
    month: august,
    currency: 'TWD',
    format: 'csv',
    kind: 'system.test',
    language: 'enUS',
    screen: 'usage',
  };
}

/** What a page answers; what it needs is filled in, what may be left out is not. */
async function statusOf(route: Route, token: string, values: Record<string, string>): Promise<number> {
  const shape: Record<string, z.core.$ZodType> =
    route.input instanceof z.ZodMiniObject ? route.input.shape : {};
  const path = pathNames(route.path).reduce(
    (text, place) => text.replace(`:${place}`, encodeURIComponent(values[place] ?? 'x')),
    route.path,
  );
  const needed = Object.entries(shape).filter(
    ([field, each]) => !pathNames(route.path).includes(field) && each._zod.def.type !== 'optional',
  );
  const query = new URLSearchParams(needed.map(([field]): [string, string] => [field, values[field] ?? 'x']));
  const response = await fetch(`${console.address}/api${path}?${query.toString()}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  await response.arrayBuffer();
  return response.status;
}

/** Pages of things that nobody made here: an upload, a licence, a webhook. */
const absent =
  /:(avatarId|batchId|importId|testId|endpointId|announcementId|rejectedId|creditNoteId|rowId|packId|licenceId|backupId|paymentId)/;

async function walk(role: 'User' | 'Admin', name: string): Promise<void> {
  const values = await given(name);
  const token = role === 'Admin' ? admin : of(name).token;
  const wrong: string[] = [];
  for (const [verb, route] of reads(role)) {
    const status = await statusOf(route, token, values);
    if (status >= 500 || (status >= 400 && !absent.test(route.path))) wrong.push(`${verb} ${status}`);
  }
  expect(wrong, `${role} ${name}`).toEqual([]);
}

describe('figures of one organization that outgrew every bound', () => {
  it.each(['huge', 'small'])('fail no page of the customer: %s', (name) => walk('User', name));
  it('fail no page of the operator', () => walk('Admin', 'huge'));
});
