// Resellers on a real database: customers see and pay retail prices, the reseller pays wholesale, each is
// billed once, and nobody sees what belongs to another.
import { sql } from 'kysely';
import type pg from 'pg';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { required } from '#kernel/assert.ts';
import type { Contract, Route } from '#kernel/contract.ts';
import type { Id } from '#kernel/ids.ts';
import { moneyText } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { identity } from '#features/access/identity/contract.ts';
import { signin } from '#features/access/signin/contract.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { credits } from '#features/invoicing/credits/contract.ts';
import { payers } from '#features/invoicing/payers/contract.ts';
import { resellers } from '#features/invoicing/resellers/contract.ts';
import { unitOfWork } from '#platform/server/unit-of-work/unit-of-work.ts';
import { administration } from '#features/operations/administration/contract.ts';
import { brandOfPage } from '#features/operations/administration/server/index.ts';
import type { SystemStatus } from '#features/operations/administration/contract-system.ts';
import { creditLimits } from '#features/receivables/credit-limits/contract.ts';
import { payments } from '#features/receivables/payments/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { insights } from '#features/metering/insights/contract.ts';
import { foundIn } from '../../verify/test-damage.ts';
import { checkerOf, foundBy } from '../../verify/test-found.ts';
import { closeAsPreviewed } from '../support/previewed.ts';
import { signIn, userPassword } from '../support/console.ts';
import {
  at,
  billOf,
  close,
  customer,
  db,
  expectVerified,
  fee,
  moveTo,
  november,
  october,
  september,
  startBilling,
  twd,
  use,
  type Customer,
} from '../support/corrections.ts';
import { startTestDns, type TestDns } from '../support/dns.ts';
import { openMailbox, type Mailbox } from '../support/mail.ts';
import { pdfPages } from '../support/pdf.ts';

let client: pg.Client;
let dns: TestDns;
let mailbox: Mailbox;
/** A reseller, its customer, another reseller, and that one’s customer. */
let shop: Customer;
let client1: Customer;
let rival: Customer;
let client2: Customer;
const details = {
  name: 'Cloud Shop',
  numberPrefix: 'SHOP',
  taxRate: '5',
  dueDays: 14,
  instructions: 'Pay Cloud Shop by transfer to 007-123.',
};
const as = (one: Customer) => ({ token: one.token });
const asAdmin = () => ({ token: at.admin });
const sell = (one: Customer, by: Customer | null, from: BillingMonth) =>
  at.console.call(
    resellers.setReseller,
    { organizationId: one.organizationId, resellerId: by?.organizationId ?? null, from },
    asAdmin(),
  );
const markUps = (percent: string, from: BillingMonth, by = shop) =>
  at.console.call(resellers.saveMarkUps, { from, markUps: { percent, services: [] } }, as(by));
const running = async (one: Customer): Promise<string[]> => {
  const { bills } = await at.console.ok(billing.currentBill, {}, as(one));
  return bills.flatMap(({ lines, net }) => [
    ...lines.map(({ kind, total }) => `${kind} ${moneyText(total)}`),
    `net ${moneyText(net)}`,
  ]);
};
const retailOf = (one: Customer, month: BillingMonth) =>
  at.console.ok(resellers.retailBills, { month }, as(one)).then(({ items }) => items);

beforeAll(async () => {
  dns = await startTestDns();
  mailbox = await openMailbox();
  await startBilling({
    DNS_SERVERS: dns.address,
    PUBLIC_URL: 'https://console.example',
    TRUST_PROXY: '127.0.0.1',
    SMTP_URL: mailbox.url,
    MAIL_FROM: 'Console <mail@console.example>',
  });
  client = await checkerOf(at.console);
  shop = await customer(fee('50'));
  client1 = await customer(fee('100'));
  rival = await customer(fee('70'));
  client2 = await customer(fee('300'));
  await moveTo('2024-09-10T00:00:00Z');
});
afterAll(() => mailbox.close());

