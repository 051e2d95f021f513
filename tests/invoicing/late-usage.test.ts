// Usage that arrives after its month was closed: the next bill charges the difference that it makes to its
// own month.
import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { sumMoney, type Money } from '#kernel/money.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { billing, type BillDetail } from '#features/invoicing/billing/contract.ts';
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
import { isLong } from '../support/fault-rounds.ts';
import { waitingForLocks } from '../support/database.ts';

const [september, october, november] = ['2024-09', '2024-10', '2024-11'] as BillingMonth[] as [
  BillingMonth,
  BillingMonth,
  BillingMonth,
];
// The first three calls cost 0.4 each, the others 1.3: three are NT$1, four NT$2 or 3, whatever their own
// fraction.
const tiered: Pricing = {
  model: 'graduated',
  currency: 'TWD',
  baseFee: '100',
  tiers: [
    { upTo: '3', unitPrice: '0.4' },
    { upTo: null, unitPrice: '1.3' },
  ],
};

let console: TestConsole;
let admin: string;
let key: string;
let organizations = 0;

beforeAll(async () => {
  console = await createTestConsole(new Date('2024-09-01T00:00:00Z'));
  admin = await setUp(console, { taxRate: '0' });
  key = (await console.ok(identity.createApiKey, { name: 'gateway' }, { token: admin })).secret;
});

async function moveTo(moment: string): Promise<void> {
  console.clock.set(new Date(moment));
  admin = await signIn(console, adminAccount.account, adminAccount.password);
}

type Customer = { readonly email: string; readonly subscriptionId: Id<'sub'> };
async function customer(pricing: Pricing = tiered): Promise<Customer> {
  const email = `owner@l${++organizations}.example`;
  const { organizationId } = await registerUser(console, email, `L${organizations}`);
  const service = await console.ok(
    catalogue.createService,
    {
      name: `Calls ${organizations}`,
      type: 'API',
      category: 'Own',
      pricing,
      meter: { eventType: 'call', aggregation: 'sum', unit: 'calls' },
    },
    { token: admin },
  );
  return {
    email,
    subscriptionId: (
      await console.ok(
        subscriptions.adminSubscribe,
        {
          organizationId: organizationId as Id<'org'>,
          serviceId: service.id,
          startedAt: new Date('2024-08-31T16:00:00Z'),
        },
        { token: admin },
      )
    ).id,
  };
}
const call = ({ subscriptionId }: Customer, id: string, value: string, time: string) => ({
  specversion: '1.0',
  id,
  source: `s-${subscriptionId}`,
  type: 'call',
  subject: subscriptionId,
  time,
  data: { value },
});
const send = async (...events: object[]): Promise<void> => {
  const { rejected } = await console.ok(
    usage.ingest,
    {},
    {
      token: key,
      body: JSON.stringify(events),
      headers: { 'content-type': 'application/cloudevents-batch+json' },
    },
  );
  expect(rejected).toEqual([]);
};
const close = (month: BillingMonth) => console.ok(billing.closeMonth, { month }, { token: admin });
async function bill({ email }: Customer, month: BillingMonth): Promise<BillDetail | undefined> {
  const token = await signIn(console, email);
  const [found] = (await console.ok(billing.listBills, { month }, { token })).items;
  return found && console.ok(billing.getBill, { billId: found.id }, { token });
}
const lines = (one: BillDetail | undefined): string[] =>
  (one?.lines ?? []).map(
    (line) =>
      `${line.kind}${line.forMonth === undefined ? '' : ` ${line.forMonth}`} ${line.quantity} = ${line.exact} → ${line.total.minor}`,
  );

