// A service that requires prepaid credit and a payer of a single subscription exclude each other, whichever is set first (T-PAYER).
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import { moneyText } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { creditgrants } from '#features/invoicing/credit-grants/contract.ts';
import { meters } from '#features/selling/meters/contract.ts';
import { payers } from '#features/invoicing/payers/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import {
  at,
  bills,
  close,
  customer,
  db,
  expectSoundBooks,
  fee,
  moveTo,
  november,
  october,
  september,
  startBilling,
  topUp,
  twd,
  use,
  type Customer,
} from '../support/corrections.ts';
import { runFeatureJob } from '../support/jobs.ts';
import { waitingForLocks } from '../support/database.ts';

let north: Customer;
let south: Customer;

beforeAll(async () => {
  await startBilling();
  north = await customer(fee('50'));
  south = await customer();
  await moveTo('2024-09-10T00:00:00Z');
});

const asAdmin = () => ({ token: at.admin });
const as = (one: Customer) => ({ token: one.token });
const subscriptionOf = (one: Customer): Id<'sub'> => required(one.subscriptionIds[0], 'a subscription');
const set = (
  payer: Customer | null,
  from: BillingMonth,
  one: Customer,
  subscriptionId: Id<'sub'> = subscriptionOf(one),
) =>
  at.console.call(
    payers.setSubscriptionPayer,
    { subscriptionId, payerId: payer?.organizationId ?? null, from },
    asAdmin(),
  );

