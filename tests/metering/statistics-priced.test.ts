// Statistics equal the bill, also when the price changed, was agreed with one customer, or the plan changed.
import { beforeAll, expect, it } from 'vitest';
import { decimal, decimalText, sumDecimals } from '#kernel/decimal.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { catalogue, type Pricing } from '#features/selling/catalogue/contract.ts';
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

let console: TestConsole;
let admin: string;
let token: string;
const september = '2024-09' as BillingMonth;
const tiered = (unitPrice: string, baseFee: string): Pricing => ({
  model: 'graduated',
  currency: 'TWD',
  baseFee,
  included: '10',
  tiers: [
    { upTo: '50', unitPrice },
    { upTo: null, unitPrice: '0.3', flatFee: '7' },
  ],
});

async function moveTo(moment: string): Promise<void> {
  console.clock.set(new Date(moment));
  admin = await signIn(console, adminAccount.account, adminAccount.password);
  token = await signIn(console, 'owner@one.example');
}

/**
 * Twenty units per day from 1 to 29 September; the list price changes on the 8th, an agreed price applies
 * from the 12th to the 20th, and on the 24th the plan changes to a bigger one.
 */
beforeAll(async () => {
  console = await createTestConsole(new Date('2024-09-01T02:00:00Z'));
  admin = await setUp(console);
  const { organizationId } = await registerUser(console, 'owner@one.example', 'One');
  const { secret } = await console.ok(identity.createApiKey, { name: 'gateway' }, { token: admin });
  const meter = { eventType: 'gb', aggregation: 'sum' as const, unit: 'GB' };
  const make = (name: string, pricing: Pricing) =>
    console.ok(
      catalogue.createService,
      { name, type: 'Storage', category: 'Own', family: 'storage', pricing, meter },
      { token: admin },
    );
  const [small, large] = [
    await make('Small', tiered('1.1', '100')),
    await make('Large', tiered('0.9', '900')),
  ];
  const { id } = await console.ok(
    subscriptions.adminSubscribe,
    {
      organizationId: organizationId as Id<'org'>,
      serviceId: small.id,
      startedAt: new Date('2024-08-31T16:00:00Z'),
    },
    { token: admin },
  );
  await moveTo('2024-09-07T16:00:00Z');
  await console.ok(
    catalogue.updateService,
    { serviceId: small.id, pricing: tiered('1.7', '130') },
    { token: admin },
  );
  await moveTo('2024-09-11T16:00:00Z');
  await console.ok(
    catalogue.addOverride,
    {
      serviceId: small.id,
      organizationId: organizationId as Id<'org'>,
      pricing: tiered('0.4', '50'),
      until: new Date('2024-09-20T16:00:00Z'),
      reason: 'trial of the year',
    },
    { token: admin },
  );
  await moveTo('2024-09-24T02:00:00Z');
  await console.ok(subscriptions.change, { subscriptionId: id, serviceId: large.id }, { token });
  await moveTo('2024-09-29T12:00:00Z');
  const events = Array.from({ length: 29 }, (_, day) => ({
    specversion: '1.0',
    id: `e${day}`,
    source: 'test',
    type: 'gb',
    subject: id,
    time: new Date(Date.parse('2024-08-31T18:00:00Z') + day * 86_400_000).toISOString(),
    data: { value: '20' },
  }));
  await console.ok(
    usage.ingest,
    {},
    {
      token: secret,
      body: JSON.stringify(events),
      headers: { 'content-type': 'application/cloudevents-batch+json' },
    },
  );
});

it('R-USE-01, R-BILL-01: the month’s total equals the bill’s exact lines, and its days equal the usage lines', async () => {
  const {
    bills: [bill],
  } = await console.ok(billing.currentBill, {}, { token });
  const lines = bill?.lines ?? [];
  // Four prices of two plans have a line each; the list price continues its tiers after the agreed price has
  // ended.
  expect(lines.filter((line) => line.kind === 'usage').map((line) => line.quantity)).toEqual([
    '140',
    '140',
    '180',
    '120',
  ]);
  const exact = (kinds: readonly string[]): string =>
    decimalText(
      sumDecimals(lines.filter((line) => kinds.includes(line.kind)).map((line) => decimal(line.exact))),
    );
  const { totalCost, services, sixMonths } = await console.ok(
    usage.statistics,
    { month: september },
    { token },
  );
  const all = exact(['base_fee', 'credit', 'usage', 'minimum', 'maximum']);
  expect([totalCost.amount, services.map((each) => each.cost.amount), sixMonths.at(-1)?.cost.amount]).toEqual(
    [all, [all], all],
  );
  const { series } = await console.ok(
    usage.daily,
    { from: '2024-09-01' as LocalDay, to: '2024-09-30' as LocalDay },
    { token },
  );
  expect(decimalText(sumDecimals((series[0]?.costs ?? []).map((text) => decimal(text))))).toBe(
    exact(['usage']),
  );
});
