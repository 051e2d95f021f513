// Virtual accounts and store codes of ECPay: what the customer gets, its deadline, and its outcomes.
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { payments } from '#features/receivables/payments/contract.ts';
import { createPaymentApp, twd, type PaymentApp } from '../support/payments.ts';

let app: PaymentApp;
beforeAll(async () => {
  app = await createPaymentApp(12, {
    ECPAY_ATM: '11-49999',
    ECPAY_CVS: '33-6000',
    ECPAY_REMEMBER_CARDS: 'yes',
  });
});
// Codes can be paid after the bill was; manual refunds are passed to the check.
let byHand = 0;
afterEach(() => app.checkBooks(byHand));

const orderOf = (paymentId: string): string => paymentId.slice(-20);
const ways = [
  ['ecpay_atm', 'ATM', { bank: '005', number: '9103522175887271' }, '2024-10-12T15:59:59.000Z'],
  ['ecpay_cvs', 'CVS', { bank: null, number: 'LLL24112512345' }, '2024-10-12T12:45:07.000Z'],
] as const;

/** Starts a payment and posts its form, as the customer’s browser does. */
async function begin(way: 'ecpay_atm' | 'ecpay_cvs', billId: string, amount?: number) {
  const intent = await app.pay(billId as never, way, amount);
  app.ecpay.post({ ...intent.checkout!.fields });
  return intent;
}

it('T-PAY: ECPay is asked to remember cards of a payer, but never with accounts and codes', async () => {
  const member = async (way: 'ecpay' | 'ecpay_atm'): Promise<unknown[]> => {
    const { checkout } = await app.pay(app.bill().id, way);
    app.ecpay.post({ ...checkout!.fields });
    return [checkout!.fields!['BindingCard'], checkout!.fields!['MerchantMemberID']];
  };
  const [binds, id] = await member('ecpay');
  expect([binds, id]).toEqual(['1', expect.stringMatching(/^[0-9A-Za-z]{21,30}$/)]);
  expect(await member('ecpay')).toEqual([binds, id]);
  expect(await member('ecpay_atm')).toEqual([undefined, undefined]);
});

