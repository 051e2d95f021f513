// A service that requires prepaid credit and a payer of a single subscription exclude each other, whichever is set first (T-PAYER).
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { payers } from '#features/invoicing/payers/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import {
  at,
  customer,
  db,
  fee,
  moveTo,
  october,
  startBilling,
  type Customer,
} from '../support/corrections.ts';

let north: Customer;

beforeAll(async () => {
  await startBilling();
  north = await customer(fee('50'));
  await moveTo('2024-09-10T00:00:00Z');
});

const asAdmin = () => ({ token: at.admin });
const as = (one: Customer) => ({ token: one.token });
const subscriptionOf = (one: Customer): Id<'sub'> => required(one.subscriptionIds[0], 'a subscription');
const set = (payer: Customer | null, from: BillingMonth, one: Customer) =>
  at.console.call(
    payers.setSubscriptionPayer,
    { subscriptionId: subscriptionOf(one), payerId: payer?.organizationId ?? null, from },
    asAdmin(),
  );

describe('T-PAYER: a payer of a subscription, and prepaid credit', () => {
  const serviceOf = async (one: Customer) =>
    required(
      (
        await at.console.ok(
          subscriptions.adminListSubscriptions,
          { organizationId: one.organizationId },
          asAdmin(),
        )
      ).items[0],
      'a subscription',
    ).service.id;
  const change = (serviceId: Id<'svc'>, how: object, language: 'zhTW' | 'enUS' = 'enUS') =>
    at.console.call(catalogue.updateService, { serviceId, ...how }, { ...asAdmin(), language });
  const changePlan = (one: Customer, serviceId: Id<'svc'>, when: 'now' | 'end') =>
    at.console.call(
      subscriptions.change,
      { subscriptionId: subscriptionOf(one), serviceId, when },
      { ...as(one), language: 'enUS' },
    );
  /** A customer with one subscription, and two plans that it may change to: a dearer and a cheaper one. */
  const withPlans = async (): Promise<[Customer, Id<'svc'>, Id<'svc'>, Id<'svc'>]> => {
    const [one, dearer, cheaper] = [
      await customer(fee('20')),
      await customer(fee('30')),
      await customer(fee('5')),
    ];
    const ids = [await serviceOf(one), await serviceOf(dearer), await serviceOf(cheaper)] as const;
    for (const id of ids)
      expect((await change(id, { family: `Family ${one.organizationId}` })).status).toBe(200);
    return [one, ...ids];
  };

  it('a service does not begin to require it while others pay for subscriptions of it', async () => {
    const [one, own] = await withPlans();
    expect((await set(north, october, one)).status).toBe(200);
    const refused = (await change(own, { requiresPrepaidCredit: true })).envelope;
    expect(refused).toMatchObject({
      code: 'payers.service_paid',
      errors: [{ field: 'requiresPrepaidCredit' }],
    });
    expect(refused.message).toMatch(
      / pays for a subscription of .* Bill that subscription with its organization first\.$/,
    );
    expect((await change(own, { requiresPrepaidCredit: true }, 'zhTW')).envelope.message).toContain(
      '請先將該訂閱改為隨組織付款',
    );
    // Nothing else is refused, and nothing was changed.
    expect((await change(own, { description: 'paid by another' })).status).toBe(200);
    const kept = await at.console.ok(catalogue.getService, { serviceId: own }, as(one));
    expect(kept.requiresPrepaidCredit).toBe(false);
    expect((await set(null, october, one)).status).toBe(200);
    expect((await change(own, { requiresPrepaidCredit: true })).status).toBe(200);
    expect((await change(own, { requiresPrepaidCredit: false })).status).toBe(200);
  });

  it('a subscription that another pays for does not change to a plan that requires it, now or later', async () => {
    const [one, , dearer, cheaper] = await withPlans();
    for (const id of [dearer, cheaper])
      expect((await change(id, { requiresPrepaidCredit: true })).status).toBe(200);
    expect((await set(north, october, one)).status).toBe(200);
    for (const [id, when] of [
      [dearer, 'now'],
      [dearer, 'end'],
      [cheaper, 'end'],
    ] as const) {
      const { envelope } = await changePlan(one, id, when);
      expect(envelope).toMatchObject({
        code: 'payers.plan_needs_credit',
        errors: [{ field: 'serviceId' }],
      });
    }
    expect((await set(null, october, one)).status).toBe(200);
    expect((await changePlan(one, cheaper, 'end')).status).toBe(200);
    // The plan that is to come counts as well.
    expect((await set(north, october, one)).envelope.code).toBe('payers.needs_credit');
  });

  it('nor does a service that a paid subscription is about to change to begin to require it', async () => {
    const [one, , , cheaper] = await withPlans();
    expect((await set(north, october, one)).status).toBe(200);
    expect((await changePlan(one, cheaper, 'end')).status).toBe(200);
    expect((await change(cheaper, { requiresPrepaidCredit: true })).envelope.code).toBe(
      'payers.service_paid',
    );
    expect((await set(null, october, one)).status).toBe(200);
  });

  /** Sends `second` when `first` has changed its rows and is held before it commits; both go on once `second` waits for it. */
  const atOnce = async <A, B>(first: () => Promise<A>, second: () => Promise<B>): Promise<[A, B]> => {
    const hold = await db().startTransaction().execute();
    try {
      await sql`lock table audit_log in share mode`.execute(hold);
      const changing = first();
      await expect.poll(waitingCount).toBe(1n);
      const waiting = second();
      await expect.poll(waitingCount).toBe(2n);
      await hold.rollback().execute();
      return await Promise.all([changing, waiting]);
    } finally {
      if (!hold.isRolledBack) await hold.rollback().execute();
    }
  };
  const waitingCount = async (): Promise<bigint | undefined> =>
    (
      await sql<{
        count: bigint;
      }>`select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        db(),
      )
    ).rows[0]?.count;

  it('of a payer and a requirement that are set at once, the second is refused', async () => {
    const [one, own] = await withPlans();
    const pay = () => set(north, october, one);
    const require = () => change(own, { requiresPrepaidCredit: true });
    const [paid, late] = await atOnce(pay, require);
    expect([paid.status, late.envelope.code]).toEqual([200, 'payers.service_paid']);
    expect((await set(null, october, one)).status).toBe(200);
    const [required, tooLate] = await atOnce(require, pay);
    expect([required.status, tooLate.envelope.code]).toEqual([200, 'payers.needs_credit']);
  });
});
