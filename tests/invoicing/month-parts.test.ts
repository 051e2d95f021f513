// A price that changes within a month: each part has the usage of its own time, for every kind of meter
// (R-USE-03, R-BILL-05).
import { beforeAll, describe, expect, it } from 'vitest';
import type { BillingMonth } from '#kernel/shape.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import {
  catalogue,
  type Aggregation,
  type Pricing,
  type Service,
} from '#features/selling/catalogue/contract.ts';
import { identity } from '#features/access/identity/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { usage } from '#features/metering/usage/contract.ts';
import {
  adminAccount,
  createTestConsole,
  registerUser,
  setUp,
  signIn,
  type TestConsole,
} from '../support/console.ts';

const month = '2024-09' as BillingMonth;
const at = (unitPrice: string): Pricing => ({ model: 'per_unit', currency: 'TWD', unitPrice });
const aggregations = [
  'sum',
  'count',
  'max',
  'latest',
  'unique_count',
] as const satisfies readonly Aggregation[];
/** Day, value and user; the price changes on the 16th. */
const events = [
  ['02', '5', 'a'],
  ['05', '1', 'b'],
  ['10', '3', 'a'],
  ['20', '4', 'b'],
  ['25', '2', 'c'],
  ['26', '2', 'c'],
] as const;

let console: TestConsole;
/** Service name → quantity of each line, at the old price and at the new one. */
const billed = new Map<string, Record<string, string>>();

beforeAll(async () => {
  console = await createTestConsole(new Date('2024-08-31T16:00:00Z'));
  let admin = await setUp(console);
  const key = (await console.ok(identity.createApiKey, { name: 'gateway' }, { token: admin })).secret;
  const owner = await registerUser(console, 'owner@one.example', 'One');
  const made: { service: Service; subscriptionId: string }[] = [];
  for (const aggregation of aggregations) {
    const service = await console.ok(
      catalogue.createService,
      {
        name: aggregation,
        type: 'T',
        category: 'C',
        pricing: at('1'),
        meter: {
          eventType: 'e',
          aggregation,
          unit: 'U',
          ...(aggregation === 'unique_count' && { property: 'who' }),
        },
      },
      { token: admin },
    );
    made.push({
      service,
      subscriptionId: (
        await console.ok(subscriptions.subscribe, { serviceId: service.id }, { token: owner.token })
      ).id,
    });
  }
  console.clock.set(new Date('2024-09-15T16:00:00Z'));
  admin = await signIn(console, adminAccount.account, adminAccount.password);
  for (const { service } of made)
    await console.ok(catalogue.updateService, { serviceId: service.id, pricing: at('10') }, { token: admin });
  console.clock.set(new Date('2024-10-04T00:00:00Z'));
  const body = made.flatMap(({ subscriptionId }) =>
    events.map(([day, value, who]) => ({
      specversion: '1.0',
      id: `${subscriptionId} ${day}`,
      source: '/s',
      type: 'e',
      subject: subscriptionId,
      time: `2024-09-${day}T03:00:00Z`,
      data: { value, who },
    })),
  );
  await console.ok(
    usage.ingest,
    {},
    {
      token: key,
      headers: { 'content-type': 'application/cloudevents-batch+json' },
      body: JSON.stringify(body),
    },
  );
  admin = await signIn(console, adminAccount.account, adminAccount.password);
  await console.ok(billing.closeMonth, { month }, { token: admin });
  const token = await signIn(console, 'owner@one.example');
  const { items } = await console.ok(billing.listBills, { month }, { token });
  const { lines } = await console.ok(billing.getBill, { billId: items[0]?.id ?? ('' as never) }, { token });
  for (const line of lines)
    billed.set(line.serviceName, { ...billed.get(line.serviceName), [line.unitPrice ?? '']: line.quantity });
});

describe('usage of the parts of a month', () => {
  it.each<[Aggregation, string, string]>([
    ['sum', '9', '8'],
    ['count', '3', '3'],
    ['max', '5', '4'],
    ['latest', '3', '2'],
    // a and b, then b and c: b counts in both parts, since each part charges for the users it served.
    ['unique_count', '2', '2'],
  ])('%s: %s at the old price, %s at the new one', (aggregation, before, after) => {
    expect(billed.get(aggregation)).toEqual({ 1: before, 10: after });
  });
});
