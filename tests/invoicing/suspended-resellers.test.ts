// T-RESELL: what a suspended reseller and its customers may still do. Nothing new starts; everything else goes on.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Route } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { required } from '#kernel/assert.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { resellers } from '#features/invoicing/resellers/contract.ts';
import { collection } from '#features/receivables/collection/contract.ts';
import { payments } from '#features/receivables/payments/contract.ts';
import { books } from '#features/reporting/books/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { consoleContract } from '#app/console/contract.ts';
import {
  at,
  close,
  customer,
  fee,
  moveTo,
  september,
  startBilling,
  twd,
  use,
  type Customer,
} from '../support/corrections.ts';

let shop: Customer;
let client: Customer;
/** A service that nobody has yet. */
let fresh: Id<'svc'>;
/** Another plan of the family of the customers' services, which costs more. */
let bigger: Id<'svc'>;
const asAdmin = () => ({ token: at.admin });
const as = (one: Customer) => ({ token: one.token });

/** A service; plans of one family can be changed to each other. */
const service = async (name: string, family: string, baseFee: string): Promise<Id<'svc'>> =>
  (
    await at.console.ok(
      catalogue.createService,
      {
        name,
        type: 'API',
        category: 'Own',
        family,
        pricing: fee(baseFee),
        meter: { eventType: 'call', aggregation: 'sum', unit: 'calls' },
      },
      asAdmin(),
    )
  ).id;
const subscribe = async (one: Customer, serviceId: Id<'svc'>): Promise<Id<'sub'>> =>
  (await at.console.ok(subscriptions.subscribe, { serviceId }, as(one))).id;
const suspend = () =>
  at.console.ok(
    consoleContract.suspendOrganization,
    { organizationId: shop.organizationId, reason: 'fraud' },
    asAdmin(),
  );

/** The first plan of the family, of the reseller and of its customer. */
let ofShop: Id<'sub'>;
let ofClient: Id<'sub'>;
/** The customer's subscription that ended with September. */
let expired: Id<'sub'>;
const ofOwn = () => required(client.subscriptionIds[0], 'the service that the customer has from before');

beforeAll(async () => {
  await startBilling();
  shop = await customer(fee('50'));
  client = await customer(fee('100'));
  await moveTo('2024-09-10T00:00:00Z');
  const small = await service('Small', 'plans', '10');
  bigger = await service('Bigger', 'plans', '900');
  fresh = await service('Fresh', '', '30');
  await at.console.ok(
    resellers.makeReseller,
    {
      organizationId: shop.organizationId,
      name: 'Cloud Shop',
      numberPrefix: 'SHOP',
      taxRate: '5',
      dueDays: 14,
      instructions: '',
    },
    asAdmin(),
  );
  await at.console.ok(
    resellers.setReseller,
    { organizationId: client.organizationId, resellerId: shop.organizationId, from: september },
    asAdmin(),
  );
  ofShop = await subscribe(shop, small);
  ofClient = await subscribe(client, small);
  expired = (
    await at.console.ok(
      subscriptions.subscribe,
      { serviceId: await service('Ended', '', '20'), autoRenew: false },
      as(client),
    )
  ).id;
  await moveTo('2024-10-05T00:00:00Z');
  await close(september);
  await suspend();
});
afterAll(() => at.console.end());

/** The code of a refusal; 'works' for success. */
async function outcome(one: Customer, route: Route, input: object): Promise<string | undefined> {
  const { status, envelope } = await at.console.call(route, input as never, as(one));
  return status < 400 ? 'works' : envelope.code;
}
type Row = readonly [call: string, route: Route, input: () => object | Promise<object>, outcome: string];
const row = (call: string, route: Route, input: () => object | Promise<object>, expected = 'works'): Row => [
  call,
  route,
  input,
  expected,
];
const ofCustomer = () => ({ organizationId: client.organizationId });
const retailBill = async () => {
  const { items } = await at.console.ok(resellers.resellerBills, {}, as(shop));
  return { retailBillId: required(items[0], 'a bill of the reseller').id };
};
const openBill = async () => {
  const { items } = await at.console.ok(billing.listBills, { state: 'open' }, as(shop));
  return { billId: required(items[0], 'a bill of the operator').id };
};
const lastMonth = () => ({ month: september });
const nextMonth = '2024-11' as BillingMonth;
const details = { name: 'Cloud Shop', numberPrefix: 'SHOP', taxRate: '5', dueDays: 20, instructions: '' };
const look = { accent: null, senderName: '', replyTo: '' };

const ofReseller: readonly Row[] = [
  row('ownResale', resellers.ownResale, () => ({})),
  row('ownBrand', resellers.ownBrand, () => ({})),
  row('saveBrand', resellers.saveBrand, () => look),
  row('removeLogo', resellers.removeLogo, () => ({})),
  row('setHost', resellers.setHost, () => ({ host: null })),
  row('saveReseller', resellers.saveReseller, () => details),
  row('listCustomers', resellers.listCustomers, () => ({})),
  row(
    'addCustomer',
    resellers.addCustomer,
    () => ({ name: 'Another', email: 'owner@another.example' }),
    'resellers.suspended',
  ),
  row('customerServices', resellers.customerServices, ofCustomer),
  row('pauseService', resellers.pauseService, () => ({
    ...ofCustomer(),
    subscriptionId: ofClient,
    reason: 'unpaid',
  })),
  // Its fees would begin again, which the reseller owes; the customer is not billed while it is paused.
  row(
    'resumeService',
    resellers.resumeService,
    () => ({ ...ofCustomer(), subscriptionId: ofClient, reason: 'paid' }),
    'resellers.suspended',
  ),
  row('listMarkUps', resellers.listMarkUps, () => ({})),
  row('saveMarkUps', resellers.saveMarkUps, () => ({
    from: nextMonth,
    markUps: { percent: '7', services: [] },
  })),
  row('resellerBills', resellers.resellerBills, () => ({})),
  row('resellerBill', resellers.resellerBill, retailBill),
  row('notePayment', resellers.notePayment, async () => ({
    ...(await retailBill()),
    paidOn: '2024-10-04',
    note: '',
  })),
  row('creditBill', resellers.creditBill, async () => ({
    ...(await retailBill()),
    amount: '1',
    reason: 'goodwill',
  })),
  row('wholesale', resellers.wholesale, lastMonth),
];
/** Files and other people's answers, or only for its customers. */
const otherwise = [
  'setLogo',
  'verifyHost',
  'brandLogo',
  'retailBills',
  'retailBill',
  'retailBillPdf',
  'retailCreditPdf',
];

