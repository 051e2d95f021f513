// The time zone of an organization decides which month a fee belongs to, so it cannot change once a month is
// billed (domain.md, "Periods and proration").
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { required } from '#kernel/assert.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { identity } from '#features/access/identity/contract.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import {
  at,
  bills,
  close,
  customer,
  db,
  fee,
  moveTo,
  october,
  september,
  startBilling,
  twd,
  use,
  yearInAdvance,
  type Customer,
} from '../support/corrections.ts';
import { unschedule } from '../support/jobs.ts';
import { waitingForLocks } from '../support/database.ts';

const august = '2024-08' as BillingMonth;
const west = 'America/New_York';
const called = (text: string) => ({ zhTW: text, enUS: text });
const change = (one: Customer, timeZone: string) =>
  at.console.call(identity.updateOrganization, { timeZone }, { token: one.token });
const changeByAdmin = ({ organizationId }: Customer, timeZone: string) =>
  at.console.call(identity.adminUpdateOrganization, { organizationId, timeZone }, { token: at.admin });

/** A customer whose set-up fee and yearly fee are due at midnight of September 1 in Taipei, still August elsewhere. */
async function customerFromMidnight(name: string): Promise<Customer> {
  const one = await customer();
  const { id } = await at.console.ok(
    catalogue.createService,
    {
      name,
      type: 'API',
      category: 'Own',
      currency: 'TWD',
      charges: [
        { key: 'setup', name: called('Set-up'), kind: 'one_time', model: 'flat', amount: '500' },
        yearInAdvance,
      ],
    },
    { token: at.admin },
  );
  await at.console.ok(
    subscriptions.adminSubscribe,
    { organizationId: one.organizationId, serviceId: id, startedAt: new Date('2024-08-31T16:00:00Z') },
    { token: at.admin },
  );
  return one;
}
const netOf = async (one: Customer, month: BillingMonth): Promise<bigint> =>
  (await bills(one, month)).reduce((sum, { net }) => sum + net.minor, 0n);

beforeAll(async () => {
  await startBilling();
  // Months are closed only where a test says so.
  await unschedule(at.console.app, 'close-month');
});

it('R-BILL-05 cannot change once a month is billed that a fee of the next one could move into', async () => {
  const one = await customerFromMidnight('West');
  const other = await customer();
  await moveTo('2024-09-05T00:00:00Z');
  await close(august);
  for (const refused of [await change(one, west), await changeByAdmin(one, west)])
    expect([refused.status, refused.envelope.code, refused.envelope.errors?.[0]?.field]).toEqual([
      409,
      'billing.time_zone_fixed',
      'timeZone',
    ]);
  expect((await change(one, 'Asia/Taipei')).status).toBe(200);
  expect((await change(other, west)).status).toBe(200);
  await moveTo('2024-10-05T00:00:00Z');
  await close(september);
  expect([await netOf(one, august), await netOf(one, september)]).toEqual([0n, 12_500n]);
});

it('cannot change eastward either, where a fee would be charged again', async () => {
  const one = await customer();
  expect((await change(one, west)).status).toBe(200);
  const service = await at.console.ok(
    catalogue.createService,
    {
      name: 'East',
      type: 'API',
      category: 'Own',
      currency: 'TWD',
      charges: [{ key: 'setup', name: called('Set-up'), kind: 'one_time', model: 'flat', amount: '500' }],
    },
    { token: at.admin },
  );
  await at.console.ok(
    subscriptions.adminSubscribe,
    {
      organizationId: one.organizationId,
      serviceId: service.id,
      startedAt: new Date('2024-09-30T20:00:00Z'),
    },
    { token: at.admin },
  );
  await moveTo('2024-10-05T00:00:00Z');
  await close(september);
  expect(await netOf(one, september)).toBe(500n);
  expect((await change(one, 'Asia/Taipei')).envelope.code).toBe('billing.time_zone_fixed');
});

it('can change before anything is billed, after everything has ended, and not after an interim bill', async () => {
  const one = await customer(fee('100'));
  const ended = await customer(fee('100'));
  await moveTo('2024-10-06T00:00:00Z');
  expect((await change(one, 'Asia/Tokyo')).status).toBe(200);
  await close(september);
  expect((await change(one, 'Asia/Taipei')).envelope.code).toBe('billing.time_zone_fixed');
  const subscriptionId = required(ended.subscriptionIds[0], 'a subscription');
  await at.console.ok(subscriptions.cancel, { subscriptionId, when: 'now' }, { token: ended.token });
  expect((await change(ended, west)).envelope.code).toBe('billing.time_zone_fixed');
  await moveTo('2024-11-06T00:00:00Z');
  await close(october);
  expect((await change(ended, west)).status).toBe(200);

  await at.console.ok(
    billing.setInterimThreshold,
    { organizationId: null, currency: 'TWD', amount: twd(50) },
    { token: at.admin },
  );
  const fresh = await customer(fee('0'));
  await use(fresh, 'interim', '80', '2024-11-02T00:00:00Z');
  await expect
    .poll(async () => (await bills(fresh, '2024-11' as BillingMonth)).map(({ kind }) => kind))
    .toEqual(['interim']);
  expect((await change(fresh, west)).envelope.code).toBe('billing.time_zone_fixed');
});

it('a close that planned before a change plans again', async () => {
  await moveTo('2024-12-05T00:00:00Z');
  const { id } = await at.console.ok(
    catalogue.createService,
    {
      name: 'Race',
      type: 'API',
      category: 'Own',
      currency: 'TWD',
      charges: [{ key: 'setup', name: called('Set-up'), kind: 'one_time', model: 'flat', amount: '500' }],
    },
    { token: at.admin },
  );
  const one = await customer();
  await at.console.ok(
    subscriptions.adminSubscribe,
    { organizationId: one.organizationId, serviceId: id, startedAt: new Date('2024-10-31T16:00:00Z') },
    { token: at.admin },
  );
  const november = '2024-11' as BillingMonth;
  await sql`insert into bill_series (series, last_number) values ('B-202411', 0) on conflict do nothing`.execute(
    db(),
  );
  const hold = await db().startTransaction().execute();
  await sql`select from bill_series where series = 'B-202411' for update`.execute(hold);
  const waiting = (count: bigint) => expect.poll(() => waitingForLocks(db())).toBe(count);
  const changing = change(one, west);
  await waiting(1n);
  const closing = close(november);
  await waiting(2n);
  await hold.rollback().execute();
  expect((await changing).status).toBe(200);
  await closing;
  // November 1 in Taipei is October 31 in New York.
  await close(october);
  expect([await netOf(one, october), await netOf(one, november)]).toEqual([500n, 0n]);
});
