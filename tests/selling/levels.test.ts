// Meters with the time-weighted average: a reported level lasts until the next report, in whatever order
// reports arrive.
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { chunksOf } from '#kernel/chunks.ts';
import { decimal, decimalText, sumDecimals } from '#kernel/decimal.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth, LocalDay } from '#kernel/shape.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
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

// July 2024 in Taipei, without clock changes: 31 days of 24 hours.
const july = {
  month: '2024-07' as BillingMonth,
  start: Date.parse('2024-06-30T16:00:00Z'),
  end: Date.parse('2024-07-31T16:00:00Z'),
};
const august = { month: '2024-08' as BillingMonth, start: july.end, end: Date.parse('2024-08-31T16:00:00Z') };
type Report = { readonly at: number; readonly value: bigint };

let console: TestConsole;
let admin: string;
let key: string;
let serviceId: Id<'svc'>;
let customers = 0;

beforeAll(async () => {
  console = await createTestConsole(new Date('2024-09-10T00:00:00Z'));
  admin = await setUp(console);
  key = (await console.ok(identity.createApiKey, { name: 'gateway' }, { token: admin })).secret;
  serviceId = (
    await console.ok(
      catalogue.createService,
      {
        name: 'Disks',
        type: 'Storage',
        category: 'Own',
        pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '1.5' },
        meter: { eventType: 'disk', aggregation: 'time_weighted_average', unit: 'GB' },
      },
      { token: admin },
    )
  ).id;
});

type Customer = {
  readonly organizationId: Id<'org'>;
  readonly subscriptionId: Id<'sub'>;
  readonly token: string;
};
async function customer(startedAt = new Date('2024-01-01T00:00:00Z')): Promise<Customer> {
  const email = `owner@c${++customers}.example`;
  const organizationId = (await registerUser(console, email, `C${customers}`)).organizationId as Id<'org'>;
  const { id } = await console.ok(
    subscriptions.adminSubscribe,
    { organizationId, serviceId, startedAt },
    { token: admin },
  );
  return { organizationId, subscriptionId: id, token: await signIn(console, email) };
}
const eventOf = (subject: string, { at, value }: Report) => ({
  specversion: '1.0',
  id: `${at}`,
  source: `s-${subject}`,
  type: 'disk',
  subject,
  time: new Date(at).toISOString(),
  data: { value: value.toString() },
});
const send = (subject: string, reports: readonly Report[]) =>
  console.ok(
    usage.ingest,
    {},
    {
      token: key,
      body: JSON.stringify(reports.map((report) => eventOf(subject, report))),
      headers: { 'content-type': 'application/cloudevents-batch+json' },
    },
  );
const quantityOf = async ({ token }: Customer, month: BillingMonth): Promise<string> =>
  (await console.ok(usage.statistics, { month }, { token })).services[0]?.quantity ?? '0';

/**
 * The expected average: every level times its duration, divided by the length of the month, to twelve digits.
 */
function byHand(reports: readonly Report[], { start, end }: { start: number; end: number }): string {
  const inOrder = reports.toSorted((a, b) => a.at - b.at);
  let area = 0n;
  for (const [index, { at, value }] of inOrder.entries()) {
    const [from, to] = [Math.max(at, start), Math.min(inOrder[index + 1]?.at ?? end, end)];
    if (from < to) area += value * BigInt(to - from);
  }
  const whole = BigInt(end - start);
  const scaled = (2n * area * 10n ** 12n + whole) / (2n * whole);
  return decimalText(decimal(scaled).times(decimal('1e-12')));
}