describe('T-RESELL: while a reseller is suspended', () => {
  it('each of its calls as a reseller is decided on', () => {
    const open = Object.entries(resellers).filter(
      ([, { access }]) => typeof access !== 'object' || access.roles.some((role) => role !== 'Admin'),
    );
    expect(open.map(([name]) => name).toSorted()).toEqual(
      [...ofReseller.map(([name]) => name), ...otherwise].toSorted(),
    );
  });

  it.each(ofReseller)('the reseller: %s', async (_call, route, input, expected) => {
    expect(await outcome(shop, route, await input())).toBe(expected);
  });

  it.each([
    row(
      'subscribe',
      subscriptions.subscribe,
      () => ({ serviceId: fresh }),
      'subscriptions.organization_suspended',
    ),
    row(
      'previewSubscribe',
      subscriptions.previewSubscribe,
      () => ({ serviceId: fresh }),
      'subscriptions.organization_suspended',
    ),
    row(
      'change',
      subscriptions.change,
      () => ({ subscriptionId: ofShop, serviceId: bigger }),
      'subscriptions.transition_refused',
    ),
    row('start', subscriptions.start, () => ({ subscriptionId: ofShop }), 'subscriptions.transition_refused'),
    row('topUp', payments.topUp, () => ({ amount: twd(100) })),
    row('balance', payments.balance, () => ({})),
    row(
      'payBill',
      payments.payBill,
      async () => ({ ...(await openBill()), method: 'balance' }),
      'payments.balance_too_low',
    ),
    row('statement', books.statement, () => ({})),
    row('cancel', subscriptions.cancel, () => ({ subscriptionId: ofShop, when: 'end' })),
  ])('the reseller for itself: %s', async (_call, route, input, expected) => {
    expect(await outcome(shop, route, await input())).toBe(expected);
  });

  it.each([
    row('subscribe', subscriptions.subscribe, () => ({ serviceId: fresh }), 'resellers.seller_refuses'),
    row(
      'previewSubscribe',
      subscriptions.previewSubscribe,
      () => ({ serviceId: fresh }),
      'resellers.seller_refuses',
    ),
    row(
      'upgrade',
      subscriptions.change,
      () => ({ subscriptionId: ofClient, serviceId: bigger }),
      'resellers.seller_refuses',
    ),
    // The reseller paused it before it was suspended, or since: only the reseller resumes it.
    row(
      'start what the reseller paused',
      subscriptions.start,
      () => ({ subscriptionId: ofClient }),
      'subscriptions.paused_by_seller',
    ),
    // What the customer paused itself it has already, and may resume.
    row('stop', subscriptions.stop, () => ({ subscriptionId: ofOwn() })),
    row('start', subscriptions.start, () => ({ subscriptionId: ofOwn() })),
    row(
      'renew what has expired',
      subscriptions.renew,
      () => ({ subscriptionId: expired }),
      'resellers.seller_refuses',
    ),
    row('retailBills', resellers.retailBills, () => ({})),
    row('currentBill', billing.currentBill, () => ({})),
    // What concerns the operator's bills stays with the reseller.
    row('balance', payments.topUp, () => ({ amount: twd(100) }), 'resellers.sold_by_reseller'),
    row(
      'addCard',
      collection.addCard,
      () => ({ consents: true, language: 'enUS' }),
      'resellers.sold_by_reseller',
    ),
    row('statement', books.statement, () => ({}), 'resellers.sold_by_reseller'),
  ])('its customer: %s', async (_call, route, input, expected) => {
    expect(await outcome(client, route, await input())).toBe(expected);
  });

  it('what its customers use is still taken, and billed by both', async () => {
    await use(client, 'while suspended', '3', '2024-10-05T00:00:00Z');
    const { bills } = await at.console.ok(billing.currentBill, {}, as(client));
    expect(bills).toHaveLength(1);
  });

  it('is over, both start new things again', async () => {
    await at.console.ok(
      consoleContract.resumeOrganization,
      { organizationId: shop.organizationId },
      asAdmin(),
    );
    expect(
      await outcome(shop, resellers.resumeService, {
        ...ofCustomer(),
        subscriptionId: ofClient,
        reason: 'paid',
      }),
    ).toBe('works');
    expect(await outcome(client, subscriptions.renew, { subscriptionId: expired })).toBe('works');
    expect(await outcome(client, subscriptions.subscribe, { serviceId: fresh })).toBe('works');
    expect(await outcome(shop, subscriptions.subscribe, { serviceId: fresh })).toBe('works');
    expect(
      await outcome(shop, resellers.addCustomer, { name: 'Another', email: 'owner@another.example' }),
    ).toBe('works');
  });
});
