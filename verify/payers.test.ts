// Organizations that pay for others, on a real database: bills go to the payer, usage stays with its
// organization, and nobody sees what belongs to another; with the independent checker after each step
// (R-BILL-05).
import { sql } from 'kysely';
import type pg from 'pg';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { required } from '#kernel/assert.ts';
import type { Id } from '#kernel/ids.ts';
import { moneyText } from '#kernel/money.ts';
import type { BillingMonth } from '#kernel/shape.ts';
import { billing, type BillDetail } from '../src/features/invoicing/billing/contract.ts';
import { creditgrants } from '../src/features/invoicing/credit-grants/contract.ts';
import { credits } from '../src/features/invoicing/credits/contract.ts';
import { notifications } from '../src/features/messaging/notifications/contract.ts';
import { oneOffs } from '../src/features/invoicing/one-offs/contract.ts';
import { payers } from '../src/features/invoicing/payers/contract.ts';
import { payments } from '../src/features/receivables/payments/contract.ts';
import { dunning } from '../src/features/receivables/dunning/contract.ts';
import { identity } from '../src/features/access/identity/contract.ts';
import { subscriptions } from '../src/features/selling/subscriptions/contract.ts';
import {
  at,
  balanceOf,
  billOf,
  bills,
  close,
  credit,
  customer,
  db,
  expectVerified,
  fee,
  moveTo,
  net,
  november,
  october,
  pay,
  september,
  startBilling,
  topUp,
  twd,
  use,
  type Customer,
} from '../tests/support/corrections.ts';
import { runFeatureJob } from '../tests/support/jobs.ts';
import { pdfPages } from '../tests/support/pdf.ts';
import { checkerOf, foundBy } from './test-found.ts';

const december = '2024-12' as BillingMonth;
let client: pg.Client;
/** The payer, two organizations that it pays for, one that pays for itself, and a former payer. */
let parent: Customer;
let child: Customer;
let sibling: Customer;
let stranger: Customer;
let former: Customer;

beforeAll(async () => {
  await startBilling();
  client = await checkerOf(at.console);
  parent = await customer(fee('50'));
  child = await customer(fee('100'), fee('30'));
  sibling = await customer(fee('200'));
  stranger = await customer(fee('300'));
  former = await customer(fee('400'));
  await moveTo('2024-09-10T00:00:00Z');
});
afterEach(expectEachVerified);

async function expectEachVerified(): Promise<void> {
  await expectVerified(client);
  // And each organization’s own check, which sees its own part of what it shares with another.
  for (const one of [parent, child]) expect(await foundBy(client, one.organizationId)).toEqual([]);
}

const asAdmin = () => ({ token: at.admin });
const as = (one: Customer) => ({ token: one.token });
const set = (one: Customer, payer: Customer | null, from: BillingMonth) =>
  at.console.call(
    payers.setPayer,
    { organizationId: one.organizationId, payerId: payer?.organizationId ?? null, from },
    asAdmin(),
  );
const shown = ({ state, usedBy, lines, net: whole, tax, buyer }: BillDetail): string =>
  `${state} of ${usedBy?.organization ?? 'itself'} to ${buyer.name}: ${lines.map(({ kind, total }) => `${kind} ${moneyText(total)}`).join(', ')} = ${moneyText(whole)} + ${moneyText(tax)}`;
const of = async (one: Customer, month: BillingMonth): Promise<string[]> =>
  (await bills(one, month)).map(shown);
const childBill = async (payer: Customer, user: Customer, month = september): Promise<BillDetail> =>
  required(
    (await bills(payer, month)).findLast((bill) => bill.usedBy?.organizationId === user.organizationId),
    'the bill of what the child used',
  );
const owedBy = async (one: Customer): Promise<bigint> =>
  (await at.console.ok(payments.balance, {}, as(one))).owed.reduce((sum, { minor }) => sum + minor, 0n);
const covered = async (one: Customer, month?: BillingMonth) =>
  (await at.console.ok(billing.listCoveredBills, { ...(month && { month }) }, as(one))).items;

