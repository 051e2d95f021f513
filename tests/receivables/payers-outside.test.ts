// External payments of an organization that pays for another: its card and checkouts pay the bills of the
// other’s services, each once.
import { beforeAll, describe, expect, it } from 'vitest';
import { required } from '#kernel/assert.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { billing, type Bill } from '#features/invoicing/billing/contract.ts';
import type { ConsolidatedBill } from '#features/invoicing/billing/contract-consolidated.ts';
import { consolidateBills } from '#features/invoicing/billing/server/index.ts';
import { payers } from '#features/invoicing/payers/contract.ts';
import { collection } from '#features/receivables/collection/contract.ts';
import { collect } from '#features/receivables/collection/server/index.ts';
import { payments, type PaymentIntent } from '#features/receivables/payments/contract.ts';
import { topups } from '#features/receivables/top-ups/contract.ts';
import { topUpBalances } from '#features/receivables/top-ups/server/index.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { registerUser, signIn } from '../support/console.ts';
import { holdJob } from '../support/jobs.ts';
import { billTotal, createPaymentApp, twd, type PaymentApp } from '../support/payments.ts';

let app: PaymentApp;
/** Uses services that the other organization pays. */
let branch: { token: string; organizationId: string };
const asPayer = () => ({ token: app.user.token });
const asBranch = () => ({ token: branch.token });
const asAdmin = () => ({ token: app.admin });
const [october, november, december] = ['2024-10', '2024-11', '2024-12'] as BillingMonth[] as [
  BillingMonth,
  BillingMonth,
  BillingMonth,
];

beforeAll(async () => {
  app = await createPaymentApp(1);
  for (const job of ['collect', 'billing.consolidate', 'top-up-balances']) await holdJob(app.app, job, job);
  branch = await registerUser(app, 'uses@branch.example', 'Branch');
  const { items } = await app.ok(catalogue.adminListServices, {}, asAdmin());
  await app.ok(
    subscriptions.adminSubscribe,
    {
      organizationId: branch.organizationId as never,
      serviceId: required(items[0], 'the service').id,
      startedAt: new Date('2024-09-30T16:00:00Z'),
    },
    asAdmin(),
  );
  await app.ok(
    payers.setPayer,
    {
      organizationId: branch.organizationId as never,
      payerId: app.user.organizationId as never,
      from: october,
    },
    asAdmin(),
  );
});

/** Closes a month on the second day of the next; returns its bills, the payer’s own first. */
async function closed(month: BillingMonth, on: string): Promise<[own: Bill, other: Bill]> {
  app.clock.set(new Date(on));
  await app.later(0);
  branch.token = await signIn(app, 'uses@branch.example');
  await app.ok(billing.closeMonth, { month }, asAdmin());
  const { items } = await app.ok(billing.listBills, { month }, asPayer());
  const [own, other] = [false, true].map((isOther) =>
    required(
      items.find(({ usedBy }) => (usedBy !== undefined) === isOther),
      'the bill',
    ),
  );
  return [required(own, 'the payer’s own bill'), required(other, 'the bill of the branch’s services')];
}
const stateOf = async (bills: readonly Bill[]) =>
  Promise.all(bills.map(async ({ id }) => (await app.billNow(id)).state));