describe('T-RESELL: customers of resellers', () => {
  it('an Admin creates resellers and assigns customers; errors are reported at their fields', async () => {
    const make = (one: Customer, more: object = {}) =>
      at.console.call(
        resellers.makeReseller,
        { organizationId: one.organizationId, ...details, ...more },
        asAdmin(),
      );
    expect((await sell(client1, shop, september)).envelope).toMatchObject({
      code: 'resellers.reseller_not_found',
      errors: [{ field: 'resellerId' }],
    });
    expect((await make(shop)).status).toBe(201);
    expect((await make(rival, { name: 'Rival', numberPrefix: 'RIV' })).status).toBe(201);
    expect((await sell(shop, rival, september)).envelope.code).toBe('resellers.is_reseller');
    expect((await sell(client1, shop, september)).status).toBe(200);
    expect((await sell(client2, rival, september)).status).toBe(200);
    expect((await make(client1)).envelope.code).toBe('resellers.organization_resold');
    // The reseller pays; no other payer can be set.
    const payer = await at.console.call(
      payers.setPayer,
      { organizationId: client1.organizationId, payerId: null, from: october },
      asAdmin(),
    );
    expect([payer.envelope.code, payer.envelope.errors?.[0]?.field]).toEqual([
      'payers.organization_resold',
      'organizationId',
    ]);
    const { items } = await at.console.ok(resellers.listResold, {}, asAdmin());
    expect(items.map(({ organization, reseller, state }) => [organization, reseller, state])).toEqual([
      ['C2', 'Cloud Shop', 'current'],
      ['C4', 'Rival', 'current'],
    ]);
  });

  it('a reseller adds a customer with its first user, and can sell to it immediately', async () => {
    const { organizationId, link } = await at.console.ok(
      resellers.addCustomer,
      { name: 'New client', email: 'first@client.example' },
      as(shop),
    );
    const token = link.split('token=')[1] ?? '';
    const joined = { token, name: 'First', password: userPassword };
    // The reseller was shown this link: the address has to be confirmed.
    expect((await at.console.ok(identity.acceptInvitation, joined)).mustConfirm).toBe(true);
    const mailed = () => mailbox.linkFor('first@client.example')?.split('/verify-email#token=')[1];
    await expect.poll(mailed).toBeDefined();
    await at.console.ok(signin.verifyEmail, { token: mailed() ?? '' });
    const first = await signIn(at.console, 'first@client.example');
    const { soldBy } = await at.console.ok(resellers.ownResale, {}, { token: first });
    expect(soldBy).toEqual({ name: 'Cloud Shop', instructions: details.instructions });
    const { items } = await at.console.ok(resellers.listCustomers, {}, as(shop));
    expect(items.map(({ id }) => id)).toContain(organizationId);
  });
});

describe('T-RESELL: prices', () => {
  it('of customers are retail everywhere, from the month in which markups begin', async () => {
    expect((await markUps('20', '2024-08' as BillingMonth)).envelope.code).toBe('resellers.month_begun');
    // In the last hours of a month in Taipei, the next one has begun elsewhere.
    await moveTo('2024-09-30T15:00:00Z');
    expect(await at.console.ok(resellers.listMarkUps, {}, as(shop))).toMatchObject({ first: september });
    await moveTo('2024-09-10T00:00:00Z');
    expect((await markUps('20', september)).status).toBe(200);
    // The running month now has its markups, which can no longer change.
    expect((await markUps('90', september)).envelope.code).toBe('resellers.month_begun');
    expect((await markUps('100', october)).status).toBe(200);
    await use(client1, 'u1', '60', '2024-09-05T00:00:00Z');
    await use(client2, 'u2', '8', '2024-09-05T00:00:00Z');
    const { items } = await at.console.ok(subscriptions.listSubscriptions, {}, as(client1));
    const service = required(items[0], 'its subscription').service;
    expect(service.pricing).toMatchObject({ baseFee: '120', tiers: [{ unitPrice: '1.2' }] });
    const offered = { serviceId: service.id };
    expect((await at.console.ok(catalogue.getService, offered, as(client1))).pricing).toEqual(
      service.pricing,
    );
    expect((await at.console.ok(catalogue.getService, offered, as(shop))).pricing).toMatchObject({
      baseFee: '100',
    });
    expect(
      moneyText(
        (await at.console.ok(catalogue.estimate, { ...offered, quantity: '10' } as never, as(client1)))
          .amount,
      ),
    ).toBe('132');
    expect(await running(client1)).toEqual(['base_fee 120', 'usage 72', 'net 192']);
  });

  it('are shown to the reseller with cost and margin', async () => {
    const { items } = await at.console.ok(resellers.listCustomers, { q: 'C2' }, as(shop));
    expect(items.map((each) => each.running)).toEqual([
      [{ currency: 'TWD', retail: twd(192), wholesale: twd(160), margin: twd(32) }],
    ]);
  });
});