describe('T-PAYER: setting a payer', () => {
  it('is rejected with a message at the wrong field, in both languages', async () => {
    await at.console.ok(
      identity.updateOrganization,
      { taxId: '04595257', billingAddress: 'Taipei' } as never,
      as(parent),
    );
    const refused = async (one: Customer, payer: Customer | null, from: string) => {
      const { envelope } = await set(one, payer, from as BillingMonth);
      return [envelope.code, envelope.errors?.[0]?.field];
    };
    expect(await refused(child, child, '2024-09')).toEqual(['payers.itself', 'payerId']);
    expect(await refused(child, parent, '2023-08')).toEqual(['payers.month_too_early', 'from']);
    expect(await refused(child, parent, '2026-10')).toEqual(['payers.month_too_late', 'from']);
    expect(
      await refused(child, { ...parent, organizationId: `org_${'0'.repeat(26)}` as Id<'org'> }, '2024-09'),
    ).toEqual(['payers.payer_not_found', 'payerId']);
    expect((await set(child, parent, september)).status).toBe(200);
    expect((await set(sibling, parent, september)).status).toBe(200);
    expect(await refused(parent, stranger, '2024-10')).toEqual([
      'payers.organization_pays',
      'organizationId',
    ]);
    expect(await refused(stranger, child, '2024-10')).toEqual(['payers.payer_has_payer', 'payerId']);
    const inChinese = await at.console.call(
      payers.setPayer,
      { organizationId: child.organizationId, payerId: child.organizationId, from: september },
      { ...asAdmin(), language: 'zhTW' },
    );
    expect(inChinese.envelope.message).toContain('自行付款');
  });

  it('two concurrent changes that would make a chain: one is rejected', async () => {
    const [a, b] = [await customer(), await customer()];
    const answers = await Promise.all([set(a, b, october), set(b, stranger, october)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    await set(a, null, october);
    await set(b, null, october);
  });

  it('is listed, and has no further effect when repeated', async () => {
    expect((await set(child, parent, september)).status).toBe(200);
    const { items } = await at.console.ok(payers.listPayers, { sort: 'organization' }, asAdmin());
    expect(
      items.map(({ organization, payer, from, until, state }) => [organization, payer, from, until, state]),
    ).toEqual([
      ['C2', 'C1', september, null, 'current'],
      ['C3', 'C1', september, null, 'current'],
    ]);
  });
});

describe('T-PAYER: a closed month', () => {
  it('usage of the child is billed to the payer, with the child’s terms and the payer’s tax', async () => {
    await at.console.ok(
      creditgrants.giveGrant,
      {
        organizationId: child.organizationId,
        name: { zhTW: '贈送', enUS: 'Gift' },
        kind: 'promotional',
        amount: twd(20),
      } as never,
      asAdmin(),
    );
    await use(child, 'c1', '60', '2024-09-05T00:00:00Z');
    await use(sibling, 's1', '7', '2024-09-05T00:00:00Z');
    // The child would pay no tax; its payer does.
    await at.console.ok(
      identity.adminUpdateOrganization,
      { organizationId: sibling.organizationId, taxStatus: 'exempt' } as never,
      asAdmin(),
    );
    await moveTo('2024-10-05T00:00:00Z');
    await close(september);
    expect(await of(parent, september)).toEqual([
      'open of itself to C1: base_fee 50 = 50 + 3',
      'open of C2 to C1: base_fee 100, usage 60, base_fee 30, promotional_credit -20 = 170 + 9',
      'open of C3 to C1: base_fee 200, usage 7 = 207 + 10',
    ]);
    expect(await of(child, september)).toEqual([]);
    expect(await of(stranger, september)).toEqual(['open of itself to C4: base_fee 300 = 300 + 15']);
    expect([await owedBy(parent), await owedBy(child)]).toEqual([53n + 179n + 217n, 0n]);
  });

  it('a repeated close makes no second bill, and the payer of a billed month cannot change', async () => {
    expect(await close(september)).toMatchObject({ issued: 0 });
    expect((await set(child, former, september)).envelope.code).toBe('payers.month_billed');
    expect((await set(child, null, september)).envelope.code).toBe('payers.month_billed');
  });

  it('the child gets a document without the payer’s data; nobody else gets it', async () => {
    const bill = await childBill(parent, child);
    const input = { billId: bill.id, language: 'enUS' as const };
    const { body } = await at.console.ok(billing.coveredBillPdf, input, as(child));
    const text = (await pdfPages(body as Uint8Array)).join(' ');
    for (const words of [bill.number, 'C1', 'another organization pays this bill'])
      expect(text).toContain(words);
    for (const words of ['04595257', 'owner@c1.example', 'Due date', 'Payment reference'])
      expect(text).not.toContain(words);
    for (const one of [parent, sibling, stranger])
      expect((await at.console.call(billing.coveredBillPdf, input, as(one))).status).toBe(404);
  });

  it('the document is addressed to the payer and names the child', async () => {
    const bill = await childBill(parent, child);
    const { body } = await at.console.ok(billing.billPdf, { billId: bill.id, language: 'zhTW' }, as(parent));
    const [text] = await pdfPages(body as Uint8Array);
    expect(text).toContain('C1');
    expect(text).toContain('使用組織');
    expect(text).toContain('C2');
    expect(text).toContain('04595257');
  });

  it('the payer pays from its balance, and the child’s balance is unchanged', async () => {
    await topUp(parent, twd(1000));
    await topUp(child, twd(500));
    const bill = await childBill(parent, child);
    expect((await pay(child, bill)).status).toBe(404);
    expect((await pay(parent, bill)).status).toBe(201);
    expect([(await childBill(parent, child)).state, await balanceOf(parent), await balanceOf(child)]).toEqual(
      ['paid', 821n, 500n],
    );
  });

  it('a credit note goes to the payer, and a void bill is issued again to the same payer', async () => {
    const bill = await childBill(parent, child);
    expect((await credit(bill, net(10))).status).toBe(201);
    expect([await balanceOf(parent), await balanceOf(child)]).toEqual([831n, 500n]);
    await set(child, former, october);
    const answer = await at.console.ok(credits.reissueBill, { billId: bill.id, reason: 'wrong' }, asAdmin());
    expect(answer.usedBy?.organizationId).toBe(child.organizationId);
    expect((await of(parent, september)).slice(1)).toEqual([
      'void of C2 to C1: base_fee 100, usage 60, base_fee 30, promotional_credit -20 = 170 + 9',
      'open of C3 to C1: base_fee 200, usage 7 = 207 + 10',
      'open of C2 to C1: base_fee 100, usage 60, base_fee 30, promotional_credit -20 = 170 + 9',
    ]);
    expect([await balanceOf(parent), await balanceOf(child)]).toEqual([1000n, 500n]);
  });
});

describe('T-PAYER: visibility', () => {
  it('the child sees its costs by line with explanations, and only the name of the payer', async () => {
    const items = await covered(child, september);
    expect(items.map(({ payer, isVoid, net: whole }) => [payer, isVoid, moneyText(whole)])).toEqual([
      ['C1', false, '170'],
      ['C1', true, '170'],
    ]);
    const billId = required(items[0], 'a bill').id;
    const bill = await at.console.ok(billing.getCoveredBill, { billId }, as(child));
    expect(bill.lines.map(({ kind, total }) => `${kind} ${moneyText(total)}`)).toEqual([
      'base_fee 100',
      'usage 60',
      'base_fee 30',
      'promotional_credit -20',
    ]);
    const wire = await at.console.call(billing.getCoveredBill, { billId }, as(child));
    expect(Object.keys(wire.envelope.data as object).toSorted()).toEqual([
      'change',
      'currency',
      'id',
      'isVoid',
      'issuedAt',
      'kind',
      'lines',
      'month',
      'net',
      'number',
      'payer',
      'tax',
      'taxRate',
      'total',
    ]);
    const line = { billId, lineId: '2' };
    const own = await at.console.ok(billing.explainCoveredLine, line, as(child));
    expect(own.days).toEqual([{ day: '2024-09-05', quantity: '60', events: 1 }]);
    // The payer sees the same explanation of the line.
    expect(await at.console.ok(billing.explainLine, line, as(parent))).toEqual(own);
  });

  it('nobody else can access a bill: the child no payments; a sibling, a former payer and a stranger nothing', async () => {
    const { id: billId } = await childBill(parent, child);
    const line = { billId, lineId: '1' };
    for (const one of [child, sibling, former, stranger]) {
      for (const answer of [
        await at.console.call(billing.getBill, { billId }, as(one)),
        await at.console.call(billing.billPdf, { billId }, as(one)),
        await at.console.call(billing.billCsv, { billId }, as(one)),
        await at.console.call(billing.explainLine, line, as(one)),
        await at.console.call(payments.payBill, { billId, method: 'balance' }, as(one)),
      ])
        expect([answer.status, answer.envelope.code]).toEqual([404, expect.stringMatching(/not_found$/)]);
      expect((await bills(one, september)).filter((bill) => bill.id === billId)).toEqual([]);
    }
    for (const one of [parent, sibling, former, stranger])
      for (const answer of [
        await at.console.call(billing.getCoveredBill, { billId }, as(one)),
        await at.console.call(billing.explainCoveredLine, line, as(one)),
      ])
        expect(answer.status).toBe(404);
    expect((await covered(sibling)).map(({ net: whole }) => moneyText(whole))).toEqual(['207']);
    for (const one of [parent, former, stranger]) expect(await covered(one)).toEqual([]);
  });

  it('the payer cannot access the child’s subscriptions and usage, nor the child the payer’s', async () => {
    for (const [one, other] of [
      [parent, child],
      [child, parent],
      [child, sibling],
    ] as const) {
      const subscriptionId = required(other.subscriptionIds[0], 'a subscription');
      for (const answer of [
        await at.console.call(billing.subscriptionLines, { subscriptionId }, as(one)),
        await at.console.call(subscriptions.getSubscription, { subscriptionId }, as(one)),
      ])
        expect(answer.status).toBe(404);
    }
  });

  it('members see their payer and the organizations they pay for, and nothing else', async () => {
    const own = (one: Customer) => at.console.ok(payers.ownPayers, {}, as(one));
    const none = { paidBy: [], paysFor: [] };
    expect(await own(child)).toEqual({
      paidBy: [{ organization: 'C5', from: october, until: null }],
      paysFor: [],
      subscriptions: none,
    });
    expect(await own(former)).toEqual({
      paidBy: [],
      paysFor: [{ organization: 'C2', from: october, until: null }],
      subscriptions: none,
    });
    expect(await own(parent)).toEqual({
      paidBy: [],
      paysFor: [{ organization: 'C3', from: september, until: null }],
      subscriptions: none,
    });
    expect(await own(stranger)).toEqual({ ...none, subscriptions: none });
  });
});

describe('T-PAYER: payers that change between months', () => {
  it('each month is billed to its payer; late usage is on the next bill, to the payer of that month', async () => {
    await use(child, 'c2', '5', '2024-10-03T00:00:00Z');
    // Late: September's usage, billed with October's to the payer of October.
    await use(child, 'late', '4', '2024-09-28T00:00:00Z');
    await moveTo('2024-11-05T00:00:00Z');
    expect((await set(child, null, november)).status).toBe(200);
    await close(october);
    expect(await of(former, october)).toEqual([
      'open of C2 to C5: base_fee 100, usage 5, base_fee 30, adjustment 4 = 139 + 7',
      'open of itself to C5: base_fee 400 = 400 + 20',
    ]);
    expect(await of(parent, october)).toEqual([
      'open of itself to C1: base_fee 50 = 50 + 3',
      'open of C3 to C1: base_fee 200 = 200 + 10',
    ]);
    // A new payer does not see earlier bills of another payer; the child does.
    expect((await childBill(former, child, october)).change).toBe(null);
    expect((await childBill(parent, sibling, october)).change).not.toBe(null);
    const [cost] = await covered(child, october);
    const explanation = await at.console.ok(
      billing.getCoveredBill,
      { billId: required(cost, 'a bill').id },
      as(child),
    );
    expect(explanation.change?.previousTotal).toEqual(twd(179));
  });

  it('an organization that pays for itself again gets its own bills, but none of the earlier ones', async () => {
    await moveTo('2024-12-05T00:00:00Z');
    await close(november);
    expect(await of(child, november)).toEqual(['open of itself to C2: base_fee 100, base_fee 30 = 130 + 7']);
    expect((await billOf(child, november)).change).toBe(null);
    expect(await of(former, november)).toEqual(['open of itself to C5: base_fee 400 = 400 + 20']);
    expect((await bills(child, october)).length).toBe(0);
  });

  it('a change during a planned close applies to its bills', async () => {
    const plan = await sql<{
      total: bigint;
    }>`select count(*) as total from bill where month = '2024-12'`.execute(db());
    expect(plan.rows).toEqual([{ total: 0n }]);
    await moveTo('2025-01-05T00:00:00Z');
    // Both at once: either the bill goes to the new payer, or the change is rejected.
    const [answer] = await Promise.all([set(child, parent, december), close(december)]);
    const paid = await bills(parent, december);
    expect(paid.some(({ usedBy }) => usedBy?.organization === 'C2')).toBe(answer.status === 200);
    expect((await bills(child, december)).length).toBe(answer.status === 200 ? 0 : 1);
  });
});

describe('T-PAYER: terms and unpaid bills of the child', () => {
  const january = '2025-01' as BillingMonth;
  const giveCredit = (amount: number) =>
    at.console.ok(
      creditgrants.giveGrant,
      {
        organizationId: child.organizationId,
        kind: 'paid',
        name: { zhTW: '預付', enUS: 'Prepaid' },
        amount: twd(amount),
      } as never,
      asAdmin(),
    );

  it('prepaid credit of the child pays its lines on the payer’s bill, and is returned when that is voided', async () => {
    await set(child, parent, january);
    // Bought with the child’s own balance.
    await giveCredit(105);
    expect(await balanceOf(child)).toBe(395n);
    await moveTo('2025-02-05T00:00:00Z');
    await close(january);
    const bill = await childBill(parent, child, january);
    expect(shown(bill)).toBe('open of C2 to C1: base_fee 100, base_fee 30 = 130 + 7');
    expect([bill.paid, bill.due]).toEqual([twd(105), twd(32)]);
    await at.console.ok(credits.voidBill, { billId: bill.id, reason: 'wrong' }, asAdmin());
    expect(await balanceOf(child)).toBe(395n);
    const again = await at.console.ok(credits.reissueBill, { billId: bill.id }, asAdmin());
    expect([again.paid, again.due]).toEqual([twd(105), twd(32)]);
  });

  it('one-off and interim bills go to the payer of the running month', async () => {
    await at.console.ok(
      oneOffs.createOneOff,
      {
        organizationId: child.organizationId,
        name: { zhTW: '設定費', enUS: 'Set-up' },
        kind: 'charge',
        unitPrice: '40',
        currency: 'TWD',
        billing: 'own_bill',
      } as never,
      asAdmin(),
    );
    await at.console.ok(
      billing.setInterimThreshold,
      { organizationId: child.organizationId, currency: 'TWD', amount: twd(60) },
      asAdmin(),
    );
    await use(child, 'i1', '70', '2025-02-04T00:00:00Z');
    await runFeatureJob(at.console.app, 'billing.interim', { organizationId: child.organizationId });
    const february = '2025-02' as BillingMonth;
    expect((await of(parent, february)).toSorted()).toEqual([
      'open of C2 to C1: interim 70 = 70 + 4',
      'open of C2 to C1: one_off 40 = 40 + 2',
    ]);
    expect(await of(child, february)).toEqual([]);
    // A month with an interim bill keeps its payer.
    expect((await set(child, former, february)).envelope.code).toBe('payers.month_billed');
    await moveTo('2025-03-05T00:00:00Z');
    await close(february);
    expect(
      (await of(parent, february)).filter((line) => line.includes('base_fee') && line.includes('C2')),
    ).toEqual(['open of C2 to C1: base_fee 100, usage 70, base_fee 30, interim_deduction -70 = 130 + 7']);
  });

  it('the payer’s balance pays automatically if the payer enabled that', async () => {
    await topUp(parent, twd(20_000));
    await at.console.ok(payments.setAutomatic, { isOn: true, isPartial: false }, as(parent));
    await runFeatureJob(at.console.app, 'pay-automatically');
    expect((await bills(parent, '2025-02' as BillingMonth)).map(({ state }) => state)).toEqual(
      (await bills(parent, '2025-02' as BillingMonth)).map(() => 'paid'),
    );
    expect(await balanceOf(child)).toBe(395n);
  });

  it('reminders go to the payer, and the child’s services are suspended until it is paid', async () => {
    await at.console.ok(payments.setAutomatic, { isOn: false, isPartial: false }, as(parent));
    const march = '2025-03' as BillingMonth;
    await moveTo('2025-04-05T00:00:00Z');
    await close(march);
    const [mine, theirs] = [await childBill(parent, child, march), await billOf(stranger, march)];
    expect(theirs.state).toBe('open');
    // Bills that the child owes itself, or that a former payer owes for it, do not matter here.
    await topUp(former, twd(1000));
    expect((await pay(former, await childBill(former, child, october))).status).toBe(201);
    const { items } = await at.console.ok(billing.listBills, { state: 'open' }, as(child));
    for (const bill of items) expect((await pay(child, bill)).status).toBe(201);
    const own = required(
      (await bills(parent, march)).find(({ usedBy }) => usedBy === undefined),
      'the payer’s own bill',
    );
    await pay(parent, own);
    await pay(parent, await childBill(parent, sibling, march));
    const rehearsal = await at.console.ok(dunning.rehearseDunning, {}, asAdmin());
    await at.console.ok(dunning.switchDunning, { isOn: true, rehearsalId: rehearsal.id }, asAdmin());
    await moveTo('2025-05-25T00:00:00Z');
    await runFeatureJob(at.console.app, 'dunning');
    const standing = (one: Customer) => at.console.ok(dunning.dunningStanding, {}, as(one));
    const states = async (one: Customer) =>
      (await at.console.ok(subscriptions.listSubscriptions, {}, as(one))).items.map(({ state }) => state);
    expect(await standing(child)).toMatchObject({ level: 'suspended', payer: 'C1', bills: [] });
    expect(await standing(parent)).toMatchObject({
      level: null,
      payer: null,
      bills: [{ number: mine.number }],
    });
    expect(await standing(sibling)).toMatchObject({ level: null, bills: [] });
    expect([await states(child), await states(parent), await states(sibling)]).toEqual([
      ['suspended', 'suspended'],
      ['active'],
      ['active'],
    ]);
    const messages = async (one: Customer) =>
      (await at.console.ok(notifications.listNotifications, { limit: 100 }, as(one))).items.map(
        ({ message }) => message,
      );
    expect((await messages(child)).filter((message) => message.includes(mine.number))).toEqual([]);
    expect((await messages(child)).some((message) => message.includes('C1'))).toBe(true);
    expect((await messages(parent)).some((message) => message.includes(mine.number))).toBe(true);
    expect((await messages(sibling)).some((message) => message.includes('C1'))).toBe(false);
    // The child is exempt: its services resume immediately and stay active, and the payer is still reminded.
    await at.console.ok(
      dunning.exemptOrganization,
      { organizationId: child.organizationId, reason: 'hospital' },
      asAdmin(),
    );
    expect([await states(child), (await standing(child)).level]).toEqual([['active', 'active'], null]);
    await moveTo('2025-06-25T00:00:00Z');
    await runFeatureJob(at.console.app, 'dunning');
    expect([await states(child), (await standing(child)).level]).toEqual([['active', 'active'], null]);
    const [reminded] = (await standing(parent)).bills;
    expect([reminded?.number, reminded?.willSuspendOn]).toEqual([mine.number, null]);
    // No longer exempt, the due step of dunning is applied.
    await at.console.ok(dunning.endExemption, { organizationId: child.organizationId }, asAdmin());
    expect((await pay(parent, mine)).status).toBe(201);
    expect([await states(child), (await standing(child)).level]).toEqual([['active', 'active'], null]);
  });
});

describe('T-PAYER: closing an organization', () => {
  it('is not possible for a payer while it pays for others', async () => {
    const { closeOrganization } = (await import('../src/app/console/contract.ts')).consoleContract;
    const lonely = await customer();
    await set(stranger, lonely, '2025-08' as BillingMonth);
    const answer = await at.console.call(
      closeOrganization,
      { organizationId: lonely.organizationId, reason: 'moved away' },
      asAdmin(),
    );
    expect(answer.envelope.code).toBe('console.organization_pays');
    await set(stranger, null, '2025-08' as BillingMonth);
    await at.console.ok(
      closeOrganization,
      { organizationId: lonely.organizationId, reason: 'moved away' },
      asAdmin(),
    );
    const refused = await set(stranger, lonely, '2025-08' as BillingMonth);
    expect(refused.envelope.code).toBe('payers.payer_closed');
  });
});