describe('R-USE-03, R-BILL-05: late usage', () => {
  it('is an adjustment on the next bill; the closed month stays as it is', async () => {
    await moveTo('2024-09-20T00:00:00Z');
    const one = await customer();
    await send(call(one, 'a', '3', '2024-09-10T00:00:00Z'));
    await moveTo('2024-10-05T00:00:00Z');
    await close(september);
    const closed = await bill(one, september);
    expect(lines(closed)).toEqual(['base_fee 1 = 100 → 100', 'usage 3 = 1.2 → 1']);
    await send(call(one, 'late', '1', '2024-09-30T10:00:00Z'), call(one, 'b', '2', '2024-10-02T00:00:00Z'));
    const adjustment = 'adjustment 2024-09 1 = 1.3 → 2';
    const {
      bills: [running],
    } = await console.ok(billing.currentBill, {}, { token: await signIn(console, one.email) });
    expect(running?.lines.map((line) => `${line.kind} ${line.total.minor}`)).toEqual([
      'base_fee 100',
      'usage 1',
      'adjustment 2',
    ]);
    await moveTo('2024-11-05T00:00:00Z');
    await close(september);
    expect(await bill(one, september)).toEqual({ ...closed, paymentStatus: 'overdue' });
    await close(october);
    const next = await bill(one, october);
    expect(lines(next)).toEqual(['base_fee 1 = 100 → 100', 'usage 2 = 0.8 → 1', adjustment]);
    const explained = await console.ok(
      billing.explainLine,
      { billId: next?.id as never, lineId: '3' },
      { token: await signIn(console, one.email) },
    );
    expect(explained.steps.map(({ kind, quantity, amount }) => ({ kind, quantity, amount }))).toEqual([
      { kind: 'recounted', quantity: '4', amount: '2.5' },
      { kind: 'billed', quantity: '3', amount: '-1.2' },
    ]);
    await moveTo('2024-12-05T00:00:00Z');
    await close(october);
    await close(november);
    expect(lines(await bill(one, november))).toEqual(['base_fee 1 = 100 → 100']);
  });

  it('that is corrected in a closed month is refunded; a correction in time is not an adjustment', async () => {
    await moveTo('2024-09-20T00:00:00Z');
    const one = await customer();
    const wrong = call(one, 'wrong', '1000', '2024-09-10T00:00:00Z');
    await send(wrong, call(one, 'also', '1', '2024-09-10T00:00:00Z'));
    await moveTo('2024-10-05T00:00:00Z');
    await send({ ...wrong, id: 'v1', type: 'call.void', data: { id: 'also' } });
    await close(september);
    expect(lines(await bill(one, september))).toEqual([
      'base_fee 1 = 100 → 100',
      'usage 1000 = 1297.3 → 1297',
    ]);
    await send({ ...wrong, id: 'v2', type: 'call.void', data: { id: 'wrong' } });
    await moveTo('2024-11-05T00:00:00Z');
    await close(october);
    const next = await bill(one, october);
    expect(lines(next)).toEqual(['base_fee 1 = 100 → 100', 'adjustment 2024-09 -1000 = -1297.3 → -1297']);
    expect(next?.total.minor).toBe(-1197n);
  });

  it('of a month closed without a bill is an adjustment; a month that was never closed is billed completely', async () => {
    await moveTo('2024-09-20T00:00:00Z');
    const onlyUsage: Pricing = { model: 'per_unit', currency: 'TWD', unitPrice: '2' };
    const one = await customer(onlyUsage);
    await moveTo('2024-10-05T00:00:00Z');
    await close(september);
    await send(call(one, 'late', '5', '2024-09-10T00:00:00Z'));
    expect(await close(september)).toMatchObject({ issued: 0 });
    expect(await bill(one, september)).toBeUndefined();
    const two = await customer(onlyUsage);
    await send(call(two, 'past', '7', '2024-09-10T00:00:00Z'));
    await moveTo('2024-11-05T00:00:00Z');
    await close(october);
    expect([lines(await bill(one, october)), lines(await bill(two, october))]).toEqual([
      ['adjustment 2024-09 5 = 10 → 10'],
      [],
    ]);
    await close(september);
    expect(lines(await bill(two, september))).toEqual(['usage 7 = 14 → 14']);
    await moveTo('2024-12-05T00:00:00Z');
    await close(november);
    expect([await bill(one, november), await bill(two, november)]).toEqual([undefined, undefined]);
  });

  it('is settled once by two concurrent closes', async () => {
    await moveTo('2024-09-20T00:00:00Z');
    const one = await customer();
    await moveTo('2024-10-05T00:00:00Z');
    await close(september);
    await send(call(one, 'late', '10', '2024-09-10T00:00:00Z'));
    await moveTo('2024-11-05T00:00:00Z');
    await Promise.all([
      close(october),
      close(october),
      send(call(one, 'later', '10', '2024-09-11T00:00:00Z')),
    ]);
    await moveTo('2024-12-05T00:00:00Z');
    await close(november);
    const adjusted = [
      ...((await bill(one, october))?.lines ?? []),
      ...((await bill(one, november))?.lines ?? []),
    ].filter((line) => line.kind === 'adjustment');
    // 20 calls: 1.2 + 17 × 1.3 = 23.3.
    expect(adjusted.reduce((sum, line) => sum + line.total.minor, 0n)).toBe(23n);
  });

  it('is settled once by concurrent closes of two months, on one of their bills', async () => {
    await moveTo('2024-09-20T00:00:00Z');
    const one = await customer();
    await moveTo('2024-10-05T00:00:00Z');
    await close(september);
    await send(call(one, 'late', '10', '2024-09-10T00:00:00Z'));
    await moveTo('2024-12-05T00:00:00Z');
    // Both have planned their bills with the same late usage and wait for their numbers.
    const db = console.app.database.kysely;
    const hold = await db.startTransaction().execute();
    await sql`insert into bill_series as s (series, last_number) values ('B-202410', 0), ('B-202411', 0) on conflict (series) do update set last_number = s.last_number`.execute(
      hold,
    );
    const closing = [close(october), close(november)];
    await expect.poll(() => waitingForLocks(db)).toBe(2n);
    await hold.rollback().execute();
    await Promise.all(closing);
    const adjusted = [
      ...((await bill(one, october))?.lines ?? []),
      ...((await bill(one, november))?.lines ?? []),
    ].filter((line) => line.kind === 'adjustment');
    // 10 calls: 1.2 + 7 × 1.3 = 10.3.
    expect(adjusted.map((line) => line.total.minor)).toEqual([10n]);
  });

  it('costs as much over all bills as if it had arrived in time', async () => {
    const delivery = fc.record({
      value: fc.bigInt(1n, 40n),
      comes: fc.constantFrom(
        '2024-09-20T00:00:00Z',
        '2024-10-03T00:00:00Z',
        '2024-10-20T00:00:00Z',
        '2024-11-20T00:00:00Z',
      ),
      isTakenBack: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(delivery, { minLength: 1, maxLength: 6 }), async (deliveries) => {
        await moveTo('2024-09-20T00:00:00Z');
        const [late, intime] = [await customer(), await customer()];
        const named = deliveries.map((each, index) => ({ ...each, id: `e${index}` }));
        const event = (to: Customer, { id, value }: { id: string; value: bigint }) =>
          call(to, id, value.toString(), '2024-09-15T00:00:00Z');
        const right = named.filter((each) => !each.isTakenBack);
        if (right.length > 0) await send(...right.map((each) => event(intime, each)));
        for (const [now, closes] of [
          ['2024-09-20T00:00:00Z', null],
          ['2024-10-03T00:00:00Z', null],
          ['2024-10-05T00:00:00Z', september],
          ['2024-10-20T00:00:00Z', null],
          ['2024-11-05T00:00:00Z', october],
          ['2024-11-20T00:00:00Z', null],
          ['2024-12-05T00:00:00Z', november],
        ] as const) {
          await moveTo(now);
          const due = named.filter((each) => each.comes === now);
          if (due.length > 0) await send(...due.map((each) => event(late, each)));
          // A wrong event is canceled one step later.
          const wrong = named.filter((each) => each.isTakenBack && each.comes < now);
          if (wrong.length > 0)
            await send(
              ...wrong.map((each) => ({
                ...event(late, each),
                id: `v${each.id}`,
                type: 'call.void',
                data: { id: each.id },
              })),
            );
          if (closes) await close(closes);
        }
        const total = async (of: Customer): Promise<Money> =>
          sumMoney(
            (await Promise.all([september, october, november].map((month) => bill(of, month)))).flatMap(
              (one) => (one ? [one.total] : []),
            ),
            'TWD',
          );
        expect(await total(late)).toEqual(await total(intime));
      }),
      { numRuns: isLong ? 4 : 2 },
    );
  }, 120_000);
});
