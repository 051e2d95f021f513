// Resellers on a real database: customers see and pay retail prices, the reseller pays wholesale, each is billed once, and nobody looks
// sideways.
import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { required } from '#kernel/assert.ts';
import type { Contract, Route } from '#kernel/contract.ts';
import { moneyText } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { identity } from '#features/access/identity/contract.ts';
import { billing } from '#features/invoicing/billing/contract.ts';
import { payers } from '#features/invoicing/payers/contract.ts';
import { resellers } from '#features/invoicing/resellers/contract.ts';
import { payments } from '#features/receivables/payments/contract.ts';
import { catalogue } from '#features/selling/catalogue/contract.ts';
import { subscriptions } from '#features/selling/subscriptions/contract.ts';
import { insights } from '#features/metering/insights/contract.ts';
import { connection } from '../../verify/connection.ts';
import { foundBy } from '../../verify/test-found.ts';
import { placeOf } from '../support/books.ts';
import { signIn, userPassword } from '../support/console.ts';
import {
  at,
  close,
  customer,
  db,
  expectSoundBooks,
  fee,
  moveTo,
  october,
  september,
  startBilling,
  twd,
  use,
  type Customer,
} from '../support/corrections.ts';
import { runFeatureJob } from '../support/jobs.ts';
import { pdfPages } from '../support/pdf.ts';

let client: pg.Client;
/** A reseller, its customer, another reseller, and that one's customer. */
let shop: Customer;
let client1: Customer;
let rival: Customer;
let client2: Customer;
const said = {
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
  await startBilling();
  client = connection(placeOf(at.console));
  await client.connect();
  shop = await customer(fee('50'));
  client1 = await customer(fee('100'));
  rival = await customer(fee('70'));
  client2 = await customer(fee('300'));
  await moveTo('2024-09-10T00:00:00Z');
});
afterAll(() => client.end());

describe('T-RESELL: who sells to whom', () => {
  it('an Admin makes resellers and gives them customers; what is wrong is said at its field', async () => {
    const make = (one: Customer, more: object = {}) =>
      at.console.call(
        resellers.makeReseller,
        { organizationId: one.organizationId, ...said, ...more },
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
    // The reseller pays; nobody else can be set.
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

  it('a reseller adds a customer with its first user, who is sold to at once', async () => {
    const { organizationId, link } = await at.console.ok(
      resellers.addCustomer,
      { name: 'New client', email: 'first@client.example' },
      as(shop),
    );
    const token = link.split('token=')[1] ?? '';
    await at.console.ok(identity.acceptInvitation, { token, name: 'First', password: userPassword });
    const first = await signIn(at.console, 'first@client.example');
    const { soldBy } = await at.console.ok(resellers.ownResale, {}, { token: first });
    expect(soldBy).toEqual({ name: 'Cloud Shop', instructions: said.instructions });
    const { items } = await at.console.ok(resellers.listCustomers, {}, as(shop));
    expect(items.map(({ id }) => id)).toContain(organizationId);
  });
});

describe('T-RESELL: prices', () => {
  it('of customers are retail everywhere, from the month with which mark-ups begin', async () => {
    expect((await markUps('20', '2024-08' as BillingMonth)).envelope.code).toBe('resellers.month_begun');
    expect((await markUps('20', september)).status).toBe(200);
    // The running month has its mark-ups now: they cannot change any more.
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

  it('are shown to the reseller with what it pays and what is left', async () => {
    const { items } = await at.console.ok(resellers.listCustomers, { q: 'C2' }, as(shop));
    expect(items.map((each) => each.running)).toEqual([
      [{ currency: 'TWD', retail: twd(192), wholesale: twd(160), margin: twd(32) }],
    ]);
  });
});

describe('T-RESELL: a closed month', () => {
  it('is billed once: retail to the customer by the reseller, wholesale to the reseller', async () => {
    await moveTo('2024-10-05T00:00:00Z');
    await Promise.all([close(september), close(september)]);
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
    // The operator bills the customer nothing, and the reseller what it used.
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

  it('late usage makes the same difference on both of the next month, by the prices of its own month', async () => {
    await use(client1, 'late', '10', '2024-09-20T00:00:00Z');
    await moveTo('2024-11-05T00:00:00Z');
    await close(october);
    const id = required((await retailOf(client1, october))[0], 'a bill').id;
    const { lines } = await at.console.ok(resellers.retailBill, { retailBillId: id }, as(client1));
    expect(lines.map(({ kind, total, forMonth }) => [kind, moneyText(total), forMonth])).toEqual([
      // October has a mark-up of 100 percent.
      ['base_fee', '200', undefined],
      ['adjustment', '12', september],
    ]);
    const { items } = await at.console.ok(resellers.wholesale, { month: october }, as(shop));
    expect(items.map(({ net }) => net)).toEqual([twd(110)]);
    await expectSoundBooks();
    await runFeatureJob(at.console.app, 'metrics.refresh');
    expect(await foundBy(client)).toEqual([]);
  });

  it('the document is the reseller’s, and says how to pay it', async () => {
    const id = required((await retailOf(client1, september))[0], 'a bill').id;
    const answer = await fetch(`${at.console.address}/api/retail-bills/${id}/pdf?language=enUS`, {
      headers: { authorization: `Bearer ${client1.token}` },
    });
    const words = (await pdfPages(new Uint8Array(await answer.arrayBuffer()))).join(' ');
    expect(words).toContain('SHOP-202409-0001');
    expect(words).toContain(said.instructions);
    expect(words).not.toContain('Skytally');
  });

  it('the reseller notes what was paid; the customer sees the day, and not the note', async () => {
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

describe('T-RESELL: nobody looks sideways', () => {
  /** An answer as a matrix shows it: its status, and the code of a refusal. */
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

  it('every call of resellers, by whom it is made', async () => {
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
      [resellers.saveReseller, said, ['200', no, none, no, '200', no]],
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
      const seen: string[] = [];
      for (const [, token] of callers) seen.push(await answers(route, input, token));
      expect(seen, `${route.method} ${route.path} by ${callers.map(([who]) => who).join(', ')}`).toEqual(
        expected,
      );
    }
  });

  it('another reseller finds neither the customer nor its bills in its lists', async () => {
    const { items } = await at.console.ok(resellers.listCustomers, {}, as(rival));
    expect(items.map(({ name }) => name)).toEqual(['Another', 'C4']);
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

  it('a customer is refused what belongs to the operator’s bills, with the reseller’s name', async () => {
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
});