describe('the time-weighted average', () => {
  it('counts a level kept for half of the month as half, and continues through months without reports', async () => {
    const one = await customer();
    const middle = july.start + (july.end - july.start) / 2;
    await send(one.subscriptionId, [{ at: middle, value: 820n }]);
    expect([await quantityOf(one, july.month), await quantityOf(one, august.month)]).toEqual(['410', '820']);
  });

  it('equals an independent computation for any reports, order and batches', async () => {
    const report = fc.record({
      at: fc.integer({ min: july.start - 86_400_000, max: august.end - 1 }),
      value: fc.bigInt(0n, 10n ** 9n),
    });
    const minute = fc.record({
      at: fc.integer({ min: 0, max: 3_599_999 }).map((ms) => july.start + 7 * 3_600_000 + ms),
      value: fc.bigInt(0n, 1000n),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.oneof(report, minute), {
          selector: (each) => each.at,
          minLength: 1,
          maxLength: 12,
        }),
        fc.integer({ min: 1, max: 4 }),
        async (reports, size) => {
          const one = await customer();
          for (const some of chunksOf(reports, size)) await send(one.subscriptionId, some);
          for (const month of [july, august])
            expect(await quantityOf(one, month.month)).toBe(byHand(reports, month));
        },
      ),
      { numRuns: 15 },
    );
  }, 60_000);

  it('includes two concurrent batches of the same hour', async () => {
    const one = await customer();
    const reports = Array.from({ length: 40 }, (_, index): Report => ({
      at: july.start + 3_600_000 + index * 60_000,
      value: BigInt(index * 3),
    }));
    await Promise.all(
      [0, 1, 2, 3].map((part) =>
        send(
          one.subscriptionId,
          reports.filter((_, index) => index % 4 === part),
        ),
      ),
    );
    expect(await quantityOf(one, july.month)).toBe(byHand(reports, july));
  });

  it('is not changed by a repeated report', async () => {
    const one = await customer();
    const reports: Report[] = [
      { at: july.start + 5_000_000, value: 7n },
      { at: july.start + 9_000_000, value: 3n },
    ];
    await send(one.subscriptionId, reports);
    expect(await send(one.subscriptionId, reports)).toMatchObject({ accepted: 0, duplicates: 2 });
    expect(await quantityOf(one, july.month)).toBe(byHand(reports, july));
  });

  it('adds up from days to the month, and is on the bill', async () => {
    const one = await customer();
    const reports: Report[] = [
      { at: july.start + 10 * 3_600_000, value: 310n },
      { at: july.start + 200 * 3_600_000 + 12_345, value: 62n },
    ];
    await send(one.subscriptionId, reports);
    const { series } = await console.ok(
      usage.daily,
      { from: '2024-07-01' as LocalDay, to: '2024-07-31' as LocalDay },
      { token: one.token },
    );
    const summed = sumDecimals((series[0]?.quantities ?? []).map((text) => decimal(text)));
    // Each day is rounded to twelve digits.
    expect(
      summed
        .minus(decimal(byHand(reports, july)))
        .abs()
        .lt('0.00000000005'),
    ).toBe(true);
    await console.ok(billing.closeMonth, { month: july.month }, { token: admin });
    await console.ok(billing.closeMonth, { month: august.month }, { token: admin });
    const { items } = await console.ok(billing.listBills, { sort: 'issuedAt' }, { token: one.token });
    const lines = await Promise.all(
      items.map(async ({ id, month }) => {
        const {
          lines: [line],
        } = await console.ok(billing.getBill, { billId: id }, { token: one.token });
        return [month, line?.quantity, line?.kind];
      }),
    );
    // Without a report in August the last level continued.
    expect(lines.toSorted()).toEqual([
      [july.month, byHand(reports, july), 'usage'],
      [august.month, '62', 'usage'],
    ]);
  });

  it('is split by a price change within the month into parts that add up to it', async () => {
    console.clock.set(new Date(july.start + 20 * 86_400_000 + 5_000_000));
    const operator = await signIn(console, adminAccount.account, adminAccount.password);
    const { id: own } = await console.ok(
      catalogue.createService,
      {
        name: 'Repriced disks',
        type: 'Storage',
        category: 'Own',
        pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '1' },
        meter: { eventType: 'disk', aggregation: 'time_weighted_average', unit: 'GB' },
      },
      { token: operator },
    );
    const { organizationId } = await registerUser(console, 'owner@repriced.example', 'Repriced');
    const { id } = await console.ok(
      subscriptions.adminSubscribe,
      { organizationId: organizationId as Id<'org'>, serviceId: own, startedAt: new Date(july.start) },
      { token: operator },
    );
    const changed = console.clock.now().getTime() + 3_600_000;
    await console.ok(
      catalogue.updateService,
      {
        serviceId: own,
        pricing: { model: 'per_unit', currency: 'TWD', unitPrice: '3' },
        effectiveFrom: new Date(changed),
      },
      { token: operator },
    );
    const reports: Report[] = [
      { at: july.start + 86_400_000 * 3 + 1234, value: 500n },
      { at: changed + 86_400_000, value: 200n },
    ];
    console.clock.set(new Date('2024-09-10T00:00:00Z'));
    await send(id, reports);
    const later = await signIn(console, 'owner@repriced.example');
    await console.ok(
      billing.closeMonth,
      { month: july.month },
      { token: await signIn(console, adminAccount.account, adminAccount.password) },
    );
    const [bill] = (await console.ok(billing.listBills, {}, { token: later })).items;
    const { lines } = await console.ok(billing.getBill, { billId: bill?.id as Id<'bil'> }, { token: later });
    const upTo = (end: number): string =>
      byHand([...reports.filter((each) => each.at < end), { at: end, value: 0n }], july);
    const before = upTo(changed);
    expect(lines.map((line) => line.unitPrice)).toEqual(['1', '3']);
    expect(lines[0]?.quantity).toBe(before);
    // Each part is rounded to twelve digits.
    const summed = sumDecimals(lines.map((line) => decimal(line.quantity)));
    expect(
      summed
        .minus(decimal(byHand(reports, july)))
        .abs()
        .lte('0.000000000001'),
    ).toBe(true);
  });

  it('excludes time before the start, after the end, and in the future', async () => {
    const one = await customer(new Date(july.start + 86_400_000));
    const reports: Report[] = [{ at: july.start + 2 * 86_400_000, value: 31n }];
    await send(one.subscriptionId, reports);
    expect(await quantityOf(one, july.month)).toBe('29');
    const now = { start: august.end, end: Date.parse('2024-09-30T16:00:00Z') };
    const soFar = decimal(31n * BigInt(console.clock.now().getTime() - now.start)).div(
      decimal(BigInt(now.end - now.start)),
    );
    expect(
      decimal(await quantityOf(one, '2024-09' as BillingMonth))
        .minus(soFar)
        .abs()
        .lt('0.000000000001'),
    ).toBe(true);
  });
});