describe('T-PAY: a virtual account or a store code', () => {
  it.each(ways)(
    'of %s is shown with its deadline, and pays its bill once',
    async (way, choose, got, until) => {
      const bill = app.bill();
      const { id, checkout } = await begin(way, bill.id);
      expect(checkout?.fields).toMatchObject({
        ChoosePayment: choose,
        PaymentInfoURL: `${app.address}/api/payments/webhooks/${way}`,
        ReturnURL: `${app.address}/api/payments/webhooks/${way}`,
        TotalAmount: '1050',
      });
      expect(await app.sendEcpayNotice(app.ecpay.instruct(orderOf(id)), way)).toEqual({
        status: 200,
        text: '1|OK',
      });
      const waiting = await app.payment(id);
      expect(waiting).toMatchObject({
        state: 'pending',
        instructions: { ...got, expiresAt: new Date(until) },
        received: null,
      });
      expect(await app.billNow(bill.id)).toMatchObject({ state: 'open', paid: twd(0) });
      // A repeated event, and paying the same again in the same way, lead to the same account.
      await app.sendEcpayNotice(app.ecpay.instruct(orderOf(id), { ExpireDate: '2024/12/31' }), way);
      const again = await app.pay(bill.id, way);
      expect(again).toMatchObject({ id, checkout: null, instructions: waiting.instructions });
      const paid = app.ecpay.pay(orderOf(id));
      for (let time = 0; time < 2; time += 1) expect((await app.sendEcpayNotice(paid, way)).status).toBe(200);
      expect(await app.payment(id)).toMatchObject({ state: 'succeeded', received: twd(1050) });
      expect(await app.billNow(bill.id)).toMatchObject({ state: 'paid' });
    },
  );

  it('whose notification was lost is queried, and stays open until a day after its deadline', async () => {
    const bill = app.bill();
    const { id } = await begin('ecpay_atm', bill.id);
    app.ecpay.instruct(orderOf(id));
    await app.later(3);
    expect((await app.payment(id)).instructions).toMatchObject({ number: '9103522175887271' });
    // Seven hours after the deadline.
    await app.later((7 * 24 + 20) * 60);
    expect((await app.payment(id)).state).toBe('pending');
    await app.later(24 * 60);
    expect(await app.payment(id)).toMatchObject({ state: 'failed', failure: 'expired' });
    // A payment before the deadline that is reported later is still booked.
    expect((await app.sendEcpayNotice(app.ecpay.pay(orderOf(id)), 'ecpay_atm')).status).toBe(200);
    expect(await app.billNow(bill.id)).toMatchObject({ state: 'paid' });
  });

  it('that was never requested ends with the page it was offered on', async () => {
    const { id } = await begin('ecpay_cvs', app.bill().id);
    await app.later(30);
    expect((await app.payment(id)).state).toBe('pending');
    await app.later(60);
    expect(await app.payment(id)).toMatchObject({ state: 'failed', failure: 'expired' });
  });

  it('pays the excess into the balance if the bill is already paid', async () => {
    const bill = app.bill();
    const before = await app.balance();
    const { id } = await begin('ecpay_atm', bill.id);
    await app.sendEcpayNotice(app.ecpay.instruct(orderOf(id)), 'ecpay_atm');
    const card = await app.pay(bill.id, 'ecpay');
    app.ecpay.post({ ...card.checkout!.fields });
    await app.sendEcpayNotice(app.ecpay.pay(orderOf(card.id)));
    expect(await app.billNow(bill.id)).toMatchObject({ state: 'paid' });
    await app.sendEcpayNotice(app.ecpay.pay(orderOf(id)), 'ecpay_atm');
    expect(await app.balance()).toBe(before + 1050);
  });

  it('is refunded manually: the console records it and makes no request to ECPay', async () => {
    const topUp = await app.ok(
      payments.topUp,
      { amount: twd(2000), method: 'ecpay_atm' },
      { token: app.user.token },
    );
    app.ecpay.post({ ...topUp.checkout!.fields });
    await app.sendEcpayNotice(app.ecpay.instruct(orderOf(topUp.id)), 'ecpay_atm');
    await app.sendEcpayNotice(app.ecpay.pay(orderOf(topUp.id)), 'ecpay_atm');
    const refund = await app.ok(
      payments.refundPayment,
      { paymentId: topUp.id, amount: twd(500), reason: 'closed' },
      { token: app.admin },
    );
    byHand = -500;
    expect(refund).toMatchObject({ state: 'succeeded', needsHand: false });
    expect(app.ecpay.actions).toEqual([]);
  });
});

describe('T-PAY: invalid input', () => {
  it.each([
    ['ecpay_atm', 10],
    ['ecpay_atm', 50_000],
    ['ecpay_cvs', 32],
    ['ecpay_cvs', 6001],
  ] as const)('%s does not accept NT$%i, and the message shows its limits', async (method, amount) => {
    const { status, envelope } = await app.call(
      payments.topUp,
      { amount: twd(amount), method },
      { token: app.user.token },
    );
    expect([status, envelope.code]).toEqual([422, 'payments.amount_out_of_range']);
    expect(envelope.message).toMatch(method === 'ecpay_atm' ? /11.*49,999/ : /33.*6,000/);
  });

  it('an account reported for another order, without a number, or with an invalid signature changes nothing', async () => {
    const { id } = await begin('ecpay_atm', app.bill().id);
    const instructions = app.ecpay.instruct(orderOf(id));
    expect((await app.sendEcpayNotice({ ...instructions, vAccount: '1111111111' }, 'ecpay_atm')).status).toBe(
      401,
    );
    for (const [field, value] of Object.entries({
      vAccount: '',
      BankCode: 'x',
      ExpireDate: 'soon',
      MerchantTradeNo: '1',
    }))
      expect(
        (await app.sendEcpayNotice(app.ecpay.instruct(orderOf(id), { [field]: value }), 'ecpay_atm')).status,
      ).toBe(422);
    // Reported to the address of another method.
    expect((await app.sendEcpayNotice(instructions, 'ecpay_cvs')).status).toBe(409);
    expect((await app.payment(id)).instructions).toBeUndefined();
  });
});
