// Signed provider events that do not match: rejected, stored with their reason, and reported to Admins.
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { notifications } from '#features/messaging/notifications/contract.ts';
import { audit } from '#features/access/audit/contract.ts';
import { payments } from '#features/receivables/payments/contract.ts';
import { consoleContract } from '#app/console/contract.ts';
import { billTotal, createPaymentApp, twd, type PaymentApp } from '../support/payments.ts';

let app: PaymentApp;
const whole = billTotal * 100;
beforeAll(async () => {
  app = await createPaymentApp(12);
});
afterEach(() => app.checkBooks());

const refused = async () => (await app.ok(payments.adminListRefused, {}, { token: app.admin })).items;
const adminNotices = async (language: 'zhTW' | 'enUS' = 'enUS') =>
  (await app.call(notifications.listNotifications, { limit: 50 }, { token: app.admin, language })).data.items;
const detail = (paymentId: string) =>
  app.ok(payments.adminGetPayment, { paymentId: paymentId as never }, { token: app.admin });
async function paid() {
  const intent = await app.pay(app.bill().id, 'stripe');
  expect(await app.sendStripeEvent(app.stripe.pay(intent.id))).toBe(200);
  return intent;
}

describe('R-BILL-05: a signed event that does not match', () => {
  it.each([
    ['another currency', { currency: 'usd' }, { minor: BigInt(whole), currency: 'USD' }],
    ['more than the payment', { amount: whole + 100 }, twd(billTotal + 1)],
  ])(
    'a dispute of %s is rejected, notified to Admins once, and listed with its reason',
    async (_name, wrong, amount) => {
      const intent = await paid();
      const { dispute, event } = app.stripe.dispute(intent.id, whole);
      const bad = app.stripe.event('charge.dispute.created', { ...dispute, ...wrong });
      const before = (await adminNotices()).length;
      expect([await app.sendStripeEvent(bad), await app.sendStripeEvent(bad)]).toEqual([422, 422]);
      expect((await refused())[0]).toMatchObject({
        provider: 'stripe',
        eventId: bad.id,
        about: 'dispute',
        amount,
        code: 'payments.amount_differs',
        reason: 'The amount differs from what was recorded.',
        paymentId: intent.id,
        organization: 'One',
        times: 2,
        isApplied: false,
      });
      const [news, ...others] = await adminNotices();
      expect([news?.message, news?.link, others.length]).toEqual([
        expect.stringContaining('reported a dispute of'),
        `/admin/payments?payment=${intent.id}`,
        before,
      ]);
      expect((await adminNotices('zhTW'))[0]?.message).toContain('金額或幣別不符');
      expect(await detail(intent.id)).toMatchObject({
        disputes: [],
        steps: expect.arrayContaining([
          expect.objectContaining({ kind: 'refused', outcome: 'dispute', amount, reference: bad.id }),
        ]),
      });
      // The provider corrects the event and sends it again.
      app.clock.advance(1000);
      expect(await app.sendStripeEvent({ ...event, id: bad.id })).toBe(200);
      expect([(await refused())[0]?.isApplied, (await detail(intent.id)).disputes.length]).toEqual([true, 1]);
      app.stripe.disputes.delete(dispute.id);
    },
  );

  it('unreadable ones and those about unknown payments are notified, too; ones with a wrong signature are not', async () => {
    const intent = await app.pay(app.bill().id, 'stripe');
    const event = app.stripe.pay(intent.id);
    const unreadable = {
      ...event,
      id: 'evt_unreadable',
      data: { object: { ...event.data.object, currency: 'xyz' } },
    };
    const unknown = {
      ...event,
      id: 'evt_unknown',
      data: { object: { ...event.data.object, metadata: { payment: 'pay_00000000000000000000000000' } } },
    };
    expect([await app.sendStripeEvent(unreadable), await app.sendStripeEvent(unknown)]).toEqual([422, 404]);
    expect((await refused()).map((each) => [each.eventId, each.code, each.about, each.paymentId])).toEqual(
      expect.arrayContaining([
        ['evt_unreadable', 'gateways.event_unreadable', null, null],
        ['evt_unknown', 'payments.not_found', 'payment', null],
      ]),
    );
    expect((await adminNotices()).map((each) => each.message).join()).toMatch(
      /evt_unknown.*evt_unreadable|evt_unreadable.*evt_unknown/,
    );
    const before = (await refused()).length;
    const { body, headers } = app.stripe.signed(
      { ...unknown, id: 'evt_forged' },
      app.clock.now(),
      'whsec_other',
    );
    expect(
      (await fetch(`${app.address}/api/payments/webhooks/stripe`, { method: 'POST', body, headers })).status,
    ).toBe(401);
    expect((await refused()).length).toBe(before);
    expect(await app.sendStripeEvent(event)).toBe(200);
  });

  it('one that waited for its payment does not prevent that payment', async () => {
    const bill = app.bill();
    const intent = await app.pay(bill.id, 'stripe');
    const completed = app.stripe.pay(intent.id);
    const { dispute } = app.stripe.dispute(intent.id, whole);
    const early = app.stripe.event('charge.dispute.created', { ...dispute, amount: whole + 500 });
    expect(await app.sendStripeEvent(early)).toBe(200);
    expect(await app.sendStripeEvent(completed)).toBe(200);
    expect((await app.billNow(bill.id)).state).toBe('paid');
    expect((await refused()).find((each) => each.eventId === early.id)).toMatchObject({
      code: 'payments.amount_differs',
      paymentId: intent.id,
      isApplied: false,
    });
    app.stripe.disputes.delete(dispute.id);
  });

  it('needs attention until an Admin records how it was resolved: once, logged, and shown on request (R-ADM-01)', async () => {
    const intent = await paid();
    const { dispute } = app.stripe.dispute(intent.id, whole);
    const bad = app.stripe.event('charge.dispute.created', { ...dispute, currency: 'usd' });
    const waiting = async () =>
      (await app.ok(consoleContract.adminDashboard, {}, { token: app.admin })).refusedPaymentEvents;
    const ids = async (standing: 'open' | 'done') =>
      (await app.ok(payments.adminListRefused, { standing }, { token: app.admin })).items.map(
        (each) => each.eventId,
      );
    const before = await waiting();
    expect([await app.sendStripeEvent(bad), await waiting(), (await ids('open')).length]).toEqual([
      422,
      before + 1,
      before + 1,
    ]);
    const settle = (eventId: string, note: string, key: string, token = app.admin) =>
      app.call(
        payments.settleRefused,
        { provider: 'stripe', eventId, note },
        { token, headers: { 'idempotency-key': key } },
      );
    expect(await settle(bad.id, 'theirs', 'customer', app.user.token)).toMatchObject({ status: 403 });
    expect(await settle('evt_nobody_sent', 'looked', 'nobody')).toMatchObject({
      status: 404,
      envelope: { code: 'payments.refused_not_found' },
    });
    expect(
      await app.call(
        payments.settleRefused,
        { provider: 'stripe', eventId: bad.id, note: 'x' },
        {
          token: app.admin,
          body: JSON.stringify({ provider: 'stripe', eventId: bad.id, note: ' ' }),
          headers: { 'idempotency-key': 'empty' },
        },
      ),
    ).toMatchObject({ status: 400 });
    const settled = {
      eventId: bad.id,
      isApplied: false,
      settledAt: app.clock.now(),
      settledBy: 'Operator',
      settleNote: 'asked Stripe: a test event',
    };
    for (const key of ['first', 'first', 'second'])
      expect(await settle(bad.id, key === 'second' ? 'another word' : settled.settleNote, key)).toMatchObject(
        {
          status: 200,
          data: settled,
        },
      );
    // The provider repeats it for days: it is the same event, and stays resolved.
    app.clock.advance(60_000);
    expect([
      await app.sendStripeEvent(bad),
      await waiting(),
      (await ids('open')).includes(bad.id),
      (await ids('done')).includes(bad.id),
    ]).toEqual([422, before, false, true]);
    expect((await refused()).find((each) => each.eventId === bad.id)).toMatchObject({ ...settled, times: 2 });
    const rows = (await app.ok(audit.listAudit, { limit: 50 } as never, { token: app.admin })).items.filter(
      (each) => each.action === 'payments.settleRefused',
    );
    const details = await Promise.all(
      rows.map(({ id: rowId }) => app.ok(audit.getAudit, { rowId }, { token: app.admin })),
    );
    expect(details.map((each) => [each.subject, each.detail])).toEqual([
      [bad.id, { provider: 'stripe', isRepeat: true }],
      [bad.id, { provider: 'stripe', note: settled.settleNote }],
    ]);
    app.stripe.disputes.delete(dispute.id);
  });

  it('that was resolved may still be applied when the provider corrects it; an applied one needs no attention', async () => {
    const intent = await paid();
    const { dispute, event } = app.stripe.dispute(intent.id, whole);
    const [bad, other] = ['one', 'two'].map((id) => ({
      ...app.stripe.event('charge.dispute.created', { ...dispute, currency: 'usd' }),
      id: `evt_mended_${id}`,
    }));
    for (const each of [bad, other]) expect(await app.sendStripeEvent(each!)).toBe(422);
    await app.ok(
      payments.settleRefused,
      { provider: 'stripe', eventId: 'evt_mended_one', note: 'they send it again' },
      { token: app.admin },
    );
    app.clock.advance(1000);
    for (const id of ['evt_mended_one', 'evt_mended_two'])
      expect(await app.sendStripeEvent({ ...event, id })).toBe(200);
    const done = (await app.ok(payments.adminListRefused, { standing: 'done' }, { token: app.admin })).items;
    expect(
      ['evt_mended_one', 'evt_mended_two']
        .map((id) => done.find((each) => each.eventId === id))
        .map((each) => [each?.isApplied, each?.settleNote]),
    ).toEqual([
      [true, 'they send it again'],
      [true, ''],
    ]);
    app.stripe.disputes.delete(dispute.id);
  });
});