describe('T-RESELL: a closed month', () => {
  it('is billed once: retail to the customer by the reseller, wholesale to the reseller', async () => {
    await moveTo('2024-10-05T00:00:00Z');
    await closeAsPreviewed(at.console, at.admin, september, () =>
      Promise.all([close(september), close(september)]),
    );
    await close(september);
    const [bill, ...more] = await retailOf(client1, september);
    expect(more).toEqual([]);
    expect(bill).toMatchObject({
      number: 'SHOP-202409-0001',
      seller: 'Cloud Shop',
      net: twd(192),
      tax: twd(10),
      total: twd(202),
      paidOn: null,
    });
    // The operator bills nothing to the customer, and the usage to the reseller.
    expect((await at.console.ok(billing.listBills, {}, as(client1))).total).toBe(0);
    const { items, totals, isProven } = await at.console.ok(
      resellers.wholesale,
      { month: september },
      as(shop),
    );
    expect(items.map(({ organization, lines, net, retail }) => [organization, lines, net, retail])).toEqual([
      ['C2', twd(160), twd(160), twd(192)],
    ]);
    expect([totals, isProven]).toEqual([
      [{ currency: 'TWD', retail: twd(192), wholesale: twd(160), margin: twd(32) }],
      true,
    ]);
    const wholesale = await at.console.ok(
      billing.getBill,
      { billId: required(items[0], 'a wholesale bill').billId },
      as(shop),
    );
    expect([wholesale.usedBy?.organization, wholesale.net]).toEqual(['C2', twd(160)]);
  });

  it('late usage makes the same difference to both bills of the next month, at the prices of its own month', async () => {
    await use(client1, 'late', '10', '2024-09-20T00:00:00Z');
    await moveTo('2024-11-05T00:00:00Z');
    await close(october);
    const id = required((await retailOf(client1, october))[0], 'a bill').id;
    const { lines } = await at.console.ok(resellers.retailBill, { retailBillId: id }, as(client1));
    expect(lines.map(({ kind, total, forMonth }) => [kind, moneyText(total), forMonth])).toEqual([
      // October has a markup of 100 percent.
      ['base_fee', '200', undefined],
      ['adjustment', '12', september],
    ]);
    const { items } = await at.console.ok(resellers.wholesale, { month: october }, as(shop));
    expect(items.map(({ net }) => net)).toEqual([twd(110)]);
    await expectVerified(client);
  });

  it('the document is the reseller’s, with its payment instructions', async () => {
    const id = required((await retailOf(client1, september))[0], 'a bill').id;
    const answer = await fetch(`${at.console.address}/api/retail-bills/${id}/pdf?language=enUS`, {
      headers: { authorization: `Bearer ${client1.token}` },
    });
    const words = (await pdfPages(new Uint8Array(await answer.arrayBuffer()))).join(' ');
    expect(words).toContain('SHOP-202409-0001');
    expect(words).toContain(details.instructions);
    expect(words).not.toContain('Skytally');
  });

  it('the reseller records payments; the customer sees the date, but not the note', async () => {
    const { id } = required((await retailOf(client1, september))[0], 'a bill');
    const note = (paidOn: string | null) =>
      at.console.call(
        resellers.notePayment,
        { retailBillId: id, paidOn: paidOn as never, note: 'Bank of Taiwan' },
        as(shop),
      );
    expect((await note('2025-01-01')).envelope.code).toBe('resellers.paid_too_late');
    expect((await note('2024-10-20')).status).toBe(200);
    const [seen] = await retailOf(client1, september);
    expect([seen?.paidOn, seen?.paidNote]).toEqual(['2024-10-20', '']);
    expect(
      await sql`update retail_bill set net_minor = 1, total_minor = 11 where id = ${id}`
        .execute(db())
        .catch((error: Error) => error.message),
    ).toBe('of a retail bill only the payment is noted');
  });
});

