// Checkouts that are not settled at once: money that is on its way for days, and checkouts that nobody needs any more.
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { notifications } from '#features/notifications/contract.ts';
import { createPaymentWorld, twd, type PaymentWorld } from './test-payments.ts';

let world: PaymentWorld;
beforeAll(async () => {
  world = await createPaymentWorld(10);
});
afterEach(() => world.checkBooks());

describe('R-BILL-01: a payment that takes days', () => {
  it.each([['succeeded', 'paid'], ['failed', 'unpaid']] as const)('makes its bill `processing`, and then it is %s', async (how, end) => {
    const bill = world.bill();
    const intent = await world.pay(bill.id, 'stripe');
    const session = world.stripe.sessionOf(intent.id);
    const completed = world.stripe.event('checkout.session.completed', { ...session, status: 'complete', payment_status: 'unpaid', payment_intent: null });
    expect(await world.stripeSays(completed)).toBe(200);
    expect(await world.billNow(bill.id)).toMatchObject({ state: 'open', paymentStatus: 'processing', paid: twd(0) });
    const paid = world.stripe.pay(intent.id);
    if (how === 'failed') Object.assign(session, { payment_status: 'unpaid', payment_intent: null });
    const said = how === 'failed' ? world.stripe.event('checkout.session.async_payment_failed', session) : { ...paid, type: 'checkout.session.async_payment_succeeded' };
    expect(await world.stripeSays(said)).toBe(200);
    const after = (await world.billNow(bill.id)).paymentStatus;
    expect(end === 'unpaid' ? ['unpaid', 'overdue'] : [end]).toContain(after);
    // What is told late changes nothing any more.
    expect(await world.stripeSays({ ...completed, id: `${completed.id}-again` })).toBe(200);
    expect((await world.billNow(bill.id)).paymentStatus).toBe(after);
  });
});

describe('a checkout left open', () => {
  it('is closed at its provider once its bill is paid in another way, in part as well; one that still fits stays open', async () => {
    const bill = world.bill();
    const [whole, part] = [await world.pay(bill.id, 'stripe'), await world.pay(bill.id, 'stripe', 50)];
    await world.stripeSays(world.stripe.pay((await world.pay(bill.id, 'stripe', 1000)).id));
    await expect.poll(async () => (await world.payment(whole.id)).failure).toBe('not_needed');
    expect([world.stripe.sessionOf(whole.id).status, world.stripe.sessionOf(part.id).status]).toEqual(['expired', 'open']);
    expect((await world.payment(part.id)).state).toBe('pending');
    // The newest news is the payment that came, not a checkout that is no longer needed.
    expect((await world.ok(notifications.listNotifications, { limit: 1 }, { token: world.user.token })).items[0]?.message).toContain('has arrived');
    await world.stripeSays(world.stripe.pay(part.id));
    expect((await world.billNow(bill.id)).state).toBe('paid');
  });

  it('that is paid before it could be closed loses nothing: the money is in the balance, and its payer is told', async () => {
    const bill = world.bill();
    const late = await world.pay(bill.id, 'stripe');
    const event = world.stripe.pay(late.id);
    await world.stripeSays(world.stripe.pay((await world.pay(bill.id, 'stripe', 1000)).id));
    const closings = () => world.stripe.calls.filter((call) => call.endsWith(`${world.stripe.sessionOf(late.id).id}/expire`)).length;
    await expect.poll(closings).toBe(1);
    const before = await world.balance();
    expect(await world.stripeSays(event)).toBe(200);
    expect(await world.payment(late.id)).toMatchObject({ state: 'succeeded', toBill: twd(50) });
    expect(await world.balance()).toBe(before + 1000);
    const { items } = await world.ok(notifications.listNotifications, { limit: 3 }, { token: world.user.token });
    expect(items.map((each) => each.message).join()).toContain('more than was due');
  });

  it('F3 whose closing is lost is closed again; paid although it was closed, the money still counts', async () => {
    const bill = world.bill();
    const late = await world.pay(bill.id, 'stripe');
    const other = await world.pay(bill.id, 'stripe', 1000);
    const paid = world.stripe.pay(other.id);
    world.stripe.mishaps.push('fault');
    await world.stripeSays(paid);
    await expect.poll(() => world.stripe.mishaps.length).toBe(0);
    expect(world.stripe.sessionOf(late.id).status).toBe('open');
    await world.later(1);
    await expect.poll(() => world.stripe.sessionOf(late.id).status).toBe('expired');
    await expect.poll(async () => (await world.payment(late.id)).failure).toBe('not_needed');
    const before = await world.balance();
    expect(await world.stripeSays(world.stripe.pay(late.id))).toBe(200);
    expect(await world.payment(late.id)).toMatchObject({ state: 'succeeded', toBill: twd(50) });
    expect(await world.balance()).toBe(before + 1000);
  });
});
