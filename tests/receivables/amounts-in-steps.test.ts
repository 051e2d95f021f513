// Saved cards and currencies with three decimal places: the provider charges only multiples of 0.010, so another
// amount is not charged, once and for all, and everybody who can do something about it knows what.
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { required } from '#kernel/assert.ts';
import { money } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { billing, type Bill } from '#features/invoicing/billing/contract.ts';
import { notifications } from '#features/messaging/notifications/contract.ts';
import { collection } from '#features/receivables/collection/contract.ts';
import { collect } from '#features/receivables/collection/server/index.ts';
import { topups } from '#features/receivables/top-ups/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { registerUser, signIn } from '../support/console.ts';
import { holdJob } from '../support/jobs.ts';
import { createPaymentApp, type PaymentApp } from '../support/payments.ts';

let app: PaymentApp;
const payers: Record<'odd' | 'even', { token: string; email: string; organizationId: string }> = {
  odd: { token: '', email: 'odd@kuwait.example', organizationId: '' },
  even: { token: '', email: 'even@kuwait.example', organizationId: '' },
};
const asAdmin = () => ({ token: app.admin });

beforeAll(async () => {
  app = await createPaymentApp(1);
  await holdJob(app.app, 'collect', 'collect');
  await app.ok(
    collection.saveCollectionPlan,
    { firstDay: 'issue', daysBefore: 3, retryDays: [1, 3, 5, 7] },
    asAdmin(),
  );
  // With 5 % tax, 0.131 and 0.210.
  for (const [who, baseFee] of [
    ['odd', '0.125'],
    ['even', '0.200'],
  ] as const) {
    const payer = payers[who];
    Object.assign(payer, await registerUser(app, payer.email, who));
    const { id: serviceId } = await app.ok(
      catalogue.createService,
      {
        name: `Dinar ${who}`,
        type: 'Hosting',
        category: 'Platform',
        pricing: { model: 'flat', currency: 'KWD', baseFee },
        meter: { eventType: who, aggregation: 'sum', unit: 'x' },
      },
      asAdmin(),
    );
    await app.ok(
      subscriptions.adminSubscribe,
      {
        organizationId: payer.organizationId as never,
        serviceId,
        startedAt: new Date('2024-09-30T16:00:00Z'),
      },
      asAdmin(),
    );
    const { url } = await app.ok(collection.addCard, { consents: true, language: 'enUS' }, payer);
    await app.sendStripeEvent(app.stripe.event('checkout.session.completed', app.stripe.cards.enter(url)));
    await app.ok(collection.setCollection, { isOn: true }, payer);
  }
  app.clock.set(new Date('2024-11-05T03:00:00Z'));
  await app.later(0);
  await app.ok(billing.closeMonth, { month: '2024-10' as BillingMonth }, asAdmin());
  for (const payer of Object.values(payers)) payer.token = await signIn(app, payer.email);
  await collect(app.app);
});
const billOf = async (who: 'odd' | 'even'): Promise<Bill> =>
  required((await app.ok(billing.listBills, {}, payers[who])).items[0], 'the bill');
const messages = async (token: string): Promise<string[]> =>
  (await app.ok(notifications.listNotifications, { limit: 100 }, { token, language: 'enUS' })).items
    .map(({ message }) => message)
    .filter((message) => message.includes('multiples of'));

describe('T-STEPS: a bill in Kuwaiti dinars', () => {
  it('that the provider can charge exactly is charged', async () => {
    const bill = await billOf('even');
    expect(bill.total).toEqual(money(210n, 'KWD'));
    expect(app.stripe.cards.chargesOf(bill.id)).toMatchObject([{ amount: 210, status: 'succeeded' }]);
    expect((await billOf('even')).state).toBe('paid');
  });

  it('that it cannot charge is not charged, stays due in full, and is not tried again', async () => {
    const bill = await billOf('odd');
    expect(bill).toMatchObject({ state: 'open', due: money(131n, 'KWD') });
    const standing = () => app.ok(collection.billCollection, { billId: bill.id }, payers.odd);
    expect(await standing()).toMatchObject({ stopped: 'steps', nextOn: null });
    await app.later(9 * 1440);
    await collect(app.app);
    for (const payer of Object.values(payers)) payer.token = await signIn(app, payer.email);
    expect((await standing()).attempts).toHaveLength(1);
    expect(app.stripe.cards.chargesOf(bill.id)).toEqual([]);
    // The provider was never asked for what it does not charge.
    expect(app.stripe.cards.refusedAmounts).toEqual([]);
    const { rows } = await sql<{
      total: number;
    }>`select count(*)::int as total from payment where bill_id = ${bill.id}`.execute(
      app.app.database.kysely,
    );
    expect(rows).toEqual([{ total: 1 }]);
  });

  it('is reported once to the customer and to Admins, with the ways to pay it', async () => {
    const [told, ...others] = await messages(payers.odd.token);
    expect(others).toEqual([]);
    expect(told).toContain('multiples of 0.010 KWD');
    expect(told).toContain('pay by bank transfer');
    const toAdmins = await messages(app.admin);
    expect(toAdmins).toHaveLength(1);
    expect(toAdmins[0]).toContain('pay from the balance or by bank transfer');
    expect(await messages(payers.even.token)).toEqual([]);
  });

  it('an auto top-up is set only to an amount that can be charged', async () => {
    const set = (minor: bigint) =>
      app.call(
        topups.setAutomaticTopUp,
        {
          threshold: money(100n, 'KWD'),
          amount: money(minor, 'KWD'),
          monthlyCap: money(10_000n, 'KWD'),
          consents: true,
          language: 'enUS',
        },
        payers.even,
      );
    const refused = await set(125n);
    expect(refused.envelope.errors).toMatchObject([{ field: 'amount', code: 'topups.amount_not_in_steps' }]);
  });
});