describe('T-COLL: the card of a payer', () => {
  it('is charged once per bill, including the other’s services; the other organization has no card and sees no charge', async () => {
    const bills = await closed(october, '2024-11-02T04:00:00Z');
    expect(bills.map(({ total }) => total)).toEqual([twd(billTotal), twd(billTotal)]);
    const { url } = await app.ok(collection.addCard, { consents: true, language: 'zhTW' }, asPayer());
    await app.sendStripeEvent(
      app.stripe.event('checkout.session.completed', app.stripe.cards.enter(url, {})),
    );
    await app.ok(
      collection.saveCollectionPlan,
      { firstDay: 'issue', daysBefore: 3, retryDays: [1, 3, 5, 7] },
      asAdmin(),
    );
    await app.ok(collection.setCollection, { isOn: true }, asPayer());
    await Promise.all([collect(app.app), collect(app.app)]);
    await collect(app.app);
    for (const { id } of bills)
      expect(app.stripe.cards.chargesOf(id)).toMatchObject([{ amount: billTotal * 100, currency: 'twd' }]);
    expect(await stateOf(bills)).toEqual(['paid', 'paid']);
    expect((await app.ok(collection.listCards, {}, asBranch())).cards).toEqual([]);
    expect((await app.call(collection.billCollection, { billId: bills[1].id }, asBranch())).status).toBe(404);
    expect((await app.ok(payments.listPayments, {}, asBranch())).items).toEqual([]);
    await app.checkBooks();
    await app.ok(collection.setCollection, { isOn: false }, asPayer());
  });

  it('tops its balance up once when the other’s bill has taken it below the threshold', async () => {
    await app.ok(
      topups.setAutomaticTopUp,
      { threshold: twd(1000), amount: twd(2000), monthlyCap: twd(9000), consents: true, language: 'enUS' },
      asPayer(),
    );
    await topUpBalances(app.app);
    expect(await app.balance()).toBe(2000);
    await app.ok(
      payers.setPayerBilling,
      { organizationId: app.user.organizationId as never, isConsolidated: true, from: december },
      asAdmin(),
    );
    const [own, other] = await closed(november, '2024-12-02T04:00:00Z');
    await app.pay(other.id, 'balance');
    expect(await app.balance()).toBe(950);
    await Promise.all([topUpBalances(app.app), topUpBalances(app.app)]);
    await topUpBalances(app.app);
    expect(await app.balance()).toBe(2950);
    await app.pay(own.id, 'balance');
    expect(await stateOf([own, other])).toEqual(['paid', 'paid']);
    await app.ok(topups.endAutomaticTopUp, { currency: 'TWD' }, asPayer());
    await app.checkBooks();
  });
});

describe('T-CONSOLIDATED: paying through a provider', () => {
  let bills: [Bill, Bill];
  let together: ConsolidatedBill;
  const payTogether = async (method: 'stripe' | 'ecpay'): Promise<PaymentIntent> =>
    required(
      (await app.ok(payments.payConsolidatedBill, { consolidatedId: together.id, method }, asPayer()))
        .payment,
      'a payment',
    );
  const standing = () => app.ok(billing.getConsolidatedBill, { consolidatedId: together.id }, asPayer());
  const monthOf = async (month: BillingMonth, on: string): Promise<void> => {
    bills = await closed(month, on);
    expect(await consolidateBills(app.app)).toBe(1);
    const { items } = await app.ok(billing.listConsolidatedBills, { month }, asPayer());
    together = required(items[0], 'the consolidated bill');
    expect(together.due).toEqual(twd(2 * billTotal));
  };

  it('by card: one checkout pays each bill once, however often the provider sends its event', async () => {
    await monthOf(december, '2025-01-02T04:00:00Z');
    const before = await app.balance();
    const payment = await payTogether('stripe');
    expect(payment.amount).toEqual(twd(2 * billTotal));
    const event = app.stripe.pay(payment.id);
    expect(await Promise.all([app.sendStripeEvent(event), app.sendStripeEvent(event)])).toEqual([200, 200]);
    expect(await app.sendStripeEvent(event)).toBe(200);
    expect(await standing()).toMatchObject({ state: 'paid', due: twd(0), paid: twd(2 * billTotal) });
    expect(await stateOf(bills)).toEqual(['paid', 'paid']);
    expect(await app.balance()).toBe(before);
    await app.checkBooks();
  });

  it('with ECPay, after one of the bills was paid meanwhile: the other is paid, and the rest stays in the balance', async () => {
    await monthOf('2025-01' as BillingMonth, '2025-02-02T04:00:00Z');
    const before = await app.balance();
    const payment = await payTogether('ecpay');
    app.ecpay.post({ ...required(payment.checkout?.fields, 'the form') });
    await app.pay(bills[0].id, 'balance');
    expect(await app.balance()).toBe(before - billTotal);
    const notice = app.ecpay.pay(payment.id.slice(-20));
    for (let time = 0; time < 2; time += 1) expect((await app.sendEcpayNotice(notice)).status).toBe(200);
    expect((await app.payment(payment.id)).state).toBe('succeeded');
    expect(await standing()).toMatchObject({ state: 'paid', due: twd(0) });
    expect(await app.balance()).toBe(before);
    await app.checkBooks();
  });
});