describe('T-RESELL: credit notes on retail bills', () => {
  const credit = (retailBillId: Id<'rtb'>, amount: string | null, by = shop) =>
    at.console.call(resellers.creditBill, { retailBillId, amount, reason: 'The service was down.' }, as(by));
  const billOf = async (month: BillingMonth) => required((await retailOf(client1, month))[0], 'a bill');

  it('credit a part or all, never more, concurrently or one after the other', async () => {
    const { id, total } = await billOf(september);
    expect(total).toEqual(twd(202));
    const refusal = async (amount: string) => {
      const { code, errors } = (await credit(id, amount)).envelope;
      return [code, errors?.[0]?.field];
    };
    expect(await refusal('0')).toEqual(['resellers.credit_zero', 'amount']);
    expect(await refusal('203')).toEqual(['resellers.credit_too_much', 'amount']);
    expect(await refusal('1.5')).toEqual(['resellers.credit_digits', 'amount']);
    const both = await Promise.all([credit(id, '150'), credit(id, '150')]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    expect((await credit(id, null)).status).toBe(201);
    expect((await credit(id, null)).envelope.code).toBe('resellers.nothing_left');
    const retailBill = await at.console.ok(resellers.retailBill, { retailBillId: id }, as(client1));
    expect(retailBill.credited).toEqual(twd(202));
    expect(
      retailBill.credits.map(({ number, net, tax, total: taken, reason }) => [
        number,
        net,
        tax,
        taken,
        reason,
      ]),
    ).toEqual([
      ['SHOP-CN-0001', twd(143), twd(7), twd(150), 'The service was down.'],
      ['SHOP-CN-0002', twd(49), twd(3), twd(52), 'The service was down.'],
    ]);
    const { totals } = await at.console.ok(resellers.wholesale, { month: september }, as(shop));
    expect(totals).toEqual([{ currency: 'TWD', retail: twd(0), wholesale: twd(160), margin: twd(-160) }]);
    expect(
      await sql`insert into retail_credit_note (id, retail_bill_id, reseller_id, sequence, number, reason, net_minor, tax_minor, total_minor, issued_by, issued_at)
        select 'rcn_more', retail_bill_id, reseller_id, 9, 'more', reason, 1, 0, 1, issued_by, issued_at from retail_credit_note limit 1`
        .execute(db())
        .catch((error: Error) => error.message),
    ).toBe('credit notes exceed their retail bill');
    const damage = (set: string) =>
      foundIn(client, [`update retail_credit_note set ${set} where number = 'SHOP-CN-0001'`]);
    expect(await damage('net_minor = net_minor')).toEqual([]);
    expect(await damage('net_minor = net_minor + 1')).toEqual([
      'retail-credits: retail_credit_parts SHOP-CN-0001',
    ]);
    // The second one credits the rest, which is then too much of the one and too little of the other.
    expect(await damage('net_minor = net_minor - 1, tax_minor = tax_minor + 1')).toEqual([
      'retail-credits: retail_credit_tax SHOP-CN-0001',
      'retail-credits: retail_credit_tax SHOP-CN-0002',
    ]);
    expect(await damage('net_minor = net_minor + 1, total_minor = total_minor + 1')).toContain(
      'retail-credits: retail_credit_excess SHOP-CN-0002',
    );
    expect(await damage(`reseller_id = '${rival.organizationId}'`)).toContain(
      'retail-credits: retail_credit_of_another SHOP-CN-0001',
    );
    expect(await damage('sequence = 7')).toContain('retail-numbers: retail_number SHOP-CN-0002');
  });

  it('are documents for the customer and the reseller, and do not exist for others', async () => {
    const { id } = await billOf(september);
    const { credits } = await at.console.ok(resellers.resellerBill, { retailBillId: id }, as(shop));
    const paper = (one: Customer) =>
      fetch(`${at.console.address}/api/retail-bills/${id}/credits/${credits[0]?.id}/pdf?language=enUS`, {
        headers: { authorization: `Bearer ${one.token}` },
      });
    for (const one of [client1, shop]) {
      const words = (await pdfPages(new Uint8Array(await (await paper(one)).arrayBuffer()))).join(' ');
      expect(words).toMatch(/SHOP-CN-0001.*SHOP-202409-0001/);
      expect(words).toContain('The service was down.');
      expect(words).not.toContain('Skytally');
    }
    for (const one of [rival, client2]) expect((await paper(one)).status).toBe(404);
    expect((await credit(id, '1', rival)).envelope.code).toBe('resellers.bill_not_found');
    expect((await credit(id, '1', client1)).envelope.code).toBe('resellers.not_reseller');
  });
});

describe('T-RESELL: services of a reseller’s customers', () => {
  it('are stopped and resumed by the reseller with a reason; those of others do not exist', async () => {
    const mine = { organizationId: client1.organizationId };
    const [service] = (await at.console.ok(resellers.customerServices, mine, as(shop))).items;
    const subscriptionId = required(service, 'a service').id;
    expect(service?.state).toBe('active');
    const act = (what: 'pauseService' | 'resumeService', by: Customer, of = client1.organizationId) =>
      at.console.call(
        resellers[what],
        { organizationId: of, subscriptionId, reason: 'Unpaid since October.' },
        as(by),
      );
    expect((await act('pauseService', rival)).envelope.code).toBe('resellers.customer_not_found');
    expect((await act('pauseService', client1)).envelope.code).toBe('resellers.not_reseller');
    // Neither another reseller’s service through an own customer, nor an own one through another’s customer.
    expect((await act('pauseService', rival, client2.organizationId)).envelope.code).toBe(
      'subscriptions.not_found',
    );
    expect((await act('pauseService', shop)).status).toBe(200);
    const stateNow = async () =>
      (await at.console.ok(subscriptions.getSubscription, { subscriptionId }, as(client1))).state;
    expect(await stateNow()).toBe('paused');
    expect((await act('pauseService', shop)).envelope.code).toBe('subscriptions.transition_refused');
    // The customer cannot resume what its seller paused.
    const own = () => at.console.call(subscriptions.start, { subscriptionId }, as(client1));
    expect((await own()).envelope.code).toBe('subscriptions.paused_by_seller');
    expect(await stateNow()).toBe('paused');
    // Nor cancel it in order to subscribe again, or to another plan of the same family.
    for (const when of ['now', 'end'] as const) {
      const cancelled = await at.console.call(subscriptions.cancel, { subscriptionId, when }, as(client1));
      expect([when, cancelled.envelope.code]).toEqual([when, 'subscriptions.paused_by_seller']);
    }
    const bigger = await at.console.ok(
      catalogue.createService,
      {
        name: 'Bigger',
        type: 'API',
        category: 'Own',
        family: 'plans',
        pricing: fee('900'),
        meter: { eventType: 'call', aggregation: 'sum', unit: 'calls' },
      },
      asAdmin(),
    );
    await sql`update service set family = 'plans' where id = (select service_id from subscription where id = ${subscriptionId})`.execute(
      db(),
    );
    const subscribed = await at.console.call(subscriptions.subscribe, { serviceId: bigger.id }, as(client1));
    expect(subscribed.envelope.code).toBe('subscriptions.paused_by_seller');
    expect(await stateNow()).toBe('paused');
    expect((await act('resumeService', shop)).status).toBe(200);
    expect(await stateNow()).toBe('active');
    // It can resume what it paused itself, even if its seller had paused before.
    await at.console.ok(subscriptions.stop, { subscriptionId }, as(client1));
    expect((await own()).status).toBe(200);
    expect(await stateNow()).toBe('active');
    const { items } = await at.console.ok(subscriptions.history, { subscriptionId }, as(client1));
    expect(items.map(({ action, reason }) => [action, reason])).toEqual(
      expect.arrayContaining([
        ['stop', 'Unpaid since October.'],
        ['start', 'Unpaid since October.'],
      ]),
    );
  });
});

describe('T-RESELL: limits and prepaid credit', () => {
  it('a reseller’s credit limit blocks new usage of its customers without telling them why; other customers continue', async () => {
    const { items } = await at.console.ok(catalogue.listServices, { q: 'S4' }, as(client1));
    const serviceId = required(items[0], 'a service that only the rival’s customer has').id;
    const limit = (amount: number | null) =>
      at.console.ok(
        creditLimits.setCreditLimit,
        {
          organizationId: shop.organizationId,
          currency: 'TWD',
          amount: amount === null ? null : twd(amount),
        } as never,
        asAdmin(),
      );
    await limit(1);
    const subscribe = (one: Customer, what: string) =>
      at.console.call(subscriptions.subscribe, { serviceId: what } as never, as(one));
    const refused = await subscribe(client1, serviceId);
    expect([refused.status, refused.envelope.code]).toEqual([409, 'creditlimits.seller_refuses']);
    expect(refused.envelope.message).toContain('Cloud Shop');
    expect(refused.envelope.message).not.toMatch(/\d/);
    expect((await subscribe(shop, serviceId)).envelope.code).toBe('creditlimits.reached');
    const first = required(
      (await at.console.ok(catalogue.listServices, { q: 'S2' }, as(client2))).items[0],
      'one',
    );
    expect((await subscribe(client2, first.id)).status).toBe(201);
    await limit(null);
    expect((await subscribe(shop, serviceId)).status).toBe(201);
  });

  it('prepaid credit belongs to the reseller and pays the operator’s bills; the customer has none', async () => {
    expect(
      (await at.console.call(payments.topUp, { amount: twd(100) } as never, as(client1))).envelope.code,
    ).toBe('resellers.sold_by_reseller');
    const { items } = await at.console.ok(resellers.wholesale, { month: september }, as(shop));
    const { organization } = await at.console.ok(
      billing.getBill,
      { billId: required(items[0], 'a wholesale bill').billId },
      as(shop),
    );
    expect(organization).toBe('C1');
  });
});

describe('T-RESELL: a reseller’s brand', () => {
  const host = 'portal.shop.example';
  const shopLook = { accent: '#C2410C', senderName: 'Shop support', replyTo: 'help@shop.example' };
  const brandFor = (token: string) => at.console.ok(administration.seenAs, {}, { token });
  /** A call like that of a browser on a host name. */
  const from = (
    name: string,
    path: string,
    { origin, ...init }: RequestInit & { readonly origin?: string } = {},
  ) =>
    fetch(`${at.console.address}${path}`, {
      ...init,
      headers: {
        'x-forwarded-host': name,
        'content-type': 'application/json',
        ...(origin !== undefined && { origin }),
      },
    });
  const statusAt = async (name: string) =>
    ((await (await from(name, '/api/system/status')).json()) as { data: SystemStatus }).data;
  /** The brand of a page that a browser requests on a host name, with a session cookie or without. */
  const pageFor = (cookie: string | undefined, name = 'console.example') =>
    unitOfWork(at.console.app, { actor: { kind: 'anonymous' }, mode: 'read' }, (ctx) =>
      brandOfPage(ctx, cookie, name),
    );
  const cookieOf = async (account: string): Promise<string | undefined> => {
    const answer = await from('console.example', '/api/user/login', {
      method: 'POST',
      origin: 'https://console.example',
      body: JSON.stringify({ account, password: userPassword }),
    });
    return /session=([^;]+)/.exec(answer.headers.getSetCookie().join())?.[1];
  };
  const signInFrom = (origin: string, name = host) =>
    from(name, '/api/user/login', {
      method: 'POST',
      origin,
      body: JSON.stringify({ account: 'owner@c2.example', password: userPassword }),
    });
  const logoOf = (one: Customer, bytes: Buffer, type = 'image/png') =>
    fetch(`${at.console.address}/api/reseller/brand/logo`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${one.token}`, 'content-type': type },
      body: new Uint8Array(bytes),
    });

  it('is set by the reseller itself; pale colors and invalid pictures are rejected', async () => {
    const pale = await at.console.call(resellers.saveBrand, { ...shopLook, accent: '#FFE066' }, as(shop));
    expect([pale.envelope.code, pale.envelope.errors?.[0]?.field]).toEqual([
      'resellers.accent_pale',
      'accent',
    ]);
    expect(
      await at.console.ok(resellers.saveBrand, { ...shopLook, accent: '#c2410c' }, as(shop)),
    ).toMatchObject({
      ...shopLook,
      name: 'Cloud Shop',
      mailFrom: 'Console <mail@console.example>',
    });
    expect((await logoOf(shop, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).status).toBe(422);
    const drawn = await sharp({ create: { width: 900, height: 300, channels: 4, background: '#C2410C80' } })
      .withExif({ IFD0: { Copyright: 'somebody' } })
      .png()
      .toBuffer();
    expect((await logoOf(shop, drawn)).status).toBe(200);
    const { logo } = await at.console.ok(resellers.ownBrand, {}, as(shop));
    const answer = await fetch(`${at.console.address}/api/brand/logos/${logo}`);
    const stored = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
    expect([
      answer.headers.get('content-type'),
      stored.format,
      stored.width,
      stored.height,
      stored.exif,
    ]).toEqual(['image/png', 'png', 384, 128, undefined]);
  });

  it('is visible to its customers only', async () => {
    expect(await brandFor(client1.token)).toMatchObject({
      name: 'Cloud Shop',
      companyPrefix: '',
      supportEmail: 'help@shop.example',
      accent: '#C2410C',
      logo: expect.stringMatching(/^lgo_/),
    });
    const operator = await brandFor(at.admin);
    expect(operator).toMatchObject({ accent: null, logo: null });
    expect(await brandFor(shop.token)).toEqual(operator);
    expect(await brandFor(client2.token)).toMatchObject({ name: 'Rival', accent: null, logo: null });
    // Pages have it before their code asks; a cookie that is of no session says nothing.
    expect(await pageFor(await cookieOf('owner@c2.example'))).toEqual(await brandFor(client1.token));
    expect(await pageFor(await cookieOf('owner@c4.example'))).toEqual(await brandFor(client2.token));
    expect(await pageFor('made-up')).toMatchObject({ name: operator.name, accent: null });
    expect(await pageFor(undefined)).toMatchObject({ name: operator.name, accent: null });
  });

  it('has a host name once a TXT record proves it, and only one reseller can have it', async () => {
    const claim = (one: Customer, name: string | null) =>
      at.console.call(resellers.setHost, { host: name }, as(one));
    expect((await claim(shop, 'not a name')).envelope.code).toBe('resellers.host_wrong');
    expect((await claim(shop, 'console.example')).envelope.code).toBe('resellers.host_main');
    const verify = (one: Customer) => at.console.call(resellers.verifyHost, {}, as(one));
    expect((await verify(shop)).envelope.code).toBe('resellers.host_missing');
    expect((await claim(shop, 'Portal.Shop.Example')).status).toBe(200);
    expect((await claim(rival, host)).status).toBe(200);
    expect((await verify(shop)).envelope.code).toBe('resellers.host_record_missing');
    // Claimed but not proved: the host name has no effect yet.
    expect(await statusAt(host)).toMatchObject({ accent: null, mainAddress: null });
    expect((await signInFrom(`https://${host}`)).status).toBe(403);
    const { host: claimed } = await at.console.ok(resellers.ownBrand, {}, as(shop));
    const record = required(claimed, 'the claim').record;
    dns.texts.set(record.name, ['skytally-domain=another']);
    expect((await verify(shop)).envelope.code).toBe('resellers.host_record_other');
    dns.texts.set(record.name, [record.value]);
    expect((await verify(shop)).status).toBe(200);
    const theirs = required(
      (await at.console.ok(resellers.ownBrand, {}, as(rival))).host,
      'the claim',
    ).record;
    dns.texts.set(record.name, [record.value, theirs.value]);
    expect((await verify(rival)).envelope.code).toBe('resellers.host_taken');
  });

  it('appears on its own host name before sign-in, where people can sign in', async () => {
    expect(await statusAt(host)).toMatchObject({
      name: 'Cloud Shop',
      accent: '#C2410C',
      mainAddress: 'https://console.example',
      signIn: { company: false },
    });
    expect(await statusAt('console.example')).toMatchObject({ accent: null, logo: null, mainAddress: null });
    const manifest = (await (await from(host, '/api/system/manifest')).json()) as { name: string };
    expect(manifest.name).toBe('Cloud Shop');
    expect(await pageFor(undefined, host)).toMatchObject({ name: 'Cloud Shop', accent: '#C2410C' });
    expect(await pageFor(undefined)).toMatchObject({ accent: null });
    expect((await signInFrom(`https://${host}`)).status).toBe(200);
    // Pages of a host name can act only at that host name, and no other pages can.
    expect((await signInFrom(`https://${host}`, 'console.example')).status).toBe(403);
    expect((await signInFrom('https://evil.example')).status).toBe(403);
    expect((await signInFrom(`http://${host}`)).status).toBe(403);
    expect((await signInFrom('https://evil.example', 'evil.example')).status).toBe(403);
  });

  it('is on invitations of its customers: name, sender, reply address, and links to its host name', async () => {
    const { link } = await at.console.ok(
      resellers.addCustomer,
      { name: 'Branded', email: 'branded@client.example' },
      as(shop),
    );
    expect(link).toMatch(/^https:\/\/portal\.shop\.example\/invitation#token=/);
    const other = await at.console.ok(
      resellers.addCustomer,
      { name: 'Of the rival', email: 'rivals@client.example' },
      as(rival),
    );
    expect(other.link).toMatch(/^https:\/\/console\.example\/invitation#token=/);
    const letterTo = (to: string) =>
      vi.waitFor(
        () =>
          required(
            mailbox.letters.find((letter) => letter.to === to),
            'the letter',
          ),
        { timeout: 20_000 },
      );
    const letter = await letterTo('branded@client.example');
    expect(letter.head).toMatch(/From: Shop support <mail@console\.example>/);
    expect(letter.head).toMatch(/Reply-To: Shop support <help@shop\.example>/);
    expect(letter.html).toContain('background:#C2410C');
    expect(letter.html).toContain('Cloud Shop');
    expect(letter.text).toContain(`https://${host}/invitation`);
    const theirs = await letterTo('rivals@client.example');
    expect(theirs.head).not.toContain('Shop support');
    expect(theirs.html).not.toMatch(/C2410C|Cloud Shop/);
  });

  it('can also be changed by an Admin, and by nobody of another organization', async () => {
    const resellerInput = { resellerId: shop.organizationId };
    expect(await at.console.ok(resellers.adminBrand, resellerInput, asAdmin())).toMatchObject({
      accent: '#C2410C',
    });
    await at.console.ok(
      resellers.adminSaveBrand,
      { ...resellerInput, ...shopLook, accent: '#1F4E8C' },
      asAdmin(),
    );
    expect((await brandFor(client1.token)).accent).toBe('#1F4E8C');
    for (const one of [shop, rival, client1])
      expect((await at.console.call(resellers.adminBrand, resellerInput, as(one))).status).toBe(403);
    const { logo } = await at.console.ok(resellers.removeLogo, {}, as(shop));
    expect(logo).toBeNull();
    await at.console.ok(resellers.adminSetHost, { ...resellerInput, host: null }, asAdmin());
    expect((await signInFrom(`https://${host}`)).status).toBe(403);
  });
});

describe('T-RESELL: separation of resellers', () => {
  /** A response for the matrix: its status, and the code of an error. */
  async function answers(route: Route, input: object, token: string): Promise<string> {
    const { status, envelope } = await at.console.call(route as Contract[string], input as never, { token });
    return status < 300 ? String(status) : `${status} ${envelope.code ?? ''}`;
  }
  const member = async (organizationId: string, account: string): Promise<string> => {
    await at.console.ok(
      identity.createUser,
      {
        account,
        name: account,
        role: 'ReadOnly',
        organizationId: organizationId as never,
        password: userPassword,
      },
      asAdmin(),
    );
    return signIn(at.console, account);
  };

  it('every call of resellers, by caller', async () => {
    const retailBillId = required((await retailOf(client1, september))[0], 'a bill').id;
    const callers: [string, string][] = [
      ['reseller', shop.token],
      ['its reader', await member(shop.organizationId, 'reader@shop.example')],
      ['customer', client1.token],
      ['its reader', await member(client1.organizationId, 'reader@client.example')],
      ['rival', rival.token],
      ['Admin', at.admin],
    ];
    const none = '404 resellers.not_reseller';
    const noBill = '404 resellers.bill_not_found';
    const no = '403 platform.forbidden';
    const next = '2025-03' as BillingMonth;
    const calls: [Route, object, readonly string[]][] = [
      [resellers.ownResale, {}, ['200', '200', '200', '200', '200', no]],
      [resellers.listCustomers, {}, ['200', '200', none, none, '200', no]],
      [resellers.listMarkUps, {}, ['200', '200', none, none, '200', no]],
      [resellers.resellerBills, {}, ['200', '200', none, none, '200', no]],
      [resellers.resellerBill, { retailBillId }, ['200', '200', none, none, noBill, no]],
      [resellers.wholesale, { month: september }, ['200', '200', none, none, '200', no]],
      [resellers.retailBills, {}, ['200', '200', '200', '200', '200', no]],
      [resellers.retailBill, { retailBillId }, [noBill, noBill, '200', '200', noBill, no]],
      [resellers.retailBillPdf, { retailBillId }, [noBill, noBill, '200', '200', noBill, no]],
      [resellers.notePayment, { retailBillId, paidOn: null, note: '' }, ['200', no, none, no, noBill, no]],
      [
        resellers.saveMarkUps,
        { from: next, markUps: { percent: '1', services: [] } },
        ['200', no, none, no, '200', no],
      ],
      [
        resellers.creditBill,
        { retailBillId, amount: null, reason: 'Gone' },
        ['409 resellers.nothing_left', no, none, no, noBill, no],
      ],
      [
        resellers.customerServices,
        { organizationId: client1.organizationId },
        ['200', '200', none, none, '404 resellers.customer_not_found', no],
      ],
      [resellers.ownBrand, {}, ['200', '200', none, none, '200', no]],
      [resellers.saveBrand, { accent: null, senderName: '', replyTo: '' }, ['200', no, none, no, '200', no]],
      [resellers.setHost, { host: null }, ['200', no, none, no, '200', no]],
      [resellers.removeLogo, {}, ['200', no, none, no, '200', no]],
      [resellers.adminBrand, { resellerId: shop.organizationId }, [no, no, no, no, no, '200']],
      [resellers.adminSetHost, { resellerId: shop.organizationId, host: null }, [no, no, no, no, no, '200']],
      [resellers.adminRemoveLogo, { resellerId: shop.organizationId }, [no, no, no, no, no, '200']],
      [resellers.saveReseller, details, ['200', no, none, no, '200', no]],
      [
        resellers.addCustomer,
        { name: 'Another', email: 'another@client.example' },
        ['201', no, none, no, '201', no],
      ],
      [resellers.listResellers, {}, [no, no, no, no, no, '200']],
      [resellers.listResold, {}, [no, no, no, no, no, '200']],
      [
        resellers.adminWholesale,
        { resellerId: shop.organizationId, month: september },
        [no, no, no, no, no, '200'],
      ],
      [
        resellers.setReseller,
        { organizationId: client1.organizationId, resellerId: shop.organizationId, from: next },
        [no, no, no, no, no, '200'],
      ],
    ];
    for (const [route, input, expected] of calls) {
      const results: string[] = [];
      for (const [, token] of callers) results.push(await answers(route, input, token));
      expect(results, `${route.method} ${route.path} by ${callers.map(([who]) => who).join(', ')}`).toEqual(
        expected,
      );
    }
  });

  it('another reseller does not find the customer or its bills in its lists', async () => {
    const { items } = await at.console.ok(resellers.listCustomers, {}, as(rival));
    expect(items.map(({ name }) => name)).toEqual(['Another', 'C4', 'Of the rival']);
    const theirs = await at.console.ok(
      resellers.resellerBills,
      { organizationId: client1.organizationId },
      as(rival),
    );
    expect(theirs.total).toBe(0);
    expect((await at.console.ok(resellers.wholesale, { month: september }, as(rival))).items).toMatchObject([
      { organization: 'C4' },
    ]);
  });

  it('a customer cannot access the operator’s bills, and the error names the reseller', async () => {
    const { items } = await at.console.ok(resellers.wholesale, { month: september }, as(shop));
    const billId = required(items[0], 'a wholesale bill').billId;
    const refused: [Route, object][] = [
      [billing.listCoveredBills, {}],
      [billing.getCoveredBill, { billId }],
      [billing.coveredBillPdf, { billId }],
      [billing.explainCoveredLine, { billId, lineId: '1' }],
      [billing.subscriptionLines, { subscriptionId: client1.subscriptionIds[0] }],
      [payers.ownPayers, {}],
      [payments.topUp, { amount: twd(100) }],
      [payments.payBill, { billId, method: 'balance' }],
    ];
    for (const [route, input] of refused)
      expect(await answers(route, input, client1.token), `${route.method} ${route.path}`).toBe(
        '403 resellers.sold_by_reseller',
      );
    expect(await answers(billing.getBill, { billId }, client1.token)).toBe('404 billing.bill_not_found');
    expect(await answers(billing.getBill, { billId }, rival.token)).toBe('404 billing.bill_not_found');
  });

  it('no figure of the customer’s own month is wholesale', async () => {
    await use(client1, 'u3', '5', '2024-11-02T00:00:00Z');
    const { totals } = await at.console.ok(
      insights.explore,
      { from: '2024-09-01', to: '2024-09-30' } as never,
      as(client1),
    );
    // 70 calls at 1.2; the reseller pays 1.
    expect(totals.map(({ cost }) => cost)).toEqual(['84']);
    expect(await running(client1)).toEqual(['base_fee 200', 'usage 10', 'net 210']);
  });

  it('late usage of a month that another reseller sold is on none of its later bills, and billed once to that month’s payer', async () => {
    const late = () => at.console.ok(resellers.listUnbilledLate, {}, asAdmin()).then(({ items }) => items);
    const bill = () =>
      at.console.call(
        resellers.billUnbilledLate,
        { organizationId: client1.organizationId, month: september },
        asAdmin(),
      );
    expect((await bill()).envelope.code).toBe('resellers.late_nothing');
    expect((await sell(client1, null, november)).status).toBe(200);
    await use(client1, 'later', '10', '2024-09-21T00:00:00Z');
    const waiting = {
      organizationId: client1.organizationId,
      organization: 'C2',
      month: september,
      seller: 'Cloud Shop',
      payer: 'C1',
      amounts: [twd(10)],
    };
    expect(await late()).toEqual([waiting]);
    await moveTo('2024-12-05T00:00:00Z');
    await close(november);
    const { lines } = await billOf(client1, november);
    expect(lines.filter(({ forMonth }) => forMonth !== undefined)).toEqual([]);
    expect(await late()).toEqual([waiting]);
    const both = await Promise.all([bill(), bill()]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(await late()).toEqual([]);
    const issued = required(
      (await at.console.ok(billing.listBills, {}, as(shop))).items.find(({ kind }) => kind === 'one_off'),
      'its bill',
    );
    const {
      usedBy,
      lines: charged,
      ...told
    } = await at.console.ok(billing.getBill, { billId: issued.id }, as(shop));
    expect([told.net, usedBy?.organization]).toEqual([twd(10), 'C2']);
    expect(charged.map(({ kind, total, forMonth }) => [kind, total, forMonth])).toEqual([
      ['adjustment', twd(10), september],
    ]);
    // The reseller’s bill to its former customer includes it: 10 calls at 1.2, and nothing of its earlier
    // bill of September.
    const [retail, ...others] = (await retailOf(client1, september)).toSorted((a, b) =>
      a.number < b.number ? 1 : -1,
    );
    expect(others.map(({ number }) => number)).toEqual(['SHOP-202409-0001']);
    expect(retail).toMatchObject({ number: 'SHOP-202409-0002', net: twd(12), seller: details.name });
    const detail = await at.console.ok(
      resellers.retailBill,
      { retailBillId: required(retail, 'a late bill').id },
      as(client1),
    );
    expect(detail.lines.map(({ kind, total, forMonth }) => [kind, total, forMonth])).toEqual([
      ['adjustment', twd(12), september],
    ]);
    const sold = await at.console.ok(resellers.resellerBills, { month: september }, as(shop));
    expect(sold.items.find(({ number }) => number === retail?.number)?.wholesale).toEqual(twd(10));
    // The customer cannot see the operator’s bill.
    expect(await answers(billing.getBill, { billId: issued.id }, client1.token)).toBe(
      '404 billing.bill_not_found',
    );
    await expectVerified(client);
    // A bill that is void has billed nothing.
    await at.console.ok(credits.voidBill, { billId: issued.id, reason: 'wrong' }, asAdmin());
    expect(await late()).toEqual([waiting]);
    expect((await bill()).status).toBe(200);
    // The customer is billed once, however often the reseller is.
    expect(await retailOf(client1, september)).toHaveLength(2);
    expect(await foundBy(client)).toEqual([]);
  });
});