describe('T-PAYER: payers of subscriptions and required prepaid credit exclude each other', () => {
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
  const previewPlan = (one: Customer, serviceId: Id<'svc'>, when: 'now' | 'end') =>
    at.console.call(
      subscriptions.previewChange,
      { subscriptionId: subscriptionOf(one), serviceId, when },
      { ...as(one), language: 'enUS' },
    );
  /**
   * A customer with one subscription, and two plans that it may change to: a more expensive and a cheaper
   * one.
   */
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

  it('a service cannot require credit while others pay for subscriptions to it', async () => {
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
    // Nothing else is rejected, and nothing was changed.
    expect((await change(own, { description: 'paid by another' })).status).toBe(200);
    const kept = await at.console.ok(catalogue.getService, { serviceId: own }, as(one));
    expect(kept.requiresPrepaidCredit).toBe(false);
    expect((await set(null, october, one)).status).toBe(200);
    expect((await change(own, { requiresPrepaidCredit: true })).status).toBe(200);
    expect((await change(own, { requiresPrepaidCredit: false })).status).toBe(200);
  });

  it('a subscription with another payer cannot change to a plan that requires it, now or later', async () => {
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
      // The preview reports the same error as the change.
      const { code, errors } = (await previewPlan(one, id, when)).envelope;
      expect({ code, errors }).toEqual({ code: envelope.code, errors: envelope.errors });
    }
    expect((await set(null, october, one)).status).toBe(200);
    expect((await previewPlan(one, dearer, 'now')).status).toBe(200);
    expect((await changePlan(one, cheaper, 'end')).status).toBe(200);
    // A scheduled plan counts, too.
    expect((await set(north, october, one)).envelope.code).toBe('payers.needs_credit');
  });

  it('a plan cannot require credit if such a subscription is scheduled to change to it', async () => {
    const [one, , , cheaper] = await withPlans();
    expect((await set(north, october, one)).status).toBe(200);
    expect((await changePlan(one, cheaper, 'end')).status).toBe(200);
    expect((await change(cheaper, { requiresPrepaidCredit: true })).envelope.code).toBe(
      'payers.service_paid',
    );
    expect((await set(null, october, one)).status).toBe(200);
  });

  /**
   * Sends `second` when `first` has changed its rows and is held before its commit; both continue once
   * `second` waits for it.
   */
  const atOnce = async <A, B>(first: () => Promise<A>, second: () => Promise<B>): Promise<[A, B]> => {
    const hold = await db().startTransaction().execute();
    try {
      await sql`lock table audit_log in share mode`.execute(hold);
      const changing = first();
      await expect.poll(() => waitingForLocks(db())).toBe(1n);
      const waiting = second();
      await expect.poll(() => waitingForLocks(db())).toBe(2n);
      await hold.rollback().execute();
      return await Promise.all([changing, waiting]);
    } finally {
      if (!hold.isRolledBack) await hold.rollback().execute();
    }
  };

  it('when a payer and a requirement are set concurrently, the second is rejected', async () => {
    const [one, own] = await withPlans();
    const pay = () => set(north, october, one);
    const require = () => change(own, { requiresPrepaidCredit: true });
    const [paid, late] = await atOnce(pay, require);
    expect([paid.status, late.envelope.code]).toEqual([200, 'payers.service_paid']);
    expect((await set(null, october, one)).status).toBe(200);
    const [required, tooLate] = await atOnce(require, pay);
    expect([required.status, tooLate.envelope.code]).toEqual([200, 'payers.needs_credit']);
  });

  it('an add-on that requires credit is paid by its own organization, whoever pays for its subscription', async () => {
    const family = 'Add-ons family';
    const [one, parent] = await withPlans();
    expect((await change(parent, { family })).status).toBe(200);
    await at.console.ok(
      meters.createMeter,
      { key: 'scans', name: 'Scans', unit: 'scans', eventType: 'scan', aggregation: 'sum' },
      asAdmin(),
    );
    const { id: extra } = await at.console.ok(
      catalogue.createService,
      {
        name: 'Scans',
        type: 'API',
        category: 'Own',
        currency: 'TWD',
        addOnTo: [family],
        charges: [
          {
            key: 'scans',
            name: { zhTW: '掃描', enUS: 'Scans' },
            kind: 'usage',
            meter: 'scans',
            model: 'per_unit',
            unitPrice: '2',
          },
        ],
        requiresPrepaidCredit: true,
      },
      asAdmin(),
    );
    expect((await set(north, september, one)).status).toBe(200);
    const addOn = await at.console.ok(
      subscriptions.addAddOn,
      { subscriptionId: subscriptionOf(one), serviceId: extra },
      as(one),
    );
    // It has no payer of its own, like any subscription that requires credit.
    const own = (await set(north, september, one, addOn.id)).envelope;
    expect(own).toMatchObject({ code: 'payers.needs_credit', errors: [{ field: 'subscriptionId' }] });
    await topUp(one, twd(1000));
    await at.console.ok(
      creditgrants.giveGrant,
      {
        organizationId: one.organizationId,
        kind: 'paid',
        name: { zhTW: '額度', enUS: 'Credit' },
        amount: twd(500),
      },
      asAdmin(),
    );
    await use(one, 'scan', '30', '2024-09-10T00:00:00Z', { type: 'scan' });
    await use(one, 'call', '7', '2024-09-05T00:00:00Z');
    await moveTo('2024-10-05T00:00:00Z');
    await close(september);
    const shown = async (who: Customer) =>
      (await bills(who, september))
        .filter(({ usedBy }) => who === one || usedBy?.organizationId === one.organizationId)
        .map(({ lines, state, paid }) => [
          ...lines.map(({ kind, total }) => `${kind} ${moneyText(total)}`),
          `${state}: ${moneyText(paid)}`,
        ]);
    expect(await shown(one)).toEqual([['usage 60', 'paid: 63']]);
    expect(await shown(north)).toEqual([['base_fee 20', 'usage 7', 'open: 0']]);
    await expectSoundBooks();
  });

  it('an expired subscription with another payer cannot be renewed once its service requires credit', async () => {
    const [one, , dearer, cheaper] = await withPlans();
    const start = async (serviceId: Id<'svc'>) =>
      (await at.console.ok(subscriptions.subscribe, { serviceId, autoRenew: false }, as(one))).id;
    const other = await serviceOf(north);
    const [first, second, third] = [await start(other), await start(cheaper), await start(dearer)];
    for (const id of [first, second, third]) expect((await set(south, november, one, id)).status).toBe(200);
    await moveTo('2024-11-05T00:00:00Z');
    await runFeatureJob(at.console.app, 'end-subscriptions');
    const renew = (subscriptionId: Id<'sub'>) =>
      at.console.call(subscriptions.renew, { subscriptionId }, { ...as(one), language: 'enUS' });
    const require = (serviceId: Id<'svc'>) => change(serviceId, { requiresPrepaidCredit: true });
    // Ended subscriptions do not matter.
    expect((await require(cheaper)).status).toBe(200);
    const { envelope } = await renew(second);
    expect(envelope).toMatchObject({
      code: 'payers.plan_needs_credit',
      errors: [{ field: 'serviceId' }],
    });
    expect((await set(null, november, one, second)).status).toBe(200);
    expect((await renew(second)).status).toBe(200);
    const [renewed, late] = await atOnce(
      () => renew(first),
      () => require(other),
    );
    expect([renewed.status, late.envelope.code]).toEqual([200, 'payers.service_paid']);
    const [needed, tooLate] = await atOnce(
      () => require(dearer),
      () => renew(third),
    );
    expect([needed.status, tooLate.envelope.code]).toEqual([200, 'payers.plan_needs_credit']);
  });
});
